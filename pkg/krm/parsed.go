package krm

import "sync"

// mostParsed is the size of the text of all objects that a Parsed keeps. The objects take about ten times that. A value
// counts as at least bytesParsed.
const (
	mostParsed  = 8 << 20
	bytesParsed = 16
)

// Parsed caches parsed objects for callers that read the same text again: a package through several
// steps, or many similar packages. Its results equal freshly read ones, and belong to the caller. It
// may be used by many goroutines at once. The zero Parsed is ready to use; a nil one keeps nothing.
type Parsed struct {
	mu    sync.Mutex
	files map[[20]byte][]*Object // never changed, only copied
	bytes int
}

// Read is read, which parses a text, unless text with this id was read before. id is Git's hash of
// the text, which has length bytes. Errors are not kept, nor objects with a lazy field.
func (p *Parsed) Read(file string, id [20]byte, length int, read func() ([]*Object, error)) ([]*Object, error) {
	if p == nil {
		return read()
	}
	p.mu.Lock()
	kept, known := p.files[id]
	p.mu.Unlock()
	if known {
		return CopiesFor(kept, file), nil
	}
	objs, err := read()
	if err != nil {
		return objs, err
	}
	for _, o := range objs {
		if o.rest != nil {
			return objs, nil
		}
	}
	if size := max(length, bytesParsed*Values(objs)); size <= mostParsed {
		p.keep(id, size, CopiesFor(objs, file))
	}
	return objs, nil
}

// keep stores objects. It empties the cache when there are too many: objects still in use are stored again.
func (p *Parsed) keep(id [20]byte, size int, objs []*Object) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.files == nil || p.bytes+size > mostParsed {
		p.files, p.bytes = map[[20]byte][]*Object{}, 0
	}
	if _, known := p.files[id]; !known {
		p.files[id] = objs
		p.bytes += size
	}
}

// CopiesFor are copies of objects as if they had just been read from file.
func CopiesFor(objs []*Object, file string) []*Object {
	out := make([]*Object, len(objs))
	for i, o := range objs {
		c := *o
		c.doc, c.known, c.origin, c.Source.File = CopyNode(o.doc), nil, new(struct{ _ byte }), file
		out[i] = &c
	}
	return out
}
