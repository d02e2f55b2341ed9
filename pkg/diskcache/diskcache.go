// Package diskcache keeps entries in a folder that processes share, without locks.
//
// Shape: a Folder holds bytes under Keys, which are digests. Entries appear whole, by renaming, and are
// never changed; what was not used for longest goes when the folder passes its limit. It promises
// nothing of what is in an entry: after a crash of the machine one may be cut short, and who may write
// to the folder may write anything. Whoever reads an entry checks it, and removes one that is no good.
// The folder is made for its owner alone, and is not used when others may write to it. No link leads
// out of it.
// Cost: an entry is one file; a write is one file and one renaming; making room is a look at every
// entry, done when the limit is passed and now and then for what other processes wrote.
// Errors: none. A folder that is no use is the same as an empty one; the first trouble is reported.
package diskcache

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"sync"
)

// DefaultLimit is how much a Folder holds when nobody said.
const DefaultLimit = 1 << 30

// Key is the digest of all that an entry depends on.
type Key [sha256.Size]byte

// File is where the entry of k is, in a folder of its own first byte: few files per folder.
func (k Key) File() (folder, name string) {
	text := hex.EncodeToString(k[:])
	return text[:2], text[:2] + "/" + text[2:]
}

// Folder is a folder of entries. It is safe for concurrent use.
type Folder struct {
	dir    string
	limit  int64
	report func(error)

	open     func() *os.Root // nil when the folder is no use
	once     sync.Once       // around report
	keeping  sync.Mutex
	held     int64 // bytes in the folder, as far as we know; those of other processes show later
	unlooked int64 // bytes written since we looked
	looked   bool
}

// New makes a Folder of dir, which it makes when it first needs it. It keeps the folder at limit bytes
// (0 is DefaultLimit); processes that write at the same time may each add a sixteenth of it for a
// while. report is told the first thing that keeps it from keeping; it may be nil.
func New(dir string, limit int64, report func(error)) *Folder {
	if limit <= 0 {
		limit = DefaultLimit
	}
	f := &Folder{dir: dir, limit: limit, report: report}
	f.open = sync.OnceValue(f.openFolder)
	return f
}

// Most is the size of the largest entry that is kept: one must not push out everything else.
func (f *Folder) Most() int64 { return f.limit / 4 }

func (f *Folder) tell(err error) {
	f.once.Do(func() {
		if f.report != nil {
			f.report(err)
		}
	})
}
