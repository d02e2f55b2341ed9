package gitrepo

import (
	"cmp"
	"fmt"
	"time"
)

// Bounds are the most that is taken from a remote in one conversation. They are looked at while
// data arrives: what a server sends beyond them is never held. Zero fields mean the defaults.
// Where a whole history is wanted, by a Repo or of a server that gives nothing less, Pack, Objects and
// Total count eightfold.
type Bounds struct {
	Refs    int64 // bytes of the list of refs: 64 MiB
	Pack    int64 // bytes of a pack, as sent: 512 MiB
	Objects int   // objects in a pack: one million
	Object  int64 // bytes of one object, unpacked: 128 MiB
	Total   int64 // bytes of all objects, unpacked, deltas and what they stand for included: 1 GiB
	// Silence is how long nothing at all may move before the remote is given up: one minute, ten times that for a
	// push. A transfer that is slow and steady goes on.
	Silence time.Duration
}

func (b Bounds) withDefaults() Bounds {
	or := func(n *int64, standard int64) {
		if *n <= 0 {
			*n = standard
		}
	}
	or(&b.Refs, 64<<20)
	or(&b.Pack, 512<<20)
	or(&b.Object, 128<<20)
	or(&b.Total, 1<<30)
	b.Silence = cmp.Or(max(b.Silence, 0), time.Minute)
	if b.Objects <= 0 {
		b.Objects = 1_000_000
	}
	return b
}

// forHistory are the bounds where all of a repository's history is wanted, and not one commit.
func (b Bounds) forHistory() Bounds {
	const versions = 8
	b = b.withDefaults()
	b.Pack, b.Objects, b.Total = b.Pack*versions, b.Objects*versions, b.Total*versions
	return b
}

// BoundsError says that a remote sends more than is taken from it.
type BoundsError struct {
	What  string // what there is too much of
	Limit int64
}

func (e *BoundsError) Error() string { return fmt.Sprintf("more than %d %s", e.Limit, e.What) }
