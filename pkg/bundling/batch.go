package bundling

// limits bound one work.
type limits struct {
	size    int // bytes as KubeStellar counts them
	encoded int // bytes as an OCM hub counts them
	objects int
}

// What a hub stores of a work is bounded as well: by default etcd takes requests of 1.5 MiB. Neither
// KubeStellar nor OCM counts what a work says about its objects, which can be ten times the size of
// a small object; so a work that says something is closed before it passes maxSent as it is sent, in
// compact JSON. The rest up to 1.5 MiB is for what the hub adds: managed fields, status.
const (
	maxSent    = 1_000_000
	aroundWork = 2_000 // kind, metadata and brackets: names and labels are bounded
)

// weight is what one object adds to a work, in bytes of compact JSON.
type weight struct {
	object int
	config int // what the work says about it; 0 for nothing
}

func (w weight) sent() int {
	const commas = 2
	return w.object + w.config + commas
}

// room is what is in a work already.
type room struct {
	size, encoded, objects int

	sent   int
	speaks bool // says something about an object
}

// admits reports whether an object of that weight may join r: it must not bring the work to
// size, nor past one of the other limits. An empty work admits anything, so that no work stays
// empty, and what alone is too large (see tooLarge) has a work to itself.
func (l limits) admits(r room, w weight) bool {
	then := r.with(w)
	full := then.size >= l.size || then.encoded > l.encoded || then.objects > l.objects
	return r.objects == 0 || !full && !(then.speaks && then.sent+aroundWork > maxSent)
}

func (r room) with(w weight) room {
	return room{
		size: r.size + countedSize(w.object), encoded: r.encoded + encodedSize(w.object), objects: r.objects + 1,
		sent: r.sent + w.sent(), speaks: r.speaks || w.config > 0,
	}
}

// cut numbers works from 0 and says which one each object of the given weights goes to, in
// order: a work that does not admit the next object is closed.
func (l limits) cut(weights []weight) []int {
	numbers, number, open := make([]int, len(weights)), 0, room{}
	for i, w := range weights {
		if !l.admits(open, w) {
			number, open = number+1, room{}
		}
		numbers[i], open = number, open.with(w)
	}
	return numbers
}

// tooLarge says which limit an object of that JSON length passes on its own: its size by the
// measure of that limit, the limit, and the option that sets it. An empty option means it fits.
func (l limits) tooLarge(length int) (size, limit int, option string) {
	if n := countedSize(length); n > l.size {
		return n, l.size, "maxSize"
	}
	if n := encodedSize(length); n > l.encoded {
		return n, l.encoded, "manifestLimit"
	}
	return 0, 0, ""
}
