package merge

import (
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// side is one of the three trees, named as in the messages of kpt.
type side string

const (
	base   side = "original"
	theirs side = "updated"
	ours   side = "local"
)

// versions is one file in all three trees, nil where it is not.
type versions struct{ base, theirs, ours *pkgtree.Blob }

func (v versions) of(s side) *pkgtree.Blob {
	switch s {
	case base:
		return v.base
	case theirs:
		return v.theirs
	}
	return v.ours
}
