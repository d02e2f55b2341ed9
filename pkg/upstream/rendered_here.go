package upstream

import (
	"maps"
	"path"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// here is ours with what functions make of all that still reads as it does in base. Of what they would
// change beyond that nobody can tell whether it was edited after they ran, so it stays.
func (m *rendering) here(base, ours pkgtree.Tree) (pkgtree.Tree, error) {
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

// merge merges the three sides, and keeps out of it what is generated here.
func (m *rendering) merge(o, u, l pkgtree.Tree) (*merge.Result, error) {
	l, held, err := m.hold(o, u, l)
	if err == nil && m.opts.Prefer != merge.Upstream && m.opts.Prefer != "" {
		o, u, err = withoutDeleted(o, u, l)
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
	maps.DeleteFunc(held, func(p string, _ *pkgtree.Blob) bool { return isWithoutPackage(p, m.ours, res.Tree) })
	if res.Tree, err = put(res.Tree, held); err == nil {
		res.Tree, err = unmarked(m.ours, res.Tree)
	}
	return res, err
}

// hold takes out of l what is generated here, unless it is in the way of something of upstream's, and gives
// it as it was in ours.
func (m *rendering) hold(o, u, l pkgtree.Tree) (rest pkgtree.Tree, held map[string]*pkgtree.Blob, err error) {
	changes := pick(m.ours, func(p string) bool { return isGenerated(p, m.ours.Blob(p)) })
	held = map[string]*pkgtree.Blob{}
	for p, b := range changes {
		if o.Blob(p) == nil && u.Blob(p) == nil {
			held[p], changes[p] = b, nil
		}
	}
	rest, err = put(l, changes)
	return rest, held, err
}

// withoutDeleted leaves out plain files that are gone here and that upstream left alone.
func withoutDeleted(o, u, l pkgtree.Tree) (pkgtree.Tree, pkgtree.Tree, error) {
	gone := map[string]*pkgtree.Blob{}
	for p := range pick(o, isPlain) {
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

// withMarkedContexts puts marks on the package contexts of a tree, which getting a package leaves without.
func withMarkedContexts(tree pkgtree.Tree) (pkgtree.Tree, error) {
	contexts, err := put(pkgtree.Tree{}, pick(tree, isContext))
	if err != nil {
		return tree, err
	}
	return put(tree, pick(merge.AddMarks(contexts), every))
}

func isContext(p string) bool { return path.Base(p) == ContextFile }

// unmarked takes the marks off package contexts to which nothing else was done: getting a package puts none
// on them.
func unmarked(ours, merged pkgtree.Tree) (pkgtree.Tree, error) {
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
