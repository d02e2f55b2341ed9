package gitrepo

import (
	"encoding/hex"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
)

// Hash names a Git object. The zero Hash names none.
type Hash = plumbing.Hash

// ParseHash reads 40 lowercase hex digits.
func ParseHash(s string) (Hash, error) {
	var h Hash
	if b, err := hex.DecodeString(s); err == nil && len(b) == len(h) {
		copy(h[:], b)
	}
	if h.IsZero() || h.String() != s {
		return Hash{}, fmt.Errorf("%q is not a commit id: want 40 lowercase hex digits", s)
	}
	return h, nil
}
