// Package memo caches the output of functions, so that a function need not run again on the same
// input.
//
// Shape: a Cache is a folder of entries, each under the digest of a function's identity and its
// input; Wrap puts it before a Runner. It keeps the text that the function printed:
// cached and new output are processed in the same way, so both give the same bytes.
// Only the output of functions with an identity is kept, only if they succeeded,
// and never if it or the input may hold a Secret. Entries hold other parts of rendered packages, and only
// their owner may read them.
// Processes share the folder without locks: entries appear complete, by renaming, and are never changed. An
// entry is used only if its digest is valid. With Share, machines share entries, too: a Cache asks a Shared for what its
// folder lacks, and gives it what functions printed. There the key has the digest of this program, not its place on disk.
// Cost: a hit is one encoding of the items, one read of the output, a digest of both, and one parse of
// the items that changed. The folder is kept below a limit; entries that were used least recently are removed first.
// Errors: none. A folder or an entry that cannot be used counts as missing; the first error is reported.
// Source: ours; docs/decisions/0004-function-cache.md.
package memo

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/waybill-dev/waybill/pkg/diskcache"
)

// DefaultLimit is the default size limit of a Cache.
const DefaultLimit = diskcache.DefaultLimit

// Cache caches the output of functions. It is safe for concurrent use; nil keeps nothing.
type Cache struct {
	folder *diskcache.Folder
	shared Shared // nil for none
	valid  func(data []byte) bool
	asked  flight // of shared
	held   held   // of packs
	hits   atomic.Int64
	runs   atomic.Int64

	program func() string // digest of this program; "" when it is not known
}

// New makes a Cache of a folder, which it creates on first use. It keeps the folder at limit
// bytes (0 is DefaultLimit); processes that write at the same time may each exceed it by a sixteenth
// for a while. report is called with the first error that prevents writing; it may be nil.
func New(dir string, limit int64, report func(error)) *Cache {
	c := &Cache{folder: diskcache.New(dir, limit, func(err error) {
		if report != nil {
			report(fmt.Errorf("function cache %q: %w", dir, err))
		}
	})}
	c.program = sync.OnceValue(c.readProgram)
	return c
}

// Counts returns the number of runs that were answered from the cache, and of those that could have been
// and were not.
func (c *Cache) Counts() (hits, runs int) {
	if c == nil {
		return 0, 0
	}
	return int(c.hits.Load()), int(c.runs.Load())
}

// lookUp returns the answer under k, nil when there is none. An answer of another machine must be valid.
func (c *Cache) lookUp(k keys, valid func([]byte) bool) *answer {
	if k == (keys{}) {
		return nil
	}
	if a := c.unpack(k.shared, valid); a != nil {
		return a
	}
	if a := c.read(k.local); a != nil {
		return a
	}
	return c.readShared(k, valid)
}

// read reads the folder. It removes an entry that is not valid.
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

// keep keeps an answer in the folder, and in the shared cache.
func (c *Cache) keep(k keys, a *answer) {
	if k != (keys{}) {
		c.write(k.local, a)
		c.writeShared(k.shared, a)
	}
}

// write keeps an answer, atomically, and removes old ones when the folder is full.
func (c *Cache) write(k key, a *answer) {
	if a.size() <= c.folder.Most() {
		c.folder.Write(k, a.head(k), a.stdout, a.stderr)
	}
}
