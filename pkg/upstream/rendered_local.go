package upstream

import (
	"maps"
	"path"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// local is ours with the parts rendered that are equal in base. It is not known whether other
// parts were edited after the last render, so they stay.
func (m *renderedMerge) local(base, ours pkgtree.Tree) (pkgtree.Tree, error) {
	now, err := m.run(Here, ours)
	if err != nil || now.Equal(ours) {
		return now, err
	}
	var sides [3]pkgtree.Tree
	for i, tree := range []pkgtree.Tree{base, now, ours} {
		content := pick(tree, func(p string) bool { return !isKptfile(p) && !isGenerated(p, tree.Blob(p)) })
		if sides[i], err = put(pkgtree.Tree{}, content); err != nil {
			return now, err
		}
	}
	joined, err := merge.Packages(sides[0], sides[1], sides[2], merge.Options{Prefer: merge.Local})
	if err != nil {
		return now, err
	}
	return put(joined.Tree, pick(now, isKptfile))
}

// merge merges the three sides without the generated objects of ours, which stay.
func (m *renderedMerge) merge(o, u, l pkgtree.Tree) (*merge.Result, error) {
	l, generated, err := m.extractGenerated(o, u, l)
	if err == nil {
		o, u, err = withoutDeleted(o, u, l, m.staysDeleted)
	}
	if err != nil {
		return nil, err
	}
	res, err := merge.Packages(o, u, l, m.opts)
	if err != nil {
		return nil, err
	}
	if m.opts.Prefer == merge.Fail && len(res.Conflicts) > 0 {
		res.Tree = m.ours
		return res, nil
	}
	maps.DeleteFunc(generated, func(p string, _ *pkgtree.Blob) bool { return inDeletedPackage(p, m.ours, res.Tree) })
	if res.Tree, err = put(res.Tree, generated); err == nil {
		res.Tree, err = withoutContextMarks(m.ours, res.Tree)
	}
	if err == nil {
		res.Tree, err = withoutRenderedMarks(res.Tree, m.ours, u)
	}
	return res, err
}

// extractGenerated removes the generated files from l, unless upstream has a file in their place, and returns
// them as they are in ours.
func (m *renderedMerge) extractGenerated(o, u, l pkgtree.Tree) (rest pkgtree.Tree, generated map[string]*pkgtree.Blob, err error) {
	changes := pick(m.ours, func(p string) bool { _, is := m.generated[p]; return is })
	generated = map[string]*pkgtree.Blob{}
	for p, b := range changes {
		if o.Blob(p) == nil && u.Blob(p) == nil {
			generated[p], changes[p] = b, nil
		}
	}
	rest, err = put(l, changes)
	return rest, generated, err
}

// staysDeleted reports whether a plain file that was deleted here and not changed upstream does not come back: if upstream is not
// preferred, and for archives of charts, which follow the locks.
func (m *renderedMerge) staysDeleted(p string) bool {
	_, isInput := m.inputs[p]
	return isPlain(p) && (isInput && path.Ext(p) == ".tgz" || m.opts.Prefer != merge.Upstream && m.opts.Prefer != "")
}

// withoutDeleted removes files for which wanted is true that were deleted in l and not changed upstream.
func withoutDeleted(o, u, l pkgtree.Tree, wanted func(string) bool) (pkgtree.Tree, pkgtree.Tree, error) {
	gone := map[string]*pkgtree.Blob{}
	for p := range pick(o, wanted) {
		if l.Blob(p) == nil && o.Blob(p).Equal(u.Blob(p)) {
			gone[p] = nil
		}
	}
	o, err := put(o, gone)
	if err == nil {
		u, err = put(u, gone)
	}
	return o, u, err
}

// isPlain reports whether a file merges as a whole.
func isPlain(p string) bool { return !isYAML(p) && !isKptfile(p) }

func isYAML(p string) bool {
	ext := path.Ext(p)
	return ext == ".yaml" || ext == ".yml"
}

// withMarkedContexts adds marks to the package contexts of a tree. Get adds none to them.
func withMarkedContexts(tree pkgtree.Tree) (pkgtree.Tree, error) {
	contexts, err := put(pkgtree.Tree{}, pick(tree, isContext))
	if err != nil {
		return tree, err
	}
	return put(tree, pick(merge.AddMarks(contexts), every))
}

// withoutRenderedMarks removes the marks from files with objects that functions rendered, from a chart for example, if the file is
// otherwise that of one of the sides: Get adds none to what is rendered later.
func withoutRenderedMarks(merged pkgtree.Tree, sides ...pkgtree.Tree) (pkgtree.Tree, error) {
	changes := map[string]*pkgtree.Blob{}
	for p, b := range merged.All() {
		if !isYAML(p) || !holds(b, fn.RenderedFrom) {
			continue
		}
		for _, side := range sides {
			alone, err := put(pkgtree.Tree{}, map[string]*pkgtree.Blob{p: side.Blob(p)})
			if err != nil {
				return merged, err
			}
			if changes[p] == nil && b.Equal(merge.AddMarks(alone).Blob(p)) {
				changes[p] = side.Blob(p)
			}
		}
		if changes[p] == nil {
			delete(changes, p)
		}
	}
	return put(merged, changes)
}

func isContext(p string) bool { return path.Base(p) == ContextFile }

// withoutContextMarks removes the marks from package contexts that did not change otherwise: Get adds none
// to them.
func withoutContextMarks(ours, merged pkgtree.Tree) (pkgtree.Tree, error) {
	before := pick(ours, func(p string) bool { return isContext(p) && !ours.Blob(p).Equal(merged.Blob(p)) })
	for p, b := range before {
		alone, err := put(pkgtree.Tree{}, map[string]*pkgtree.Blob{p: b})
		if err != nil {
			return merged, err
		}
		if !merge.AddMarks(alone).Blob(p).Equal(merged.Blob(p)) {
			delete(before, p)
		}
	}
	return put(merged, before)
}
