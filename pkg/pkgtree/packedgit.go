package pkgtree

import "crypto/sha1" // #nosec G505 -- Git's object names, not a security boundary

// PackedGitBlob is PackGitBlob for content that is compressed already, in the format s2, and has that size. The caller must have
// compressed it, and not change it afterwards.
func PackedGitBlob(packed []byte, size int, id [sha1.Size]byte) *Blob {
	b := &Blob{packed: packed, size: size, id: id}
	b.once.Do(func() {})
	return b
}
