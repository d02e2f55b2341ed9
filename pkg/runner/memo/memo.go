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
	"os"
	"sync"
	"sync/atomic"
)

// DefaultLimit is how much a Cache holds when nobody said.
const DefaultLimit = 1 << 30

// Cache remembers what functions gave. It is safe for concurrent use; nil remembers nothing.
type Cache struct {
	dir    string
	limit  int64
	report func(error)

	open     func() *os.Root // nil when the folder is no use
	once     sync.Once       // around report
	keeping  sync.Mutex
	held     int64 // bytes in the folder, as far as we know; those of other processes show later
	unlooked int64 // bytes written since we looked
	looked   bool
	hits     atomic.Int64
	runs     atomic.Int64
}

// New makes a Cache of a folder, which it makes when it first needs it. It keeps the folder at limit
// bytes (0 is DefaultLimit); processes that write at the same time may each add a sixteenth of it
// for a while. report is told the first thing that keeps it from remembering; it may be nil.
func New(dir string, limit int64, report func(error)) *Cache {
	if limit <= 0 {
		limit = DefaultLimit
	}
	c := &Cache{dir: dir, limit: limit, report: report}
	c.open = sync.OnceValue(c.openFolder)
	return c
}

// Counts tells how many runs were answered from the cache, and how many were not although they
// could have been.
func (c *Cache) Counts() (hits, runs int) {
	if c == nil {
		return 0, 0
	}
	return int(c.hits.Load()), int(c.runs.Load())
}

func (c *Cache) tell(err error) {
	c.once.Do(func() {
		if c.report != nil {
			c.report(fmt.Errorf("function cache %q: %w", c.dir, err))
		}
	})
}
