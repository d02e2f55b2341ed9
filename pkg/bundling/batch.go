package bundling

// limits bound one work.
type limits struct {
	size    int // bytes as KubeStellar counts them
	encoded int // bytes as an OCM hub counts them
	objects int
}

// cut divides objects of the given JSON lengths, in order, into batches, and returns where each
// batch ends. A batch is closed when the next object would bring it to size or past one of the
// other limits; an open batch without objects is never closed, so no batch is empty, and an object
// that alone is too large (see tooLarge) has a batch to itself.
func (l limits) cut(lengths []int) (ends []int) {
	var size, encoded, objects int
	for i, n := range lengths {
		full := size+countedSize(n) >= l.size || encoded+encodedSize(n) > l.encoded || objects == l.objects
		if full && objects > 0 {
			ends = append(ends, i)
			size, encoded, objects = 0, 0, 0
		}
		size, encoded, objects = size+countedSize(n), encoded+encodedSize(n), objects+1
	}
	if objects > 0 {
		ends = append(ends, len(lengths))
	}
	return ends
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
