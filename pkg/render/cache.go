package render

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"path"
	"slices"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render/load"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// Cache keeps whole renders for Options.Cache. Get returns the bytes that Put was given for a key, or nil.
// A key covers all that a render depends on, except for the code of this package.
type Cache interface {
	Get(key Key) []byte
	Put(key Key, data []byte)
	// Private reports whether a package that holds this text must not be kept.
	Private(text []byte) bool
}

// maxCached bounds the bytes of changed files of a render that is kept. To read
// more back takes as long as to render again.
const maxCached = 16 << 20

// cacheEntry is a render that may be in the cache. It is the same for a package under any name.
type cacheEntry struct {
	cache  Cache
	key    Key
	root   *load.Package
	events []Event
}

// Key is the digest of all that a render depends on. The name of the package is only for messages.
type Key = [sha256.Size]byte

// cacheEntry is nil when there is no cache, or when not all that a render of tree depends on is known.
func (r *renderer) cacheEntry(ctx context.Context, tree pkgtree.Tree, root *load.Package) *cacheEntry {
	if r.opts.Cache == nil || r.opts.Trace {
		return nil
	}
	e := &cacheEntry{cache: r.opts.Cache, root: root}
	if r.opts.Key != nil {
		e.key = *r.opts.Key
		return e
	}
	h := sha256.New()
	write(h, "render 3")
	if !r.identify(ctx, h, root) {
		return nil
	}
	if !writeFiles(h, r.opts.Cache, tree) {
		return nil
	}
	h.Sum(e.key[:0])
	return e
}

// identify writes the identities of the functions of p and below, and reports whether all have one.
func (r *renderer) identify(ctx context.Context, h hash.Hash, p *load.Package) bool {
	for _, f := range p.Functions() {
		if f.Exec != "" || f.Tag != "" {
			return false
		}
		run, err := r.opts.Functions.Prepare(ctx, &f)
		if err != nil { // the render reports it
			return false
		}
		known, ok := run.(runner.Identified)
		if !ok || known.Identity() == "" {
			return false
		}
		write(h, known.Identity())
	}
	return !slices.ContainsFunc(p.Subs, func(s *load.Package) bool { return !r.identify(ctx, h, s) })
}

// write writes each text behind its length, so that different texts never write the same bytes.
func write(h io.Writer, texts ...string) {
	for _, t := range texts {
		writeBytes(h, []byte(t))
	}
}

func writeBytes(h io.Writer, data []byte) {
	var length [8]byte
	binary.BigEndian.PutUint64(length[:], uint64(len(data)))
	_, _ = h.Write(length[:]) // no hash fails
	_, _ = h.Write(data)
}

// restore fills r's result from the cache and replays the events. It reports whether the cache has the render.
func (e *cacheEntry) restore(r *renderer, tree pkgtree.Tree) bool {
	if e == nil {
		return false
	}
	rec, changes := decodeRecord(e.cache.Get(e.key))
	if rec == nil {
		return false
	}
	rec.rename(func(dir string) string { return path.Join(e.root.Name, dir) })
	after, err := tree.Apply(changes)
	if err != nil {
		return false
	}
	r.result.Tree, r.result.Steps, r.result.Packages, r.result.Cached = after, rec.Steps, rec.Packages, true
	for _, event := range rec.events() {
		r.observe(event)
	}
	return true
}

// observe keeps the events of r.
func (e *cacheEntry) observe(r *renderer) {
	if e == nil {
		return
	}
	next := r.opts.Observe
	r.opts.Observe = func(event Event) {
		if e.events = append(e.events, event); next != nil {
			next(event)
		}
	}
}

// store puts the result of a successful render into the cache.
func (e *cacheEntry) store(tree pkgtree.Tree, result *Result) {
	if e == nil || slices.ContainsFunc(result.Steps, func(s Step) bool { return s.Outside }) {
		return
	}
	changed, size := tree.Diff(result.Tree), 0
	for _, p := range changed {
		if b := result.Tree.Blob(p); b != nil {
			size += b.Size()
		}
	}
	if size > maxCached {
		return
	}
	changes := make(map[string][]byte, len(changed))
	for _, p := range changed {
		changes[p], _ = result.Tree.Get(p)
	}
	rec, dirs := recordOf(e.events, result), map[string]string{}
	for _, p := range e.root.All() {
		dirs[p.Name] = p.Dir
	}
	rec.rename(func(name string) string { return dirs[name] })
	if data := encodeRecord(rec, changes); data != nil && !e.cache.Private(data) {
		e.cache.Put(e.key, data)
	}
}
