// Package diskcache keeps entries in a folder that processes share, without locks.
//
// Shape: a Folder holds bytes under Keys, which are digests. Entries appear whole, by renaming, and are
// never changed; the least recently used are removed when the folder exceeds its limit. The content of an entry is not
// guaranteed: after a crash of the machine one may be truncated, and any process of the owner may write to the folder. The
// reader checks an entry, and removes a bad one. Only the owner has access to the folder, and it is not used when others
// may write to it. No link leads out of it.
// Cost: an entry is one file; a write is one file and one renaming; making room reads the size of every entry, when the
// limit is exceeded and from time to time for entries of other processes.
// Errors: none. A folder that cannot be used counts as empty; the first error is reported.
// Source: ours.
package diskcache

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"sync"
)

// DefaultLimit is how much a Folder holds by default.
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

	open      func() *os.Root // nil when the folder cannot be used
	once      sync.Once       // for report
	keeping   sync.Mutex
	held      int64 // bytes in the folder, without those that other processes wrote since the last scan
	unscanned int64 // bytes written since the last scan
	scanned   bool
}

// New makes a Folder of dir, which is created on first use. The folder holds at most limit bytes (0 is DefaultLimit);
// processes that write at the same time may each add a sixteenth of it for a while. report, which may be nil, gets the
// first error.
func New(dir string, limit int64, report func(error)) *Folder {
	if limit <= 0 {
		limit = DefaultLimit
	}
	f := &Folder{dir: dir, limit: limit, report: report}
	f.open = sync.OnceValue(f.openFolder)
	return f
}

// Most is the size of the largest entry that is stored: one must not evict all others.
func (f *Folder) Most() int64 { return f.limit / 4 }

func (f *Folder) reportOnce(err error) {
	f.once.Do(func() {
		if f.report != nil {
			f.report(err)
		}
	})
}
