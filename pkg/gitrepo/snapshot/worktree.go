package snapshot

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/gitcmd"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// WorkTree is what the folder of r is to git in the work tree, where disk is what lies there, as pkgtree reads it: a file
// that git takes for unchanged says what was committed, whatever filters made of it on disk; one that a sparse checkout
// left out is there; what lies in submodules is not, as it is in no commit. A file of which only a pointer to Git LFS is
// committed says what lies on disk, and is known by the id of the pointer.
func (r *Repository) WorkTree(ctx context.Context, disk pkgtree.Tree, known Known, limits pkgtree.Limits) (pkgtree.Tree, error) {
	known.Add(disk)
	listed, err := r.index(ctx)
	if err != nil {
		return disk, err
	}
	blobs := maps.Collect(disk.All())
	var lacking []entry
	for _, e := range listed {
		on := blobs[e.path]
		switch {
		case e.submodule():
			maps.DeleteFunc(blobs, func(p string, _ *pkgtree.Blob) bool { return strings.HasPrefix(p, e.path+"/") })
		case !e.counts(limits.Only), on == nil && !e.skipped, on != nil && (e.trusted || on.GitID() == e.hash()):
		case on == nil:
			lacking = append(lacking, e.entry)
		case e.hash() != [20]byte{}: // else whatever lies there would have to be read again
			lacking = append(lacking, e.entry)
		}
	}
	if lacking, err = r.unchanged(ctx, lacking, blobs); err != nil {
		return disk, err
	}
	if len(lacking) == 0 {
		return pkgtree.FromBlobs(blobs)
	}
	if err := r.fetch(ctx, "the index", lacking, known, blobs, limits); err != nil {
		return disk, err
	}
	for _, e := range lacking {
		if on := disk.Blob(e.path); on != nil && IsPointer(blobs[e.path].Data()) && !IsPointer(on.Data()) {
			blobs[e.path], known[e.hash()] = on, on
		}
	}
	return pkgtree.FromBlobs(blobs)
}

// IsPointer reports whether data is what Git LFS commits in the place of a file.
func IsPointer(data []byte) bool {
	return bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/v1\n"))
}

// listing is an entry of the index.
type listing struct {
	entry
	mode    string
	skipped bool // by a sparse checkout
	trusted bool // somebody told git not to look whether it has changed
}

func (l *listing) submodule() bool { return l.mode == "160000" }

// counts reports whether a package could hold the file.
func (l *listing) counts(only func(string) bool) bool {
	return strings.HasPrefix(l.mode, "100") && !passedOver(l.path) && (only == nil || only(path.Base(l.path)))
}

// here names the folder to git, literally.
func (r *Repository) here() []string {
	if r.Prefix == "" {
		return []string{"--"}
	}
	return []string{"--", r.Prefix}
}

// below is the name of a file from the folder on.
func (r *Repository) below(file string) (string, bool) {
	if r.Prefix == "" {
		return file, true
	}
	return strings.CutPrefix(file, r.Prefix+"/")
}

// index lists what the index has of the folder; not what a merge left undecided.
func (r *Repository) index(ctx context.Context) ([]listing, error) {
	out, err := git(ctx, r.Root, "", "ls-files", append([]string{"--stage", "-v", "-z", "--full-name"}, r.here()...)...)
	if err != nil {
		return nil, err
	}
	all, err := parseIndex(out)
	if err != nil {
		return nil, err
	}
	kept := all[:0]
	for _, l := range all {
		if name, in := r.below(l.path); in {
			l.path = name
			kept = append(kept, l)
		}
	}
	return kept, nil
}

// parseIndex reads "tag mode id stage<TAB>path" entries, each ended by a NUL.
func parseIndex(out []byte) (listings []listing, err error) {
	for _, text := range gitcmd.Entries(out) {
		head, file, ok := strings.Cut(text, "\t")
		words := strings.Fields(head)
		if !ok || len(words) != 4 || file == "" {
			return nil, fmt.Errorf("git ls-files says what is not understood: %q", text)
		}
		if words[3] == "0" {
			listings = append(listings, listing{entry{id: words[2], path: file}, words[1], strings.EqualFold(words[0], "S"), words[0] != "H"})
		}
	}
	return listings, nil
}

// unchanged are those of entries that are not on disk, or that git takes for unchanged there.
func (r *Repository) unchanged(ctx context.Context, entries []entry, disk map[string]*pkgtree.Blob) (out []entry, err error) {
	if len(entries) == 0 {
		return nil, nil
	}
	said, err := git(ctx, r.Root, "", "status",
		append([]string{"--porcelain=v1", "-z", "--untracked-files=no", "--ignore-submodules=all", "--no-renames"}, r.here()...)...)
	if err != nil {
		return nil, err
	}
	changed, err := parseStatus(said)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if disk[e.path] == nil || !changed[path.Join(r.Prefix, e.path)] {
			out = append(out, e)
		}
	}
	return out, nil
}

// parseStatus reads "XY path" entries, each ended by a NUL, of which Y is a blank where the work tree has what the index
// has.
func parseStatus(out []byte) (changed map[string]bool, err error) {
	changed = map[string]bool{}
	for _, text := range gitcmd.Entries(out) {
		if len(text) < 4 || text[2] != ' ' {
			return nil, fmt.Errorf("git status says what is not understood: %q", text)
		}
		if text[1] != ' ' {
			changed[text[3:]] = true
		}
	}
	return changed, nil
}
