package snapshot

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// looseFiles is the folder in which git keeps each object in a file until it packs them. It is "" if other objects may stand for some of
// them.
func (r *Repository) looseFiles(ctx context.Context) string {
	out, err := line(ctx, r.Root, "rev-parse", "--git-path", "objects", "--glob=refs/replace")
	switch {
	case err != nil || strings.Contains(out, "\n"):
		return ""
	case filepath.IsAbs(out):
		return out
	}
	return filepath.Join(r.Root, out)
}

// readLoose reads blobs that git has not packed. It leaves the others nil.
func (r *Repository) readLoose(ctx context.Context, entries []entry, blobs []*pkgtree.Blob, left *atomic.Int64) error {
	dir := r.looseFiles(ctx)
	if dir == "" {
		return nil
	}
	return inParts(len(entries), func(from, to int) error {
		l := looseReader{dir: dir}
		for i := from; i < to; i++ {
			data, err := l.read(entries[i].id, left)
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			if data != nil {
				blobs[i] = entries[i].blob(data)
			}
		}
		return nil
	})
}

// looseReader reads files of looseFiles one after the other. Git takes twice as long for these, because it opens each several times and
// writes all of the content to a pipe.
type looseReader struct {
	dir  string
	in   io.ReadCloser // of zlib
	file bytes.Buffer
	data []byte
}

const (
	maxHead  = 32       // more than the type and size before the content take
	maxLoose = 16 << 20 // git reads what is larger, also what only says so
)

// read returns the content of a blob until the next call; nil if git must read it. left is reduced by its size.
func (l *looseReader) read(id string, left *atomic.Int64) ([]byte, error) {
	if !l.open(id) {
		return nil, nil
	}
	l.data = slices.Grow(l.data[:0], maxHead)[:maxHead]
	n, _ := io.ReadFull(l.in, l.data)
	head, begin, ok := bytes.Cut(l.data[:n], []byte{0})
	text, blob := bytes.CutPrefix(head, []byte("blob "))
	size, err := strconv.ParseUint(string(text), 10, 48)
	if !ok || !blob || err != nil || uint64(len(begin)) > size || size > maxLoose {
		return nil, nil
	}
	if left.Load() < int64(size) {
		return nil, errTooLarge
	}
	from, whole := len(head)+1, len(head)+1+int(size)
	l.data = slices.Grow(l.data[:n], whole+1-n)[:whole+1]
	if n, err = readRest(l.in, l.data, n); n != whole || !errors.Is(err, io.EOF) || l.file.Len() > 0 {
		return nil, nil
	}
	left.Add(-int64(size))
	return l.data[from:whole], nil
}

// readRest reads into data from n on, and returns how much it holds then. The error is io.EOF at the end of in, which must be whole.
func readRest(in io.Reader, data []byte, n int) (int, error) {
	for n < len(data) {
		more, err := in.Read(data[n:])
		if n += more; err != nil {
			return n, err
		}
	}
	return n, nil
}

// open prepares to read an object, if there is a file of it.
func (l *looseReader) open(id string) bool {
	file, err := os.Open(filepath.Join(l.dir, id[:2], id[2:])) // #nosec G304 -- git names its objects in hex
	if err != nil {
		return false
	}
	defer file.Close()
	l.file.Reset()
	if n, err := l.file.ReadFrom(io.LimitReader(file, maxLoose+1)); err != nil || n > maxLoose {
		return false
	}
	if l.in == nil {
		l.in, err = zlib.NewReader(&l.file)
	} else {
		err = l.in.(zlib.Resetter).Reset(&l.file, nil)
	}
	return err == nil
}
