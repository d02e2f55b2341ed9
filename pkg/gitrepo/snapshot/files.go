package snapshot

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Known are blobs that the caller has, by their Git ids. Files takes them instead of reading them again, and adds what
// it reads.
type Known map[[20]byte]*pkgtree.Blob

// Add makes the blobs of a tree known.
func (k Known) Add(tree pkgtree.Tree) {
	for _, b := range tree.All() {
		k[b.GitID()] = b
	}
}

// Files reads the folder of r at a commit, within limits. Links, submodules, and what was left by a write that was
// interrupted, are not part of it; limits may refuse links. A commit without the folder is a *NoFolderError.
func (r *Repository) Files(ctx context.Context, commit string, known Known, limits pkgtree.Limits) (pkgtree.Tree, error) {
	entries, links, err := r.list(ctx, commit, limits)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	blobs := make(map[string]*pkgtree.Blob, len(entries))
	var lacking []entry
	for _, e := range entries {
		if b := known[e.hash()]; b != nil {
			blobs[e.path] = b
		} else {
			lacking = append(lacking, e)
		}
	}
	if err := r.readAll(ctx, lacking, known, blobs); err != nil {
		return pkgtree.Tree{}, fmt.Errorf("commit %s: %w", commit, err)
	}
	tree, err := pkgtree.FromBlobs(blobs)
	if err != nil {
		return tree, err
	}
	if err := limits.CheckLinks(tree, links); err != nil {
		return tree, fmt.Errorf("commit %s: %w", commit, err)
	}
	return tree, nil
}

// entry is one file of a folder.
type entry struct {
	id   string // in hex
	size int64
	path string
}

// hash is the id where it is one that pkgtree knows; zero, which is nobody's, in repositories with longer ids.
func (e entry) hash() (id [20]byte) {
	if raw, err := hex.DecodeString(e.id); err == nil && len(raw) == len(id) {
		copy(id[:], raw)
	}
	return id
}

// Defaults of pkgtree.Limits, which hold here as well.
const (
	mostFiles = 100_000
	mostBytes = 1 << 30
)

func (r *Repository) list(ctx context.Context, commit string, limits pkgtree.Limits) (entries []entry, links []string, err error) {
	out, err := git(ctx, r.Root, "", "ls-tree", "-r", "-l", "-z", "--full-tree", "--end-of-options", commit+":"+r.Prefix)
	if err != nil {
		var partial *PartialError
		if errors.As(err, &partial) {
			return nil, nil, fmt.Errorf("commit %s: %w", commit, err)
		}
		if _, odd := line(ctx, r.Root, "rev-parse", "--verify", "--quiet", "--end-of-options", commit+":"+r.Prefix); asksNothing(odd) {
			return nil, nil, &NoFolderError{Commit: commit, Dir: r.Prefix}
		}
		return nil, nil, err
	}
	entries, links, err = parse(out, limits.Only)
	if err != nil {
		return nil, nil, err
	}
	return entries, links, r.fits("commit "+commit, entries, limits)
}

// fits says so if entries are more than limits allow.
func (r *Repository) fits(of string, entries []entry, limits pkgtree.Limits) error {
	files, size := cmp.Or(limits.Files, mostFiles), cmp.Or(limits.Bytes, mostBytes)
	left := size
	for _, e := range entries {
		left -= e.size
	}
	if len(entries) > files || left < 0 {
		return fmt.Errorf("%s: folder %q is larger than %d files or %d bytes", of, r.Prefix, files, size)
	}
	return nil
}

// parse reads "mode type id size<TAB>path" entries, each ended by a NUL, and keeps the files that a package could hold, and the
// links in the place of such.
func parse(out []byte, only func(string) bool) (entries []entry, links []string, err error) {
	for _, text := range gitcmd.Entries(out) {
		head, file, ok := strings.Cut(text, "\t")
		words := strings.Fields(head)
		if !ok || len(words) != 4 {
			return nil, nil, fmt.Errorf("git ls-tree says what is not understood: %q", text)
		}
		if words[1] != "blob" || passedOver(file) || only != nil && !only(path.Base(file)) {
			continue
		}
		if words[0] == "120000" {
			links = append(links, file)
			continue
		}
		if words[3] == "BAD" {
			return nil, nil, &PartialError{File: file}
		}
		size, err := strconv.ParseInt(words[3], 10, 64)
		if err != nil || size < 0 {
			return nil, nil, fmt.Errorf("git ls-tree says what is not understood: %q", text)
		}
		entries = append(entries, entry{id: words[2], size: size, path: file})
	}
	return entries, links, nil
}

// passedOver reports whether a file lies where reading the folder from disk would not look either.
func passedOver(file string) bool {
	for part := range strings.SplitSeq(file, "/") {
		if pkgtree.IsWorkName(part) {
			return true
		}
	}
	return false
}
