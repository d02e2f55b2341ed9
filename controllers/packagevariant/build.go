package packagevariant

import (
	"context"
	"fmt"
	"path"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// builder makes the content of drafts. It is a pure function of what it is given.
type builder struct {
	pv         *porchconfig.PackageVariant
	functions  runner.Factory
	context    []*krm.Object
	deployment bool
}

// source is an upstream package revision.
type source struct {
	name string
	tree pkgtree.Tree
	lock kptfilev1.GitLock
}

// clone is what the variant makes of an upstream package: cloned, mutated, rendered.
func (b *builder) clone(ctx context.Context, up source) (pkgtree.Tree, error) {
	tree, err := variant.Clone(up.tree, variant.CloneInput{
		Name: b.pv.Spec.Downstream.Package, Upstream: up.lock,
		Labels: b.pv.Spec.Labels, Annotations: b.pv.Spec.Annotations,
		Deployment: b.deployment, PackagePath: b.pv.Spec.Downstream.Package,
	})
	if err != nil {
		return pkgtree.Tree{}, fmt.Errorf("upstream %s: %w", up.name, err)
	}
	if tree, err = b.mutate(tree); err != nil {
		return pkgtree.Tree{}, err
	}
	return b.render(ctx, tree)
}

func (b *builder) mutate(tree pkgtree.Tree) (pkgtree.Tree, error) {
	return variant.Mutate(tree, b.pv, b.context)
}

func (b *builder) render(ctx context.Context, tree pkgtree.Tree) (pkgtree.Tree, error) {
	res, err := render.Render(ctx, tree, render.Options{Functions: b.functions})
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
	base, err := b.clone(ctx, from)
	if err != nil {
		return pkgtree.Tree{}, fmt.Errorf("make the present upstream anew: %w", err)
	}
	theirs, err := b.clone(ctx, to)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	ours, err := b.adapt(ctx, to.lock, local)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	merged, conflicts := merge.Files(handMade(base), handMade(theirs), ours)
	if len(conflicts) > 0 {
		return pkgtree.Tree{}, conflictError(to.lock.Ref, conflicts)
	}
	return b.render(ctx, merged)
}

// adapt brings a published package to what the variant wants now, but for its upstream.
func (b *builder) adapt(ctx context.Context, lock kptfilev1.GitLock, local pkgtree.Tree) (pkgtree.Tree, error) {
	tree, err := variant.SetUpstream(local, b.pv.Spec.Downstream.Package, lock)
	if err == nil {
		tree, err = variant.SetMetadata(tree, b.pv.Spec.Labels, b.pv.Spec.Annotations)
	}
	if err == nil {
		tree, err = b.mutate(tree)
	}
	if err != nil {
		return pkgtree.Tree{}, err
	}
	return b.render(ctx, tree)
}

// handMade leaves out the files that functions generate: they follow from the others.
func handMade(tree pkgtree.Tree) pkgtree.Tree {
	drop := map[string][]byte{}
	for p, blob := range tree.All() {
		if ext := path.Ext(p); ext != ".yaml" && ext != ".yml" {
			continue
		}
		objs, err := krm.Read(p, blob.Data(), krm.Limits{})
		if err != nil || len(objs) == 0 {
			continue
		}
		generated := true
		for _, o := range objs {
			generated = generated && fn.IsGenerated(o)
		}
		if generated {
			drop[p] = nil
		}
	}
	out, err := tree.Apply(drop)
	if err != nil { // taking files away cannot make a tree invalid
		return tree
	}
	return out
}

func conflictError(ref string, conflicts []merge.Conflict) error {
	var files []string
	for _, c := range conflicts {
		files = append(files, fmt.Sprintf("%s (%s upstream, %s here)", c.Path, c.Theirs, c.Ours))
	}
	return fmt.Errorf("upgrade to %s conflicts with local edits, and nothing was changed: %s; make the files "+
		"agree with either side in a draft of your own, publish it, and reconcile again with spec.adoptionPolicy %q",
		ref, strings.Join(files, ", "), porchconfig.AdoptExisting)
}
