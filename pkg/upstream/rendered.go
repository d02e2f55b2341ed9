package upstream

import (
	"context"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Render runs the functions of a package.
type Render func(ctx context.Context, tree pkgtree.Tree) (pkgtree.Tree, error)

// Side describes one side of a merge, for messages.
type Side string

// The three sides of a merge.
const (
	RecordedUpstream Side = "the recorded upstream"
	NewUpstream      Side = "the new upstream"
	Here             Side = "this package"
)

// RenderError says which side could not be rendered, and why.
type RenderError struct {
	Side Side
	Err  error
}

func (e *RenderError) Error() string {
	return fmt.Sprintf("%s cannot be rendered: %v; --base upstream merges without rendering", e.Side, e.Err)
}

func (e *RenderError) Unwrap() error { return e.Err }

// MergeRendered merges as merge.Packages does, but it renders each side first, so that changes by functions
// are not local edits. It renders all three sides with the functions of ours: base with the inputs of ours
// (Kptfiles, package contexts, .krmignore, and files that a configPath names), theirs with these inputs after upstream's
// changes. The inputs themselves merge like other files. Validators do not run.
//
// If ours was changed and not rendered since, the parts that are equal in base are rendered;
// other parts that functions would change count as local edits, and stay until the user
// renders. Files in which all objects are generated do not merge: those of ours stay, and rendering
// the result generates them again. So a bundle-manifestwork at the end of the package's pipeline does not run, and what it
// would refuse is for that render to refuse. A plain file that was deleted here and not changed upstream comes back, as in
// merge.Packages, only if upstream is preferred; otherwise it is no conflict.
//
// Functions must be pure, and a second run must change nothing. If no Kptfile names a mutator, the result is that of
// merge.Packages. If a side cannot be rendered, the error is a *RenderError.
func MergeRendered(ctx context.Context, base, theirs, ours pkgtree.Tree, opts merge.Options, render Render) (*merge.Result, error) {
	if !hasMutators(ours) && !hasMutators(theirs) {
		return mergePlain(base, theirs, ours, opts)
	}
	return mergeRendered(ctx, base, theirs, ours, opts, render)
}

// mergePlain merges packages without functions.
func mergePlain(base, theirs, ours pkgtree.Tree, opts merge.Options) (*merge.Result, error) {
	res, err := merge.Packages(base, theirs, ours, opts)
	if err == nil {
		res.Tree, err = withoutContextMarks(ours, res.Tree)
	}
	return res, err
}

// mergeRendered is MergeRendered for a package on which functions run, which may be those of an outer package.
func mergeRendered(ctx context.Context, base, theirs, ours pkgtree.Tree, opts merge.Options, render Render) (*merge.Result, error) {
	base, theirs = merge.AddMarks(base), merge.AddMarks(theirs) // they identify renamed objects
	like, err := withMarkedContexts(ours)                       // like the other sides: equal sides are rendered once
	if err != nil {
		return nil, err
	}
	m := &renderedMerge{ctx: ctx, functions: render, opts: opts, ours: ours, like: like, inputs: inputsOf(ours, base, theirs),
		generated: generatedFiles(ours)}
	o, err := m.recorded(base)
	if err != nil {
		return nil, err
	}
	local, err := m.withoutWorks(like)
	if err != nil {
		return nil, err
	}
	l, err := m.local(base, adoptMarks(o, local))
	if err != nil {
		return nil, err
	}
	u, err := m.upstream(base, theirs, o, l)
	if err != nil {
		return nil, err
	}
	return m.merge(o, u, l)
}

// renderedMerge is one merge of rendered packages.
type renderedMerge struct {
	ctx       context.Context
	functions Render
	opts      merge.Options
	ours      pkgtree.Tree // before the merge
	like      pkgtree.Tree // ours, with marks on its package contexts
	inputs    inputs
	generated map[string]bool // of ours: see generatedFiles
	cache     []rendered
}

// rendered is a package before and after rendering.
type rendered struct{ from, to pkgtree.Tree }

// run renders tree, and keeps its pipelines as they are.
func (m *renderedMerge) run(side Side, tree pkgtree.Tree) (pkgtree.Tree, error) {
	for _, k := range m.cache {
		if k.from.Equal(tree) || k.to.Equal(tree) { // a second run changes nothing
			return k.to, nil
		}
	}
	given := forSide(tree)
	out, err := m.functions(m.ctx, given)
	if err == nil {
		out, err = put(out, withPipelines(out, given, tree))
	}
	if err != nil {
		return out, &RenderError{Side: side, Err: err}
	}
	m.cache = append(m.cache, rendered{tree, out})
	return out, nil
}

// recorded renders the recorded upstream with the inputs of ours.
func (m *renderedMerge) recorded(base pkgtree.Tree) (pkgtree.Tree, error) {
	return m.side(RecordedUpstream, base, m.like, func(pkgtree.Tree) (pkgtree.Tree, error) { return m.like, nil })
}

// upstream renders the new upstream with the merged inputs.
func (m *renderedMerge) upstream(base, theirs, o, l pkgtree.Tree) (pkgtree.Tree, error) {
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

// side renders tree. First it renders with the pipelines of first to get tree's own inputs, as functions change
// them; then with the inputs that final makes of those. The result has the own inputs.
func (m *renderedMerge) side(s Side, tree, first pkgtree.Tree, final func(own pkgtree.Tree) (pkgtree.Tree, error)) (pkgtree.Tree, error) {
	own, configs := tree, m.inputs.configsIn(tree)
	if configs {
		given, err := m.inputs.replace(tree, first, true)
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
	given, err := m.inputs.replace(tree, from, false)
	if err != nil {
		return tree, err
	}
	out, err := m.run(s, given)
	if err != nil {
		return tree, err
	}
	if !configs { // there are no own inputs
		own = out
	}
	return m.inputs.restore(out, tree, own)
}
