package reconciler

import (
	"context"
	"errors"
	"fmt"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// builder makes the content of drafts. It is a pure function of what it is given.
type builder struct {
	pv         *porchconfig.PackageVariant
	functions  runner.Factory
	context    injection.Lister
	shared     *shared
	revision   string // that is worked on, for messages
	deployment bool
}

// source is an upstream package revision.
type source struct {
	name string
	tree pkgtree.Tree
	lock kptfilev1.GitLock // what a copy records
	from origin
}

// clone is what the variant makes of an upstream package: cloned, mutated, rendered.
func (b *builder) clone(ctx context.Context, up source) (pkgtree.Tree, error) {
	tree, err := b.copyOf(up, b.pv)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	return b.render(ctx, tree)
}

// copyOf is the downstream package of an upstream one, with what pv puts into it.
func (b *builder) copyOf(up source, pv *porchconfig.PackageVariant) (pkgtree.Tree, error) {
	tree, err := b.shared.marked(up)
	if err == nil {
		tree, err = variant.Clone(tree, variant.CloneInput{
			Name: b.pv.Spec.Downstream.Package, Upstream: up.lock,
			Labels: b.pv.Spec.Labels, Annotations: b.pv.Spec.Annotations,
			Deployment: b.deployment, PackagePath: b.pv.Spec.Downstream.Package,
		})
	}
	if err != nil {
		return pkgtree.Tree{}, fmt.Errorf("upstream %s: %w", up.name, err)
	}
	tree, err = variant.MutateWith(tree, pv, b.input(false))
	if unreadable := new(krm.ParseError); errors.As(err, &unreadable) {
		err = fmt.Errorf("upstream %s: %w", up.name, err)
	}
	return tree, err
}

func (b *builder) input(rendered bool) variant.MutateInput {
	return variant.MutateInput{Revision: b.revision, Context: b.context, Rendered: rendered, Plain: &b.shared.plain, Parsed: &b.shared.parsed}
}

// mutate puts into a package of ours what the variant wants in it. rendered says that nobody else
// wrote in it, or that it will be rendered, which finds what cannot be read.
func (b *builder) mutate(tree pkgtree.Tree, rendered bool) (pkgtree.Tree, error) {
	return variant.MutateWith(tree, b.pv, b.input(rendered))
}

func (b *builder) render(ctx context.Context, tree pkgtree.Tree) (pkgtree.Tree, error) {
	res, err := render.Render(ctx, tree, render.Options{Functions: b.functions, Parsed: &b.shared.parsed})
	if err != nil {
		return pkgtree.Tree{}, err
	}
	return res.Tree, nil
}
