package pack

import (
	"bytes"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/storage/memory"
)

// Encode writes a pack of objs without deltas: packages are too small to gain from them. objs may be empty: a push of commits
// that the server already has sends a pack too.
func Encode(objs []*Object) (*bytes.Buffer, error) {
	scratch := memory.NewStorage()
	ids := make([]plumbing.Hash, 0, len(objs))
	for _, o := range objs {
		id, err := scratch.SetEncodedObject(o)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	var buf bytes.Buffer
	_, err := packfile.NewEncoder(&buf, scratch, false).Encode(ids, 0)
	return &buf, err
}
