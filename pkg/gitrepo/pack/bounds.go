package pack

import (
	"cmp"
	"fmt"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
	"github.com/waybill-dev/waybill/pkg/memlimit"
)

// Bounds limit what one conversation accepts from a remote. They are checked while data arrives, so that
// excess data is never stored. Zero fields mean the defaults. For a whole history, which a Repo needs and
// some servers always send, Pack, Objects and Total are eight times as large. The defaults follow the
// memory limit of this process: all objects of a commit take at most an eighth of it, those of a history a
// quarter, and one object a sixteenth.
type Bounds struct {
	Refs    int64 // bytes of the list of refs: 64 MiB
	Pack    int64 // bytes of a pack, as sent: 512 MiB
	Objects int   // objects in a pack: one million
	Object  int64 // bytes of one object, unpacked: 128 MiB
	Total   int64 // bytes of all objects in memory: 1 GiB. Blobs of more than 16 KiB are compressed
	// Views bounds the bytes of all objects in the views of this process: five eighths of the memory. Only packs of more
	// than a 64th of Total are checked against it, one at a time.
	Views int64
	Work  int64 // bytes unpacked to compute the ids of the objects: 16 GiB
	// Silence is how long the connection may be idle before the conversation ends with an error: one minute, ten times that for a
	// push. A slow but continuous transfer may take up to Timeout.
	Silence time.Duration
	// Timeout is how long a conversation may take as a whole: 30 minutes.
	Timeout time.Duration
}

// WithDefaults returns b with defaults for the zero fields.
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

// ForHistory returns the bounds for the whole history of a repository instead of one commit.
func (b Bounds) ForHistory() Bounds {
	const versions = 8
	b = b.WithDefaults()
	b.Pack, b.Objects = b.Pack*versions, b.Objects*versions
	b.Total = min(b.Total*versions, max(b.Total, memlimit.Bytes()/4))
	return b
}

// String lists the bounds on the size of a repository; equal sizes give equal texts.
func (b Bounds) String() string {
	b = b.ForHistory()
	return fmt.Sprintf("%d bytes, %d objects, %d bytes an object, %d bytes packed, %d bytes unpacked", b.Total, b.Objects,
		b.Object, b.Pack, b.Work)
}

// BoundsError is the error for a remote that exceeds a bound.
type BoundsError struct {
	What  string // the bounded quantity
	Limit int64
	// Shared: other open repositories take a part of the memory, so that a later try may succeed.
	Shared bool
}

func (e *BoundsError) Error() string { return fmt.Sprintf("more than %d %s", e.Limit, e.What) }

// Error is the error for a pack that is refused: broken, truncated, or beyond the Bounds, with a *BoundsError inside.
type Error struct {
	URL string
	Err error
	// Refs is a digest of the refs of the remote if a Repo asked for all of them: as long as refs and bounds stay the same,
	// the remote sends the same pack.
	Refs string
}

func (e *Error) Error() string {
	return fmt.Sprintf("repository %q sends a pack that is refused: %s", e.URL, gitcmd.OneLine(e.Err.Error()))
}
func (e *Error) Unwrap() error { return e.Err }
