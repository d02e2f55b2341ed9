package snapshot

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// maxBatch is the number of bytes read from one process, so that its whole output need not fit into memory.
const maxBatch = 32 << 20

// batch returns how many of entries to read at once, at least one.
func batch(entries []entry) int {
	left := int64(maxBatch)
	for i, e := range entries {
		if left -= e.size; left < 0 {
			return max(1, i)
		}
	}
	return len(entries)
}

// readAll reads the blobs of entries in batches.
func (r *Repository) readAll(ctx context.Context, entries []entry, known Known, blobs map[string]*pkgtree.Blob) error {
	for len(entries) > 0 {
		n := batch(entries)
		if err := r.read(ctx, entries[:n], known, blobs); err != nil {
			return err
		}
		entries = entries[n:]
	}
	return nil
}

// fetch is readAll, within limits, for entries of unknown size.
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
	if err := r.readAll(ctx, entries, known, blobs); err != nil {
		return fmt.Errorf("%s: %w", of, err)
	}
	return nil
}

// read reads the blobs of entries, a shared blob once.
func (r *Repository) read(ctx context.Context, entries []entry, known Known, blobs map[string]*pkgtree.Blob) error {
	var ids []string
	at := map[string]*pkgtree.Blob{}
	for _, e := range entries {
		if _, twice := at[e.id]; !twice {
			at[e.id] = nil
			ids = append(ids, e.id)
		}
	}
	out, err := git(ctx, r.Root, strings.Join(ids, "\n")+"\n", "cat-file", "--batch")
	if err != nil {
		return err
	}
	for _, id := range ids {
		var data []byte
		if bytes.HasPrefix(out, []byte(id+" missing\n")) {
			return &PartialError{File: entries[slices.IndexFunc(entries, func(e entry) bool { return e.id == id })].path}
		}
		if data, out, err = next(out, id); err != nil {
			return err
		}
		at[id] = pkgtree.NewBlob(data)
		if hash := (entry{id: id}).hash(); hash != [20]byte{} {
			at[id] = pkgtree.NewGitBlob(data, hash)
			known[hash] = at[id]
		}
	}
	for _, e := range entries {
		blobs[e.path] = at[e.id]
	}
	return nil
}

// next returns the first object of the output of cat-file: a line "id type size", that many bytes, and a newline.
func next(out []byte, id string) (data, rest []byte, err error) {
	head, body, ok := bytes.Cut(out, []byte("\n"))
	words := strings.Fields(string(head))
	if !ok || len(words) != 3 || words[0] != id || words[1] != "blob" {
		return nil, nil, fmt.Errorf("file %q cannot be read: %q", id, head)
	}
	size, err := strconv.Atoi(words[2])
	if err != nil || size < 0 || size >= len(body) || body[size] != '\n' {
		return nil, nil, fmt.Errorf("file %q cannot be read whole", id)
	}
	return bytes.Clone(body[:size]), body[size+1:], nil
}
