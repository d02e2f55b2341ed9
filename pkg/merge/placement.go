package merge

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/merge/document"
)

// place puts the documents that upstream added among those of ours, which keep their order: each behind the document that it
// follows upstream, those that nothing precedes there at the beginning, and those that nothing follows there at the end. Documents
// of upstream that ours does not have do not count. A header stays first.
func place(here, theirs, added []*document.Document) []*document.Document {
	if len(added) == 0 {
		return here
	}
	present := make(map[document.Identity]*document.Document, len(here))
	for _, d := range here {
		if d.Object != nil {
			present[d.ID] = d
		}
	}
	var front, rest []*document.Document
	behind := map[*document.Document][]*document.Document{}
	var before *document.Document // the last one of upstream so far that ours has
	for _, d := range theirs {
		switch {
		case len(added) > 0 && d == added[0]:
			rest, added = append(rest, d), added[1:]
		case d.Object != nil && present[d.ID] != nil: // the rest does not belong at the end
			if before == nil {
				front = rest
			} else {
				behind[before] = append(behind[before], rest...)
			}
			rest, before = nil, present[d.ID]
		}
	}
	out := make([]*document.Document, 0, len(here)+len(front)+len(rest))
	for _, d := range here {
		out = append(append(out, d), behind[d]...)
	}
	at := 0
	if len(here) > 0 && here[0].Object == nil {
		at = 1
	}
	return append(slices.Insert(out, at, front...), rest...)
}
