package upstream

import (
	"context"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Render gives what functions make of a package.
type Render func(ctx context.Context, tree pkgtree.Tree) (pkgtree.Tree, error)

// Side is what could not be rendered, in words.
type Side string

// The three sides of a merge.
const (
	RecordedUpstream Side = "what the recorded upstream renders to"
	NewUpstream      Side = "what upstream now renders to"
	Here             Side = "what this package renders to"
)

// RenderError says which side functions could not be run on, and why.
type RenderError struct {
	Side Side
	Err  error
}

func (e *RenderError) Error() string {
	return fmt.Sprintf("%s cannot be told: %v; --base upstream merges without rendering", e.Side, e.Err)
}

func (e *RenderError) Unwrap() error { return e.Err }

// MergeRendered merges as merge.Packages does, but each side as functions leave it, so that what a function
// changed is no local edit. All three sides run through the functions of ours: base with all of its inputs
// (Kptfiles, package contexts, .krmignore, what a configPath names), theirs with these inputs as upstream's
// changes leave them. The inputs themselves merge like anything else. Validators do not run.
//
// Of a package that was not rendered since it was changed, what still reads as in base becomes what functions
// make of it; anything else that functions would change counts as a local edit, and stays until somebody
// renders. Files of which functions generated every object do not merge: those of ours stay, and rendering
// the result makes them anew. A plain file that was deleted here and that upstream left alone comes back as in
// merge.Packages only if upstream is preferred, and is no conflict otherwise.
//
// Functions must be pure and change nothing when they run twice. Where no Kptfile names a mutator it is
// merge.Packages. A side that does not render is a *RenderError.
func MergeRendered(ctx context.Context, base, theirs, ours pkgtree.Tree, opts merge.Options, render Render) (*merge.Result, error) {
	if !hasMutators(ours) && !hasMutators(theirs) {
		return mergePlain(base, theirs, ours, opts)
	}
	return mergeAsRendered(ctx, base, theirs, ours, opts, render)
}

// mergePlain merges packages that nothing renders.
func mergePlain(base, theirs, ours pkgtree.Tree, opts merge.Options) (*merge.Result, error) {
	res, err := merge.Packages(base, theirs, ours, opts)
	if err == nil {
		res.Tree, err = unmarked(ours, res.Tree)
	}
	return res, err
}

// mergeAsRendered is MergeRendered for those who know that functions run, if only those of a package around.
func mergeAsRendered(ctx context.Context, base, theirs, ours pkgtree.Tree, opts merge.Options, render Render) (*merge.Result, error) {
	base, theirs = merge.AddMarks(base), merge.AddMarks(theirs) // by which a renamed object is known again
	like, err := withMarkedContexts(ours)                       // as they are on the other sides: what is alike renders once
	if err != nil {
		return nil, err
	}
	m := &rendering{ctx: ctx, functions: render, opts: opts, ours: ours, like: like, inputs: inputsOf(ours, base, theirs)}
	o, err := m.recorded(base)
	if err != nil {
		return nil, err
	}
	l, err := m.here(base, adoptMarks(o, like))
	if err != nil {
		return nil, err
	}
	u, err := m.upstream(base, theirs, o, l)
	if err != nil {
		return nil, err
	}
	return m.merge(o, u, l)
}

// rendering is one merge of rendered packages.
type rendering struct {
	ctx       context.Context
	functions Render
	opts      merge.Options
	ours      pkgtree.Tree // as it was
	like      pkgtree.Tree // ours, with marks on its package contexts
	inputs    inputs
	known     []rendered
}

// rendered is a package and what functions made of it.
type rendered struct{ from, to pkgtree.Tree }

// run is what functions make of tree, its pipelines left as they are.
func (m *rendering) run(side Side, tree pkgtree.Tree) (pkgtree.Tree, error) {
	for _, k := range m.known {
		if k.from.Equal(tree) || k.to.Equal(tree) { // functions change nothing when they run twice
			return k.to, nil
		}
	}
	given := withoutValidators(tree)
	out, err := m.functions(m.ctx, given)
	if err == nil {
		out, err = put(out, withPipelines(out, given, tree))
	}
	if err != nil {
		return out, &RenderError{Side: side, Err: err}
	}
	m.known = append(m.known, rendered{tree, out})
	return out, nil
}

// recorded is what the recorded upstream renders to here.
func (m *rendering) recorded(base pkgtree.Tree) (pkgtree.Tree, error) {
	return m.side(RecordedUpstream, base, m.like, func(pkgtree.Tree) (pkgtree.Tree, error) { return m.like, nil })
}

// upstream is what upstream now renders to here, with the inputs that a merge of inputs alone gives.
func (m *rendering) upstream(base, theirs, o, l pkgtree.Tree) (pkgtree.Tree, error) {
	kptfiles, err := m.mergeKptfiles(base, theirs)
	if err != nil {
		return theirs, err
	}
	first, err := put(kptfiles, pick(m.like, m.inputs.isConfig)) // for functions that upstream does not have
	if err != nil {
		return theirs, err
	}
	return m.side(NewUpstream, theirs, first, func(own pkgtree.Tree) (pkgtree.Tree, error) {
		return m.mergeConfigs(kptfiles, o, own, l)
	})
}

// side is what tree renders to with the pipelines of first. Its inputs are its own, as these functions leave
// them; anything else is as it becomes with the inputs that final makes of those.
func (m *rendering) side(s Side, tree, first pkgtree.Tree, final func(own pkgtree.Tree) (pkgtree.Tree, error)) (pkgtree.Tree, error) {
	own, configs := tree, m.inputs.configsIn(tree)
	if configs {
		given, err := m.inputs.place(tree, first, true)
		if err == nil {
			own, err = m.run(s, given)
		}
		if err != nil {
			return tree, err
		}
	}
	from, err := final(own)
	if err != nil {
		return tree, err
	}
	given, err := m.inputs.place(tree, from, false)
	if err != nil {
		return tree, err
	}
	out, err := m.run(s, given)
	if err != nil {
		return tree, err
	}
	if !configs { // then there was nothing to be seen for itself
		own = out
	}
	return m.inputs.giveBack(out, tree, own)
}
