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

// mostAtOnce is how many bytes one process is asked for, so that its output need not fit into memory beside all the
// rest.
const mostAtOnce = 32 << 20

// batch is how many of the entries to read at once: one at least.
func batch(entries []entry) int {
	left := int64(mostAtOnce)
	for i, e := range entries {
		if left -= e.size; left < 0 {
			return max(1, i)
		}
	}
	return len(entries)
}

// readAll reads blobs of entries, some at a time.
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

// fetch is readAll for entries of which the sizes are not known yet, within limits.
func (r *Repository) fetch(
	ctx context.Context, of string, entries []entry, known Known, blobs map[string]*pkgtree.Blob, limits pkgtree.Limits,
) error {
	var asked strings.Builder
	for _, e := range entries {
		asked.WriteString(e.id + "\n")
	}
	out, err := git(ctx, r.Root, asked.String(), "cat-file", "--batch-check=%(objectsize)")
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
	if err := r.fits(of, entries, limits); err != nil {
		return err
	}
	if err := r.readAll(ctx, entries, known, blobs); err != nil {
		return fmt.Errorf("%s: %w", of, err)
	}
	return nil
}

// read reads blobs of entries. What several entries share is read once.
func (r *Repository) read(ctx context.Context, entries []entry, known Known, blobs map[string]*pkgtree.Blob) error {
	var asked []string
	at := map[string]*pkgtree.Blob{}
	for _, e := range entries {
		if _, twice := at[e.id]; !twice {
			at[e.id] = nil
			asked = append(asked, e.id)
		}
	}
	out, err := git(ctx, r.Root, strings.Join(asked, "\n")+"\n", "cat-file", "--batch")
	if err != nil {
		return err
	}
	for _, id := range asked {
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

// next takes one object from the output of cat-file: a line "id type size", that many bytes, and a newline.
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
