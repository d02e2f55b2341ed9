package render

import (
	"crypto/sha256"
	"io"
	"sync/atomic"

	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// writeFiles writes the digests of all files of tree to h, which it makes on all processors. It reports whether all files may be kept
// in the cache.
func writeFiles(h io.Writer, cache Cache, tree pkgtree.Tree) bool {
	var private atomic.Bool
	files := tree.Paths()
	digests := make([][sha256.Size]byte, len(files))
	parallel.For(len(files), func(i int) {
		if private.Load() {
			return
		}
		b := tree.Blob(files[i])
		b.View(func(data []byte) {
			if cache.Private(data) {
				private.Store(true)
			}
		})
		digests[i] = b.Digest()
	})
	for i, file := range files {
		write(h, file)
		writeBytes(h, digests[i][:])
	}
	return !private.Load()
}
