package merge

import (
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// side is one of the three, called as kpt calls it in messages.
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

// isResourceFile reports whether p holds objects; JSON is opaque here.
func isResourceFile(p string) bool {
	ext := path.Ext(p)
	return ext == ".yaml" || ext == ".yml"
}

func isKptfile(p string) bool { return path.Base(p) == kptfile.Name }

// isGitFile reports whether p is of those that a merge of resources leaves alone.
func isGitFile(p string) bool { return strings.Contains(p, ".git") && !isResourceFile(p) }

func same(a, b *pkgtree.Blob) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equal(b)
}
