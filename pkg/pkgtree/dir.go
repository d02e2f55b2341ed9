package pkgtree

import (
	"cmp"
	"fmt"
	"os"

	"github.com/waybill-dev/waybill/pkg/osfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree/internal/folder"
)

// Limits bound what ReadDir reads. A zero field means its default.
type Limits struct {
	Files int   // most files; default 100,000
	Bytes int64 // most bytes over all files; default 1 GiB
	// Only, when set, says which files are read, by their names without the folder. The other files
	// are not in the Tree, and do not count.
	Only func(name string) bool
	// MayLink, when set, says which symbolic links with a name that Only accepts are ignored; the others are errors.
	MayLink func(tree Tree) func(link string) bool
}

func (l Limits) withDefaults() Limits {
	l.Files, l.Bytes = cmp.Or(l.Files, 100_000), cmp.Or(l.Bytes, 1<<30)
	return l
}

// ReadDir reads the package in dir. It leaves out symbolic links and other special files, .git, and the
// temporary files of writes. If a WriteDir was killed, ReadDir reads the package as if that write
// was finished. It reads through an os.Root: nothing outside of dir can
// be reached, even if the folders change meanwhile.
func ReadDir(dir string, limits Limits) (Tree, error) {
	tree, _, err := readDir(dir, limits)
	return tree, err
}

// readDir is ReadDir, and reports whether it met files of a write, which may have been killed.
func readDir(dir string, limits Limits) (tree Tree, atWork bool, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Tree{}, false, fmt.Errorf("read package: %w", err)
	}
	defer root.Close()
	r := newDirReader(root, limits.withDefaults())
	defer r.in.Close()
	if err := folder.Lock(dir, osfile.Shared, r.read); err != nil {
		return Tree{}, r.atWork, fmt.Errorf("read package %q: %w", dir, err)
	}
	tree, err = FromBlobs(r.blobs)
	if err == nil {
		err = limits.CheckLinks(tree, r.links)
	}
	if err != nil {
		return Tree{}, r.atWork, fmt.Errorf("read package %q: %w", dir, err)
	}
	return tree, r.atWork, nil
}

// CheckLinks refuses the first of links that MayLink does not accept for tree.
func (l Limits) CheckLinks(tree Tree, links []string) error {
	if l.MayLink == nil || len(links) == 0 {
		return nil
	}
	may := l.MayLink(tree)
	for _, link := range links {
		if !may(link) {
			return fmt.Errorf("%s: is a symbolic link, and links are not followed: replace it by the file, or remove it", folder.Short(link))
		}
	}
	return nil
}
