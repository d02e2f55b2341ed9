package pkgtree

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
)

// Limits bound what ReadDir takes in. A zero field means its default.
type Limits struct {
	Files int   // most files; default 100,000
	Bytes int64 // most bytes over all files; default 1 GiB
	// Only, when set, says which files are read, by their names without the folder. The others might
	// as well not be there: they are not in the Tree, and do not count.
	Only func(name string) bool
	// MayLink, when set, says which symbolic links that Only names may lie beside what was read; others are errors.
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

// ReadDir reads the package in dir. Symbolic links and other special files are left out; .git is
// never entered, nor what writes in progress have made. What WriteDir was writing when it was killed
// is read as if it had come to its end. It reads through an os.Root, so that nothing outside dir can
// be reached even if the tree changes underneath.
func ReadDir(dir string, limits Limits) (Tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Tree{}, fmt.Errorf("read package: %w", err)
	}
	defer root.Close()
	r := dirReader{in: folders{root: root}, limits: limits.withDefaults(), blobs: map[string]*Blob{}}
	defer r.in.close()
	if err := locked(dir, syscall.LOCK_SH, r.read); err != nil {
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

// CheckLinks refuses the first of links that may not lie beside tree.
func (l Limits) CheckLinks(tree Tree, links []string) error {
	if l.MayLink == nil || len(links) == 0 {
		return nil
	}
	may := l.MayLink(tree)
	for _, link := range links {
		if !may(link) {
			return fmt.Errorf("%s: is a symbolic link, which is not followed: put the file in its place, or remove it", short(link))
		}
	}
	return nil
}

type dirReader struct {
	in     folders
	limits Limits
	bytes  int64
	blobs  map[string]*Blob
	links  []string
}

func (r *dirReader) read() error {
	if err := r.folder("."); err != nil {
		return err
	}
	return r.finish()
}

// folder reads the files of dir, then the folders in it.
func (r *dirReader) folder(dir string) error {
	in, err := r.in.at(dir, dir)
	if in == nil && err == nil {
		err = fmt.Errorf("%s: went while the package was read", short(dir))
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

// files reads the files that lie in dir itself, and names the folders beside them.
func (r *dirReader) files(in *os.Root, dir string) (below []string, err error) {
	entries, err := fs.ReadDir(in.FS(), ".")
	if err != nil {
		return nil, about(dir, err)
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

// finish makes what was read what it is once a write that was killed is finished.
func (r *dirReader) finish() error {
	_, journals, err := readJournals(&r.in)
	for i := 0; i < len(journals) && err == nil; i++ {
		err = overlay(&r.in, journals[i], r.blobs, r.limits.Only)
	}
	return err
}

// file reads the file called name in its folder, and p in the package.
func (r *dirReader) file(in *os.Root, name, p string) error {
	if len(r.blobs) >= r.limits.Files {
		return fmt.Errorf("more than %d files", r.limits.Files)
	}
	f, err := in.Open(name)
	if err != nil {
		return about(p, err)
	}
	defer f.Close()
	data, err := readAtMost(f, r.limits.Bytes-r.bytes+1)
	if err != nil {
		return about(p, err)
	}
	if r.bytes += int64(len(data)); r.bytes > r.limits.Bytes {
		return fmt.Errorf("%s: more than %d bytes in all", short(p), r.limits.Bytes)
	}
	r.blobs[p] = NewBlob(data)
	return nil
}

// readAtMost reads f, up to most bytes, into room of its size.
func readAtMost(f *os.File, most int64) ([]byte, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data := make([]byte, min(st.Size()+1, most)) // one more, to see that it ends
	n, err := io.ReadFull(f, data)
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return data[:n], nil
	case err != nil || int64(n) == most:
		return data, err
	}
	rest, err := io.ReadAll(io.LimitReader(f, most-int64(n))) // it has grown since
	return append(data, rest...), err
}
