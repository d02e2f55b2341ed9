// Package draft makes the content of the drafts that a PackageVariant wants.
//
// Shape: a Builder clones an upstream package, mutates a package of its own, or upgrades one from an old upstream to a new
// one, and renders it. It is a pure function of trees; a Cache holds what the drafts of many variants have in common.
// Cost: a rendering for each package, three for an upgrade that has edits to merge.
// Errors: one line; of a conflict, the first ten objects that conflict.
package draft

import (
	"context"
	"errors"
	"fmt"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/upstream"
	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/internal/once"
)

// Builder makes the content of the drafts of one PackageVariant.
type Builder struct {
	Variant    *porchconfig.PackageVariant
	Functions  runner.Factory
	Context    injection.Lister // of the objects that may be injected
	Cache      *Cache
	Revision   string // that is changed, for messages; "" for a new package
	Deployment bool   // the package gets a package context
	// ByUser, if it is set, says that a user makes the draft: of Variant only the downstream counts, and nothing is injected.
	ByUser *ByUser
}

// ByUser are the choices of a user who makes a draft.
type ByUser struct {
	// Strategy is recorded in a clone for its upgrades; "" records none. An upgrade merges by it; "" is what the Kptfile says.
	Strategy kptfilev1.UpdateStrategyType
	// Prefer is the side that wins a conflict of an upgrade; merge.Fail is none.
	Prefer merge.Prefer
}

// NewByUser returns the builder of a draft of a package for a user.
func NewByUser(pkg string, functions runner.Factory, choices ByUser) *Builder {
	pv := &porchconfig.PackageVariant{}
	pv.Spec.Downstream = &porchconfig.Downstream{Package: pkg}
	return &Builder{Variant: pv, Functions: functions, Cache: &Cache{}, ByUser: &choices}
}

// Cache holds results that the drafts of many variants have in common: most of them are made of the same few upstream
// revisions. The zero Cache is empty.
type Cache struct {
	plain  variant.Plain
	parsed krm.Parsed
	marked once.Map[kptfilev1.GitLock, pkgtree.Tree]
}

// Source is an upstream package revision.
type Source struct {
	Name string
	Tree pkgtree.Tree
	Lock kptfilev1.GitLock // what a copy records
	From kptfilev1.GitLock // where Tree was read
}

// Clone makes a downstream package of an upstream one: cloned, mutated, rendered.
func (b *Builder) Clone(ctx context.Context, up Source) (pkgtree.Tree, error) {
	var strategy kptfilev1.UpdateStrategyType
	if b.ByUser != nil {
		strategy = b.ByUser.Strategy
	}
	tree, err := b.copyOf(up, b.Variant, strategy)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	return b.Render(ctx, tree)
}

// copyOf makes the downstream package of an upstream one, with what pv puts into it. All copies of an upstream share the merge
// marks.
func (b *Builder) copyOf(up Source, pv *porchconfig.PackageVariant, strategy kptfilev1.UpdateStrategyType) (pkgtree.Tree, error) {
	tree, err := b.Cache.marked.Get(up.From, func() (pkgtree.Tree, error) { return upstream.MarkCloned(merge.AddMarks(up.Tree)) })
	if err == nil {
		tree, err = variant.Clone(tree, variant.CloneInput{
			Name: b.Variant.Spec.Downstream.Package, Upstream: up.Lock, UpdateStrategy: strategy,
			Labels: b.Variant.Spec.Labels, Annotations: b.Variant.Spec.Annotations,
			Deployment: b.Deployment, PackagePath: b.Variant.Spec.Downstream.Package,
		})
	}
	if err != nil {
		return pkgtree.Tree{}, fmt.Errorf("upstream %s: %w", up.Name, err)
	}
	tree, err = b.mutate(tree, pv, false)
	if unreadable := new(krm.ParseError); errors.As(err, &unreadable) {
		err = fmt.Errorf("upstream %s: %w", up.Name, err)
	}
	return tree, err
}

func (b *Builder) input(rendered bool) variant.MutateInput {
	return variant.MutateInput{Revision: b.Revision, Context: b.Context, Rendered: rendered, Plain: &b.Cache.plain, Parsed: &b.Cache.parsed}
}

// Mutate puts what the variant wants into a package of its own. rendered says that only the controller
// wrote in it, or that it will be rendered, which finds what cannot be read.
func (b *Builder) Mutate(tree pkgtree.Tree, rendered bool) (pkgtree.Tree, error) {
	return b.mutate(tree, b.Variant, rendered)
}

func (b *Builder) mutate(tree pkgtree.Tree, pv *porchconfig.PackageVariant, rendered bool) (pkgtree.Tree, error) {
	if b.ByUser != nil {
		return tree, nil
	}
	return variant.MutateWith(tree, pv, b.input(rendered))
}

// SetMetadata puts the variant's labels and annotations into a package.
func (b *Builder) SetMetadata(tree pkgtree.Tree) (pkgtree.Tree, error) {
	return variant.SetMetadata(tree, b.Variant.Spec.Labels, b.Variant.Spec.Annotations)
}

// Render runs the pipelines of a package as the function Render does. The annotation of the variant counts for its drafts.
func (b *Builder) Render(ctx context.Context, tree pkgtree.Tree) (pkgtree.Tree, error) {
	out, err := Render(ctx, tree, b.renderOptions())
	if err == nil || ctx.Err() != nil || b.Variant.Spec.Annotations[porch.PushOnRenderFailure] != "true" || isKept(tree) {
		return out, err
	}
	kept, unchanged := variant.SetMetadata(tree, nil, map[string]string{porch.PushOnRenderFailure: "true"})
	if unchanged != nil {
		return out, err
	}
	return Render(ctx, kept, b.renderOptions())
}

func (b *Builder) renderOptions() render.Options {
	return render.Options{Functions: b.Functions, Parsed: &b.Cache.parsed}
}
