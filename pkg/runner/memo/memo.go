// Package memo remembers what functions gave, so that a function that is asked the same again need
// not run.
//
// Shape: a Cache is a folder of entries, each under the digest of a function's identity and the
// bytes it is given; Wrap puts it before a Runner. What is kept is what the function printed, not
// what became of it: a known answer takes the very way of a fresh one, so both give the same bytes.
// Only functions whose identity says all there is to know are remembered, only when they succeeded,
// and never what holds a Secret. Entries hold the rest of a package as it was rendered, readable by
// their owner alone.
// Shared by processes without locks: entries appear whole, by renaming, and are never changed. An
// entry is believed only if its digest is right.
// Cost: a hit is one encode of the items, one read of the answer, a digest of both, and one parse of
// the items that changed. The folder is kept below a limit, what was used last staying longest.
// Errors: none. A folder or an entry that is no use is the same as none; the first is reported.
package memo

import (
	"fmt"
	"sync/atomic"

	"github.com/waybill-dev/waybill/pkg/diskcache"
)

// DefaultLimit is how much a Cache holds when nobody said.
const DefaultLimit = diskcache.DefaultLimit

// Cache remembers what functions gave. It is safe for concurrent use; nil remembers nothing.
type Cache struct {
	folder *diskcache.Folder
	hits   atomic.Int64
	runs   atomic.Int64
}

// New makes a Cache of a folder, which it makes when it first needs it. It keeps the folder at limit
// bytes (0 is DefaultLimit); processes that write at the same time may each add a sixteenth of it
// for a while. report is told the first thing that keeps it from remembering; it may be nil.
func New(dir string, limit int64, report func(error)) *Cache {
	return &Cache{folder: diskcache.New(dir, limit, func(err error) {
		if report != nil {
			report(fmt.Errorf("function cache %q: %w", dir, err))
		}
	})}
}

// Counts tells how many runs were answered from the cache, and how many were not although they
// could have been.
func (c *Cache) Counts() (hits, runs int) {
	if c == nil {
		return 0, 0
	}
	return int(c.hits.Load()), int(c.runs.Load())
}

// read returns the answer under k, nil when there is none. It removes an entry that is not valid.
func (c *Cache) read(k key) *answer {
	data := c.folder.Read(k)
	if data == nil {
		return nil
	}
	a := readEntry(k, data)
	if a == nil {
		c.folder.Remove(k)
		return nil
	}
	c.folder.Used(k)
	return a
}

// write keeps an answer, atomically, and removes old ones when the cache is full.
func (c *Cache) write(k key, a *answer) {
	if a.size() <= c.folder.Most() {
		c.folder.Write(k, a.head(k), a.stdout, a.stderr)
	}
}
