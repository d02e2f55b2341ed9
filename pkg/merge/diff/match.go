package diff

import (
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// entry is a document and its file.
type entry struct {
	*document.Document
	file     string
	stripped bool   // strip was called
	removed  string // what strip removed
}

// readEntries reads the documents of a file; none if it does not exist.
func readEntries(file string, b *pkgtree.Blob) ([]*entry, error) {
	docs, err := document.Read(file, b)
	if err != nil {
		return nil, err
	}
	out := make([]*entry, len(docs))
	for i, d := range docs {
		if d.Object != nil {
			d.ID = document.IdentityOf(d.Object)
		}
		out[i] = &entry{Document: d, file: file}
	}
	return out, nil
}

func (s *entry) change(kind Kind) Change {
	return Change{File: s.file, Object: s.Object.ID(), Kind: kind}
}

// objectPair is one object on both sides.
type objectPair struct{ from, to *entry }

// matchInFile matches the objects of one file: by the names in their marks, and the rest by their own names,
// since a user may have removed a mark. Objects with equal names are matched in their order. The one Kptfile of
// a package matches whatever its name.
func matchInFile(file string, from, to []*entry) (both []objectPair, gone, fresh []*entry) {
	gone, fresh = withObject(from), withObject(to)
	if document.IsKptfile(file) && len(gone) == 1 && len(fresh) == 1 {
		return []objectPair{{gone[0], fresh[0]}}, nil, nil
	}
	both, gone, fresh = pair(gone, fresh, func(s *entry) (document.Identity, bool) { return s.ID, true })
	more, gone, fresh := pair(gone, fresh, func(s *entry) (krm.ID, bool) { return s.Object.ID(), true })
	return append(both, more...), gone, fresh
}

func withObject(docs []*entry) (out []*entry) {
	for _, d := range docs {
		if d.Object != nil {
			out = append(out, d)
		}
	}
	return out
}

// pair pairs entries of one key in their order. It also returns those left over on either side.
func pair[K comparable](from, to []*entry, key func(*entry) (K, bool)) (both []objectPair, gone, fresh []*entry) {
	by := map[K][]*entry{}
	for _, f := range from {
		if k, ok := key(f); ok {
			by[k] = append(by[k], f)
		}
	}
	paired := map[*entry]bool{}
	for _, t := range to {
		k, ok := key(t)
		if !ok || len(by[k]) == 0 {
			fresh = append(fresh, t)
			continue
		}
		both = append(both, objectPair{by[k][0], t})
		paired[by[k][0]], by[k] = true, by[k][1:]
	}
	for _, f := range from {
		if !paired[f] {
			gone = append(gone, f)
		}
	}
	return both, gone, fresh
}
