package bundling

// limits bound one work.
type limits struct {
	size    int // bytes as KubeStellar counts them
	encoded int // bytes as an OCM hub counts them
	objects int
}

// room is what is in a work already.
type room struct{ size, encoded, objects int }

// admits reports whether an object of that JSON length may join r: it must not bring the work to
// size, nor past one of the other limits. An empty work admits anything, so that no work stays
// empty, and what alone is too large (see tooLarge) has a work to itself.
func (l limits) admits(r room, length int) bool {
	full := r.size+countedSize(length) >= l.size || r.encoded+encodedSize(length) > l.encoded || r.objects == l.objects
	return r.objects == 0 || !full
}

func (r room) with(length int) room {
	return room{r.size + countedSize(length), r.encoded + encodedSize(length), r.objects + 1}
}

// cut numbers works from 0 and says which one each object of the given JSON lengths goes to, in
// order: a work that does not admit the next object is closed.
func (l limits) cut(lengths []int) []int {
	numbers, number, open := make([]int, len(lengths)), 0, room{}
	for i, n := range lengths {
		if !l.admits(open, n) {
			number, open = number+1, room{}
		}
		numbers[i], open = number, open.with(n)
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
