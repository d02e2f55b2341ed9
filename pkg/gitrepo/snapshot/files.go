package snapshot

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Known holds blobs of the caller by Git id. Files uses them instead of another read, and adds the blobs it reads.
type Known map[[20]byte]*pkgtree.Blob

// Add adds the blobs of a tree.
func (k Known) Add(tree pkgtree.Tree) {
	for _, b := range tree.All() {
		k[b.GitID()] = b
	}
}

// Files reads the folder of r at a commit, within limits. It skips links, submodules and the remains of interrupted writes;
// limits may refuse links. A commit without the folder is a *NoFolderError.
func (r *Repository) Files(ctx context.Context, commit string, known Known, limits pkgtree.Limits) (pkgtree.Tree, error) {
	entries, links, err := r.list(ctx, commit, limits)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	blobs := make(map[string]*pkgtree.Blob, len(entries))
	if err := r.read(ctx, "commit "+commit, entries, known, blobs, limits); err != nil {
		return pkgtree.Tree{}, err
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
	path string
}

// hash returns the id as pkgtree has it; zero, which is the id of no file, in repositories with longer ids.
func (e entry) hash() (id [20]byte) {
	if raw, err := hex.DecodeString(e.id); err == nil && len(raw) == len(id) {
		copy(id[:], raw)
	}
	return id
}

// Prepare has git list the files of a commit while the caller does something else, and Files use the list. Git takes a while for thousands
// of folders. It must not be called at the same time as other methods.
func (r *Repository) Prepare(ctx context.Context, commit string) {
	list := sync.OnceValues(func() ([]byte, error) { return r.lsTree(ctx, commit) })
	if r.prepared == nil {
		r.prepared = map[string]func() ([]byte, error){}
	}
	r.prepared[commit] = list
	go list() //nolint:errcheck // the caller of Files gets the error
}

func (r *Repository) lsTree(ctx context.Context, commit string) ([]byte, error) {
	return git(ctx, r.Root, "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit+":"+r.Prefix)
}

func (r *Repository) list(ctx context.Context, commit string, limits pkgtree.Limits) (entries []entry, links []string, err error) {
	read := r.prepared[commit]
	if read == nil {
		read = func() ([]byte, error) { return r.lsTree(ctx, commit) }
	}
	out, err := read()
	if err != nil {
		var partial *PartialError
		if errors.As(err, &partial) {
			return nil, nil, fmt.Errorf("commit %s: %w", commit, err)
		}
		if _, no := line(ctx, r.Root, "rev-parse", "--verify", "--quiet", "--end-of-options", commit+":"+r.Prefix); isQuietNo(no) {
			return nil, nil, &NoFolderError{Commit: commit, Dir: r.Prefix}
		}
		return nil, nil, err
	}
	return parse(out, limits.Only)
}

// parse reads "mode type id<TAB>path" entries, each with a NUL at its end, and returns the possible files of a package and the
// links in place of them.
func parse(out []byte, only func(string) bool) (entries []entry, links []string, err error) {
	for _, text := range gitcmd.Entries(out) {
		head, file, ok := strings.Cut(text, "\t")
		words := strings.Fields(head)
		if !ok || len(words) != 3 {
			return nil, nil, fmt.Errorf("git ls-tree printed an unknown line: %q", text)
		}
		if words[1] != "blob" || isWorkFile(file) || only != nil && !only(path.Base(file)) {
			continue
		}
		if words[0] == "120000" {
			links = append(links, file)
			continue
		}
		entries = append(entries, entry{id: words[2], path: file})
	}
	return entries, links, nil
}

// isWorkFile reports whether a read of the folder from disk skips the file too.
func isWorkFile(file string) bool {
	for part := range strings.SplitSeq(file, "/") {
		if pkgtree.IsWorkName(part) {
			return true
		}
	}
	return false
}
