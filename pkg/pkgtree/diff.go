package pkgtree

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/parallel"
)

// Diff returns the paths whose bytes differ between t and u, or that only one of them has, sorted.
func (t Tree) Diff(u Tree) []string {
	var out, alike []string
	for p, b := range t.files {
		switch o := u.files[p]; {
		case b == o:
		case o == nil || b.size != o.size:
			out = append(out, p)
		default:
			alike = append(alike, p)
		}
	}
	out = append(out, t.unequal(alike, u)...)
	for p := range u.files {
		if t.files[p] == nil {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// unequal are those of paths whose bytes differ between t and u. It compares many on all processors.
func (t Tree) unequal(paths []string, u Tree) (out []string) {
	differ := make([]bool, len(paths))
	compare := func(i int) { differ[i] = !t.files[paths[i]].Equal(u.files[paths[i]]) }
	if len(paths) >= 2*partSize {
		parallel.For(len(paths), compare)
	} else {
		for i := range paths {
			compare(i)
		}
	}
	for i, p := range paths {
		if differ[i] {
			out = append(out, p)
		}
	}
	return out
}
