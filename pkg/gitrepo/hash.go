package gitrepo

import (
	"encoding/hex"
	"fmt"
)

// Hash names a Git object. The zero Hash names none.
type Hash [20]byte

// String is the 40 hex digits of the Hash.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// IsZero reports whether h names no object.
func (h Hash) IsZero() bool { return h == Hash{} }

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
