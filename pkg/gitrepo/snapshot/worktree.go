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

// WorkTree returns the folder of r in the work tree as git sees it; disk is the folder as pkgtree reads it. A file unchanged for
// git has its committed content, whatever filters wrote to disk; files left out by a sparse checkout are included; files of
// submodules are not, as commits have none of them. A file committed as a pointer to Git LFS has its content on disk and the id
// of the pointer.
func (r *Repository) WorkTree(ctx context.Context, disk pkgtree.Tree, known Known, limits pkgtree.Limits) (pkgtree.Tree, error) {
	known.Add(disk)
	listed, err := r.index(ctx)
	if err != nil {
		return disk, err
	}
	blobs := maps.Collect(disk.All())
	var missing []entry
	for _, e := range listed {
		on := blobs[e.path]
		switch {
		case e.submodule():
			maps.DeleteFunc(blobs, func(p string, _ *pkgtree.Blob) bool { return strings.HasPrefix(p, e.path+"/") })
		case !e.inPackage(limits.Only), on == nil && !e.skipped, on != nil && (e.trusted || on.GitID() == e.hash()):
		case on == nil:
			missing = append(missing, e.entry)
		case e.hash() != [20]byte{}: // of long ids git compares all files
			missing = append(missing, e.entry)
		}
	}
	if missing, err = r.unchanged(ctx, missing, blobs); err != nil {
		return disk, err
	}
	if len(missing) == 0 {
		return pkgtree.FromBlobs(blobs)
	}
	if err := r.read(ctx, "the index", missing, known, blobs, limits); err != nil {
		return disk, err
	}
	for _, e := range missing {
		if on := disk.Blob(e.path); on != nil && IsPointer(blobs[e.path].Data()) && !IsPointer(on.Data()) {
			blobs[e.path], known[e.hash()] = on, on
		}
	}
	return pkgtree.FromBlobs(blobs)
}

// IsPointer reports whether data is a pointer that Git LFS commits in place of a file.
func IsPointer(data []byte) bool {
	return bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/v1\n"))
}

// indexEntry is one entry of the index.
type indexEntry struct {
	entry
	mode    string
	skipped bool // by a sparse checkout
	trusted bool // marked as unchanged by git update-index
}

func (l *indexEntry) submodule() bool { return l.mode == "160000" }

// inPackage reports whether the file can be part of a package.
func (l *indexEntry) inPackage(only func(string) bool) bool {
	return strings.HasPrefix(l.mode, "100") && !isWorkFile(l.path) && (only == nil || only(path.Base(l.path)))
}

// here returns the arguments that name the folder to git.
func (r *Repository) here() []string {
	if r.Prefix == "" {
		return []string{"--"}
	}
	return []string{"--", r.Prefix}
}

// below returns the path of a file relative to the folder, false for a file outside of it.
func (r *Repository) below(file string) (string, bool) {
	if r.Prefix == "" {
		return file, true
	}
	return strings.CutPrefix(file, r.Prefix+"/")
}

// index lists the entries of the folder in the index, without unmerged ones.
func (r *Repository) index(ctx context.Context) ([]indexEntry, error) {
	out, err := git(ctx, r.Root, "ls-files", append([]string{"--stage", "-v", "-z", "--full-name"}, r.here()...)...)
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

// parseIndex reads "tag mode id stage<TAB>path" entries, each with a NUL at its end.
func parseIndex(out []byte) (listings []indexEntry, err error) {
	for _, text := range gitcmd.Entries(out) {
		head, file, ok := strings.Cut(text, "\t")
		words := strings.Fields(head)
		if !ok || len(words) != 4 || file == "" {
			return nil, fmt.Errorf("git ls-files printed an unknown line: %q", text)
		}
		if words[3] == "0" {
			listings = append(listings, indexEntry{entry{words[2], file}, words[1], strings.EqualFold(words[0], "S"), words[0] != "H"})
		}
	}
	return listings, nil
}

// unchanged returns the entries that are missing on disk or unchanged for git.
func (r *Repository) unchanged(ctx context.Context, entries []entry, disk map[string]*pkgtree.Blob) (kept []entry, err error) {
	if len(entries) == 0 {
		return nil, nil
	}
	out, err := git(ctx, r.Root, "status",
		append([]string{"--porcelain=v1", "-z", "--untracked-files=no", "--ignore-submodules=all", "--no-renames"}, r.here()...)...)
	if err != nil {
		return nil, err
	}
	changed, err := parseStatus(out)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if disk[e.path] == nil || !changed[path.Join(r.Prefix, e.path)] {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// parseStatus reads "XY path" entries, each with a NUL at its end. A blank Y means that work tree and index are equal.
func parseStatus(out []byte) (changed map[string]bool, err error) {
	changed = map[string]bool{}
	for _, text := range gitcmd.Entries(out) {
		if len(text) < 4 || text[2] != ' ' {
			return nil, fmt.Errorf("git status printed an unknown line: %q", text)
		}
		if text[1] != ' ' {
			changed[text[3:]] = true
		}
	}
	return changed, nil
}
