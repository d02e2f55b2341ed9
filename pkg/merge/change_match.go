package merge

import (
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// standing is a document where it stands.
type standing struct {
	*document
	file string
	bare bool   // object is without what is no change
	left string // what was taken out of it
}

// readStanding reads the documents of a file; there are none where there is no file.
func readStanding(file string, b *pkgtree.Blob) ([]*standing, error) {
	docs, err := parseDocuments(file, b)
	if err != nil {
		return nil, err
	}
	out := make([]*standing, len(docs))
	for i, d := range docs {
		if d.object != nil {
			d.id = identify(d.object)
		}
		out[i] = &standing{document: d, file: file}
	}
	return out, nil
}

func (s *standing) change(kind ChangeKind) Change {
	return Change{File: s.file, Object: s.object.ID(), Kind: kind}
}

// twoObjects is one object on both sides.
type twoObjects struct{ from, to *standing }

// matchInFile matches the objects of one file: by the names in their marks, and those that are left by
// their own, for somebody may have dropped a mark. Of objects that have all names in common the first
// is matched with the first. A package has one Kptfile, whatever its name.
func matchInFile(file string, from, to []*standing) (both []twoObjects, gone, fresh []*standing) {
	gone, fresh = withObject(from), withObject(to)
	if isKptfile(file) && len(gone) == 1 && len(fresh) == 1 {
		return []twoObjects{{gone[0], fresh[0]}}, nil, nil
	}
	both, gone, fresh = pairUp(gone, fresh, func(s *standing) (identity, bool) { return s.id, true })
	more, gone, fresh := pairUp(gone, fresh, func(s *standing) (krm.ID, bool) { return s.object.ID(), true })
	return append(both, more...), gone, fresh
}

func withObject(docs []*standing) (out []*standing) {
	for _, d := range docs {
		if d.object != nil {
			out = append(out, d)
		}
	}
	return out
}

// pairUp pairs those of one key in their order, and returns the others, and those that have none.
func pairUp[K comparable](from, to []*standing, key func(*standing) (K, bool)) (both []twoObjects, gone, fresh []*standing) {
	by := map[K][]*standing{}
	for _, f := range from {
		if k, ok := key(f); ok {
			by[k] = append(by[k], f)
		}
	}
	paired := map[*standing]bool{}
	for _, t := range to {
		k, ok := key(t)
		if !ok || len(by[k]) == 0 {
			fresh = append(fresh, t)
			continue
		}
		both = append(both, twoObjects{by[k][0], t})
		paired[by[k][0]], by[k] = true, by[k][1:]
	}
	for _, f := range from {
		if !paired[f] {
			gone = append(gone, f)
		}
	}
	return both, gone, fresh
}
