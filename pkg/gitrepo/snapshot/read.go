package snapshot

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// The defaults of pkgtree.Limits.
const (
	maxFiles = 100_000
	maxBytes = 1 << 30
)

// errTooLarge is the error for entries beyond the limits.
var errTooLarge = errors.New("too large")

// read adds the blobs of entries to blobs, by path. It reads what is not known from git, and adds it to known. More than limits allow is
// an error, which says that it is about of.
func (r *Repository) read(
	ctx context.Context, of string, entries []entry, known Known, blobs map[string]*pkgtree.Blob, limits pkgtree.Limits,
) error {
	files, size := cmp.Or(limits.Files, maxFiles), cmp.Or(limits.Bytes, maxBytes)
	err := errTooLarge
	if len(entries) <= files {
		err = r.readWithin(ctx, entries, known, blobs, size)
	}
	switch {
	case errors.Is(err, errTooLarge):
		return fmt.Errorf("%s: folder %q is larger than %d files or %d bytes", of, r.Prefix, files, size)
	case err != nil:
		return fmt.Errorf("%s: %w", of, err)
	}
	return nil
}

// readWithin reads entries of that size at most together; a blob that several have counts for each.
func (r *Repository) readWithin(ctx context.Context, entries []entry, known Known, blobs map[string]*pkgtree.Blob, size int64) error {
	at := make(map[string]*pkgtree.Blob, len(entries))
	var missing []entry
	for _, e := range entries {
		if _, twice := at[e.id]; twice {
			continue
		}
		if at[e.id] = known[e.hash()]; at[e.id] == nil {
			missing = append(missing, e)
		}
	}
	fresh, err := r.readAll(ctx, missing, size)
	if err != nil {
		return err
	}
	for i, e := range missing {
		at[e.id] = fresh[i]
		if hash := e.hash(); hash != [20]byte{} {
			known[hash] = fresh[i]
		}
	}
	for _, e := range entries {
		blobs[e.path] = at[e.id]
		if size -= int64(at[e.id].Size()); size < 0 {
			return errTooLarge
		}
	}
	return nil
}

// entriesPerProcess is how many blobs one process of git reads while another one could read the next ones.
const entriesPerProcess = 1000

// readAll reads blobs from as many processes of git as there are processors, if they are many.
func (r *Repository) readAll(ctx context.Context, entries []entry, size int64) ([]*pkgtree.Blob, error) {
	blobs := make([]*pkgtree.Blob, len(entries))
	var left atomic.Int64
	left.Store(size)
	if len(entries) >= entriesPerProcess {
		if err := r.readLoose(ctx, entries, blobs, &left); err != nil {
			return nil, err
		}
	}
	var rest []entry
	for i, e := range entries {
		if blobs[i] == nil {
			rest = append(rest, e)
		}
	}
	read := make([]*pkgtree.Blob, len(rest))
	err := inParts(len(rest), func(from, to int) error { return r.readSome(ctx, rest[from:to], read[from:to], &left) })
	for i := range blobs {
		if blobs[i] == nil {
			blobs[i], read = read[0], read[1:]
		}
	}
	return blobs, err
}

// inParts calls do for parts of so many entries, on as many processors as these keep busy.
func inParts(entries int, do func(from, to int) error) error {
	n := min(runtime.GOMAXPROCS(0), 1+entries/entriesPerProcess)
	errs := make([]error, n)
	parallel.For(n, func(i int) { errs[i] = do(i*entries/n, (i+1)*entries/n) })
	return cmp.Or(errs...)
}

// readSome reads the blobs of entries into blobs, from one process.
func (r *Repository) readSome(ctx context.Context, entries []entry, blobs []*pkgtree.Blob, left *atomic.Int64) error {
	if len(entries) == 0 {
		return nil
	}
	var ids strings.Builder
	for _, e := range entries {
		ids.WriteString(e.id + "\n")
	}
	return stream(ctx, r.Root, ids.String(), func(out io.Reader) error {
		in, buf := bufio.NewReaderSize(out, 1<<16), []byte(nil)
		for i, e := range entries {
			var err error
			if buf, err = next(in, e, buf, left); err != nil {
				return err
			}
			blobs[i] = e.blob(buf[:len(buf)-1])
		}
		return nil
	}, "cat-file", "--batch", "--buffer")
}

// blob returns a blob of content, which it copies.
func (e entry) blob(data []byte) *pkgtree.Blob {
	if hash := e.hash(); hash != [20]byte{} {
		return pkgtree.PackGitBlob(data, hash)
	}
	return pkgtree.PackBlob(data)
}

// next reads the next object of the output of cat-file, which is that of e: a line "id type size", that many bytes, and a newline. It
// returns the bytes and the newline, in buf if that is large enough, and takes their number from left.
func next(in *bufio.Reader, e entry, buf []byte, left *atomic.Int64) ([]byte, error) {
	head, err := in.ReadString('\n')
	words := strings.Fields(head)
	switch {
	case err != nil:
		return nil, cutShort(e, err)
	case head == e.id+" missing\n":
		return nil, &PartialError{File: e.path}
	case len(words) != 3 || words[0] != e.id || words[1] != "blob":
		return nil, fmt.Errorf("file %q cannot be read: %q", e.id, strings.TrimSuffix(head, "\n"))
	}
	size, err := strconv.ParseUint(words[2], 10, 48)
	if err != nil {
		return nil, fmt.Errorf("file %q cannot be read: it has %q bytes", e.id, words[2])
	}
	if left.Add(-int64(size)) < 0 {
		return nil, errTooLarge
	}
	buf = slices.Grow(buf[:0], int(size)+1)[:size+1]
	if _, err := io.ReadFull(in, buf); err != nil {
		return nil, cutShort(e, err)
	}
	if buf[size] != '\n' {
		return nil, fmt.Errorf("file %q cannot be read whole", e.id)
	}
	return buf, nil
}

// cutShort is the error for output that ends within a file. Git's own error, if there is one, is reported in its place.
func cutShort(e entry, err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("file %q cannot be read whole: %w", e.id, err)
}
