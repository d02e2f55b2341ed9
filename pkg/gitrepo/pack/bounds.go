package pack

import (
	"cmp"
	"fmt"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
	"github.com/waybill-dev/waybill/pkg/memlimit"
)

// Bounds are the most that is taken from a remote in one conversation. They are checked while
// data arrives: what a server sends beyond them is never held. Zero fields mean the defaults.
// For a whole history, which a Repo wants and some servers send in any case, Pack, Objects and
// Total are eight times as large. The defaults follow the memory that this process may use: all objects of a commit take at
// most an eighth of it, those of a history a quarter, and one object a sixteenth.
type Bounds struct {
	Refs    int64 // bytes of the list of refs: 64 MiB
	Pack    int64 // bytes of a pack, as sent: 512 MiB
	Objects int   // objects in a pack: one million
	Object  int64 // bytes of one object, unpacked: 128 MiB
	Total   int64 // bytes of all objects, as they are held: 1 GiB. Blobs of more than 1 MiB are held packed
	// Views is for bytes of all objects that views of this process hold together: five eighths of the memory. Only packs that
	// take more than a 64th of Total are held to it, one at a time.
	Views int64
	Work  int64 // bytes that are unpacked to name the objects, held or not: 16 GiB
	// Silence is how long the connection may be idle before the conversation ends with an error: one minute, ten times that for a
	// push. A transfer that is slow and steady goes on, until Timeout.
	Silence time.Duration
	// Timeout is how long a conversation may take as a whole: 30 minutes.
	Timeout time.Duration
}

// WithDefaults fills in the bounds that are not set.
func (b Bounds) WithDefaults() Bounds {
	or := func(n *int64, standard int64) {
		if *n <= 0 {
			*n = standard
		}
	}
	or(&b.Refs, 64<<20)
	memory := memlimit.Bytes()
	or(&b.Pack, 512<<20)
	or(&b.Object, min(128<<20, memory/16))
	or(&b.Total, min(1<<30, memory/8))
	or(&b.Views, memory/8*5)
	or(&b.Work, 16<<30)
	b.Silence = cmp.Or(max(b.Silence, 0), time.Minute)
	b.Timeout = cmp.Or(max(b.Timeout, 0), 30*time.Minute)
	if b.Objects <= 0 {
		b.Objects = 1_000_000
	}
	return b
}

// ForHistory are the bounds where all of a repository's history is wanted, and not one commit.
func (b Bounds) ForHistory() Bounds {
	const versions = 8
	b = b.WithDefaults()
	b.Pack, b.Objects = b.Pack*versions, b.Objects*versions
	b.Total = min(b.Total*versions, max(b.Total, memlimit.Bytes()/4))
	return b
}

// String lists the bounds on the size of a repository: the same text for the same sizes.
func (b Bounds) String() string {
	b = b.ForHistory()
	return fmt.Sprintf("%d bytes, %d objects, %d bytes an object, %d bytes packed, %d bytes unpacked", b.Total, b.Objects,
		b.Object, b.Pack, b.Work)
}

// BoundsError says that a remote sends more than is taken from it.
type BoundsError struct {
	What  string // what there is too much of
	Limit int64
	// Shared says that other repositories take their part, so that there may be room later.
	Shared bool
}

func (e *BoundsError) Error() string { return fmt.Sprintf("more than %d %s", e.Limit, e.What) }

// Error says that the server sent objects that are not accepted: broken, cut short, or more than the Bounds allow, which is
// a *BoundsError within.
type Error struct {
	URL string
	Err error
	// Refs is a digest of the refs that the remote showed, where a Repo asked for all of them: while it shows the same
	// ones, and the bounds are the same, it sends the same pack.
	Refs string
}

func (e *Error) Error() string {
	return fmt.Sprintf("repository %q sends a pack that is refused: %s", e.URL, gitcmd.OneLine(e.Err.Error()))
}
func (e *Error) Unwrap() error { return e.Err }
