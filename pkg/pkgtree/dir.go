package pkgtree

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Limits bound what ReadDir takes in. A zero field means its default.
type Limits struct {
	Files int   // most files; default 100,000
	Bytes int64 // most bytes over all files; default 1 GiB
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

// ReadDir reads the package in dir. Symbolic links and other special files are left out, as kpt
// leaves them out, and so are files that WriteDir was writing when it was killed; .git is never
// entered. It reads through an os.Root, so that nothing outside
// dir can be reached even if the tree changes underneath.
func ReadDir(dir string, limits Limits) (Tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Tree{}, fmt.Errorf("read package: %w", err)
	}
	defer root.Close()
	r := dirReader{root: root, limits: limits.withDefaults(), blobs: map[string]*Blob{}}
	if err := fs.WalkDir(root.FS(), ".", r.visit); err != nil {
		return Tree{}, fmt.Errorf("read package %q: %w", dir, err)
	}
	return FromBlobs(r.blobs)
}

type dirReader struct {
	root   *os.Root
	limits Limits
	bytes  int64
	blobs  map[string]*Blob
}

func (r *dirReader) visit(p string, d fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return err
	case d.IsDir() && strings.EqualFold(d.Name(), ".git"):
		return fs.SkipDir
	case !d.Type().IsRegular() || strings.EqualFold(d.Name(), ".git") || isTemporary(d.Name()):
		return nil
	case len(r.blobs) >= r.limits.Files:
		return fmt.Errorf("more than %d files", r.limits.Files)
	}
	data, err := r.read(p)
	if err != nil {
		return err
	}
	r.blobs[p] = NewBlob(data)
	return nil
}

func (r *dirReader) read(p string) ([]byte, error) {
	f, err := r.root.Open(filepath.FromSlash(p))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, r.limits.Bytes-r.bytes+1))
	if err != nil {
		return nil, err
	}
	if r.bytes += int64(len(data)); r.bytes > r.limits.Bytes {
		return nil, fmt.Errorf("%s: more than %d bytes in all", p, r.limits.Bytes)
	}
	return data, nil
}
