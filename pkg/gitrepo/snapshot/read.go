package snapshot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// fetch is read, within limits, for entries of unknown size.
func (r *Repository) fetch(
	ctx context.Context, of string, entries []entry, known Known, blobs map[string]*pkgtree.Blob, limits pkgtree.Limits,
) error {
	var ids strings.Builder
	for _, e := range entries {
		ids.WriteString(e.id + "\n")
	}
	out, err := git(ctx, r.Root, ids.String(), "cat-file", "--batch-check=%(objectsize)")
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	for i := range entries {
		size, err := int64(0), error(nil)
		if i < len(lines) {
			size, err = strconv.ParseInt(lines[i], 10, 64)
		}
		if i >= len(lines) || err != nil || size < 0 {
			return fmt.Errorf("%s: %w", of, &PartialError{File: entries[i].path})
		}
		entries[i].size = size
	}
	if err := r.checkSize(of, entries, limits); err != nil {
		return err
	}
	if err := r.read(ctx, entries, known, blobs); err != nil {
		return fmt.Errorf("%s: %w", of, err)
	}
	return nil
}

// read reads the blobs of entries, a shared blob once, from one process.
func (r *Repository) read(ctx context.Context, entries []entry, known Known, blobs map[string]*pkgtree.Blob) error {
	if len(entries) == 0 {
		return nil
	}
	var ids strings.Builder
	at := make(map[string]*pkgtree.Blob, len(entries))
	var once []entry
	for _, e := range entries {
		if _, twice := at[e.id]; !twice {
			at[e.id] = nil
			once = append(once, e)
			ids.WriteString(e.id + "\n")
		}
	}
	err := stream(ctx, r.Root, ids.String(), func(out io.Reader) error {
		in, buf := bufio.NewReaderSize(out, 1<<16), []byte(nil)
		for _, e := range once {
			var err error
			if buf, err = next(in, e, buf); err != nil {
				return err
			}
			at[e.id] = e.blob(buf[:e.size], known)
		}
		return nil
	}, "cat-file", "--batch")
	for _, e := range entries {
		blobs[e.path] = at[e.id]
	}
	return err
}

// blob returns a blob of content, which it copies, and adds it to known.
func (e entry) blob(data []byte, known Known) *pkgtree.Blob {
	hash := e.hash()
	if hash == [20]byte{} {
		return pkgtree.PackBlob(data)
	}
	known[hash] = pkgtree.PackGitBlob(data, hash)
	return known[hash]
}

// next reads the next object of the output of cat-file, which is that of e: a line "id type size", that many bytes, and a newline. It
// returns the bytes and the newline, in buf if that is large enough.
func next(in *bufio.Reader, e entry, buf []byte) ([]byte, error) {
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
	size, err := strconv.ParseInt(words[2], 10, 64)
	if err != nil || size != e.size {
		return nil, fmt.Errorf("file %q has %s bytes, and git said %d before", e.id, words[2], e.size)
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
