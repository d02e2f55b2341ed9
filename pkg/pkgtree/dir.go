package pkgtree

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

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
	if l.Files == 0 {
		l.Files = 100_000
	}
	if l.Bytes == 0 {
		l.Bytes = 1 << 30
	}
	return l
}

// ReadDir reads the package in dir. It leaves out symbolic links and other special files, .git, and the
// temporary files of writes. If a WriteDir was killed, ReadDir reads the package as if that write
// was finished. It reads through an os.Root: nothing outside of dir can
// be reached, even if the folders change meanwhile.
func ReadDir(dir string, limits Limits) (Tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Tree{}, fmt.Errorf("read package: %w", err)
	}
	defer root.Close()
	r := dirReader{in: folder.Cache{Root: root}, limits: limits.withDefaults(), blobs: map[string]*Blob{}}
	defer r.in.Close()
	if err := folder.Lock(dir, osfile.Shared, r.read); err != nil {
		return Tree{}, fmt.Errorf("read package %q: %w", dir, err)
	}
	tree, err := FromBlobs(r.blobs)
	if err == nil {
		err = limits.CheckLinks(tree, r.links)
	}
	if err != nil {
		return Tree{}, fmt.Errorf("read package %q: %w", dir, err)
	}
	return tree, nil
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

type dirReader struct {
	in     folder.Cache
	limits Limits
	bytes  int64
	blobs  map[string]*Blob
	links  []string
}

func (r *dirReader) read() error {
	if err := r.folder("."); err != nil {
		return err
	}
	return r.recover()
}

// folder reads the files of dir, then the folders in it.
func (r *dirReader) folder(dir string) error {
	in, err := r.in.At(dir, dir)
	if in == nil && err == nil {
		err = fmt.Errorf("%s: was removed while the package was read", folder.Short(dir))
	}
	if err != nil {
		return err
	}
	below, err := r.files(in, dir)
	if err != nil {
		return err
	}
	for _, name := range below {
		if err := r.folder(path.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// files reads the files in dir itself, and returns the names of the folders in it.
func (r *dirReader) files(in *os.Root, dir string) (below []string, err error) {
	entries, err := fs.ReadDir(in.FS(), ".")
	if err != nil {
		return nil, folder.Wrap(dir, err)
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case strings.EqualFold(name, ".git") || IsWorkName(name):
		case e.IsDir():
			below = append(below, name)
		case r.limits.Only != nil && !r.limits.Only(name):
		case e.Type().IsRegular():
			if err := r.file(in, name, path.Join(dir, name)); err != nil {
				return nil, err
			}
		case e.Type()&fs.ModeSymlink != 0:
			r.links = append(r.links, path.Join(dir, name))
		}
	}
	return below, nil
}

// recover applies the journals of killed writes to what was read.
func (r *dirReader) recover() error {
	_, journals, err := readJournals(&r.in)
	for i := 0; i < len(journals) && err == nil; i++ {
		err = overlay(&r.in, journals[i], r.blobs, r.limits.Only)
	}
	return err
}

// file reads the file called name in the folder in; its path in the package is p.
func (r *dirReader) file(in *os.Root, name, p string) error {
	if len(r.blobs) >= r.limits.Files {
		return fmt.Errorf("more than %d files", r.limits.Files)
	}
	f, err := in.Open(name)
	if err != nil {
		return folder.Wrap(p, err)
	}
	defer f.Close()
	data, err := folder.ReadAtMost(f, r.limits.Bytes-r.bytes+1)
	if err != nil {
		return folder.Wrap(p, err)
	}
	if r.bytes += int64(len(data)); r.bytes > r.limits.Bytes {
		return fmt.Errorf("%s: more than %d bytes in all", folder.Short(p), r.limits.Bytes)
	}
	r.blobs[p] = NewBlob(data)
	return nil
}
