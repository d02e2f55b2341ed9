package previous

import (
	"bytes"
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/parallel"
)

// sample is the text of a work that was read. The works of a Binding on many clusters differ in a few places: a manifest with the text
// of one in the sample has the same identity, so its lines need not be read.
type sample struct {
	text    []byte // of all manifests
	ends    []int  // of each in text
	holding *holding
}

// item is the text of a manifest.
func (k *sample) item(i int) []byte {
	if i == 0 {
		return k.text[:k.ends[0]]
	}
	return k.text[k.ends[i-1]:k.ends[i]]
}

// scan appends the identities of the manifests in text, which are all of a work, to ids, and where they end to ends. It returns false if
// the text needs a parser.
func (k *sample) scan(text []byte, ids []krm.ID, ends []int) (_ []krm.ID, _ []int, ok bool) {
	start := 0
	for at := 0; bytes.HasPrefix(text[start:], []byte(itemStart)); at++ {
		var id krm.ID
		length := k.length(at, text[start:])
		if length > 0 {
			id = k.holding.ids[at]
		} else if id, length, ok = scanItem(text[start:]); ok {
			at = k.place(id, at)
		} else {
			return ids, ends, false
		}
		start += length
		ids, ends = append(ids, id), append(ends, start)
	}
	return ids, ends, len(ids) > 0 && isAfterManifests(text[start:])
}

// length is that of the text of manifest at in the sample, if text begins with it and with nothing that belongs to it; else 0.
func (k *sample) length(at int, text []byte) int {
	if at >= len(k.ends) {
		return 0
	}
	rest, same := bytes.CutPrefix(text, k.item(at))
	if !same || len(rest) > 0 && !beginsOther(rest) {
		return 0
	}
	return len(text) - len(rest)
}

// place is where the sample has a manifest with that identity, which is probably at; else at.
func (k *sample) place(id krm.ID, at int) int {
	if k.holding == nil || at < len(k.holding.ids) && k.holding.ids[at] == id {
		return at
	}
	if i := slices.Index(k.holding.ids, id); i >= 0 {
		return i
	}
	return at
}

// reader reads works one after the other.
type reader struct {
	*holdings
	samples map[string]*sample // by the name of the work, which is the same on all clusters
	ids     []krm.ID           // buffers
	ends    []int
}

// mostSamples bounds the memory of a reader. To make a sample again costs little.
const mostSamples = 100

func (r *reader) read(work *krm.Object) (h *holding) {
	work.LazyView(func(spec []byte) {
		if text, ok := manifestsIn(spec); ok {
			h = r.scan(work, text)
		}
	})
	if h == nil {
		h = r.shared(newHolding(work, parsedIDs(work)))
	}
	return h
}

// scan is read without a parser; nil if that is not possible.
func (r *reader) scan(work *krm.Object, text []byte) *holding {
	name := work.Name()
	like := r.samples[name]
	if like == nil {
		like = &sample{}
	}
	var ok bool
	if r.ids, r.ends, ok = like.scan(text, r.ids[:0], r.ends[:0]); !ok {
		return nil
	}
	h := newHolding(work, r.ids)
	if like.holding != nil && like.holding.equals(h) {
		return like.holding
	}
	if len(r.samples) >= mostSamples {
		clear(r.samples)
	}
	next := &sample{slices.Clone(text[:r.ends[len(r.ends)-1]]), slices.Clone(r.ends), r.shared(h)}
	r.samples[name] = next
	return next.holding
}

// readAll reads works on all processors.
func readAll(works []*krm.Object) []*holding {
	const batches = 64 // each needs samples of its own
	out, known := make([]*holding, len(works)), newHoldings()
	size := len(works)/batches + 1
	parallel.For((len(works)+size-1)/size, func(batch int) {
		r := reader{holdings: known, samples: map[string]*sample{}}
		for i := batch * size; i < min(len(works), (batch+1)*size); i++ {
			out[i] = r.read(works[i])
		}
	})
	return out
}
