package packagevariant

import (
	"context"
	"errors"
	"fmt"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/upstream"
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
	tree, err := variant.Clone(b.shared.marked(up), variant.CloneInput{
		Name: b.pv.Spec.Downstream.Package, Upstream: up.lock,
		Labels: b.pv.Spec.Labels, Annotations: b.pv.Spec.Annotations,
		Deployment: b.deployment, PackagePath: b.pv.Spec.Downstream.Package,
	})
	if err != nil {
		return pkgtree.Tree{}, fmt.Errorf("upstream %s: %w", up.name, err)
	}
	tree, err = variant.MutateWith(tree, pv, b.input())
	if unreadable := new(krm.ParseError); errors.As(err, &unreadable) {
		err = fmt.Errorf("upstream %s: %w", up.name, err)
	}
	return tree, err
}

func (b *builder) input() variant.MutateInput {
	return variant.MutateInput{Revision: b.revision, Context: b.context, Plain: &b.shared.plain, Parsed: &b.shared.parsed}
}

func (b *builder) mutate(tree pkgtree.Tree) (pkgtree.Tree, error) {
	return variant.MutateWith(tree, b.pv, b.input())
}

func (b *builder) render(ctx context.Context, tree pkgtree.Tree) (pkgtree.Tree, error) {
	res, err := render.Render(ctx, tree, render.Options{Functions: b.functions, Parsed: &b.shared.parsed})
	if err != nil {
		return pkgtree.Tree{}, err
	}
	return res.Tree, nil
}

// upgrade brings local from the upstream it was made of to a newer one. What was made of the old
// upstream is made anew, and local is brought to what the variant wants now, so that only a real
// edit of local looks like one.
func (b *builder) upgrade(ctx context.Context, from, to source, local pkgtree.Tree) (pkgtree.Tree, error) {
	from.lock = to.lock // the lock is upstream's to move, on all three sides
	base, err := b.start(from)
	if err != nil {
		return pkgtree.Tree{}, fmt.Errorf("make the present upstream anew: %w", err)
	}
	theirs, err := b.start(to)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	ours, err := b.adapt(to.lock, local)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	merged, err := upstream.MergeRendered(ctx, base, theirs, ours, merge.Options{Prefer: merge.Fail}, b.render)
	if err != nil {
		return pkgtree.Tree{}, cannotMerge(err)
	}
	if len(merged.Conflicts) > 0 {
		return pkgtree.Tree{}, conflictError(to.lock.Ref, merged.Conflicts)
	}
	tree, err := b.mutate(merged.Tree) // for what is new
	if err != nil {
		return pkgtree.Tree{}, err
	}
	return b.render(ctx, tree)
}

// start is where one side of a merge starts from: an upstream package with what the variant puts into it,
// but for its functions, which are of no concern to upstream: ours has them, and they run on all sides.
func (b *builder) start(up source) (pkgtree.Tree, error) {
	pv := *b.pv
	pv.Spec.Pipeline = nil
	return b.copyOf(up, &pv)
}

// cannotMerge is err in the words of one who has no other way to merge.
func cannotMerge(err error) error {
	var failed *upstream.RenderError
	switch {
	case !errors.As(err, &failed):
		return err
	case failed.Side == upstream.RecordedUpstream:
		return fmt.Errorf("make the present upstream anew: %w", failed.Err)
	}
	return failed.Err
}

// adapt brings a published package to what the variant wants now, but for its upstream.
func (b *builder) adapt(lock kptfilev1.GitLock, local pkgtree.Tree) (pkgtree.Tree, error) {
	tree, err := variant.SetUpstream(local, b.pv.Spec.Downstream.Package, lock)
	if err == nil {
		tree, err = variant.SetMetadata(tree, b.pv.Spec.Labels, b.pv.Spec.Annotations)
	}
	if err == nil {
		tree, err = b.mutate(tree)
	}
	return tree, err // the merge renders it, as it does the other sides
}

// mostNamed is how many conflicts an error names; nobody settles more at a time.
const mostNamed = 10

func conflictError(ref string, conflicts []merge.Conflict) error {
	var named []string
	for _, c := range conflicts[:min(len(conflicts), mostNamed)] {
		named = append(named, c.String())
	}
	if more := len(conflicts) - mostNamed; more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("upgrade to %s conflicts with local edits, and nothing was changed: %s; make the files "+
		"agree with either side in a draft of your own, publish it, and reconcile again with spec.adoptionPolicy %q",
		ref, strings.Join(named, "; "), porchconfig.AdoptExisting)
}
