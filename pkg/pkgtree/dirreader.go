package pkgtree

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/pkgtree/internal/folder"
)

// dirReader reads folders.
type dirReader struct {
	in     folder.Cache
	limits Limits
	taken  *takenSize
	inTurn bool // it reads one file after the other
	blobs  map[string]*Blob
	links  []string
	atWork bool // a write is in progress in some folder, or was killed
}

// takenSize is what all readers of a package have read.
type takenSize struct{ files, bytes atomic.Int64 }

func newDirReader(root *os.Root, limits Limits) *dirReader {
	return &dirReader{in: folder.Cache{Root: root}, limits: limits, taken: &takenSize{}, blobs: map[string]*Blob{}}
}

// read reads on all processors. If that fails, it reads in turn, since the first error in walk order is the one to report.
func (r *dirReader) read() error {
	if err := r.folder("."); err != nil {
		r.inTurn, r.taken, r.blobs, r.links = true, &takenSize{}, map[string]*Blob{}, nil // atWork stays
		if err := r.folder("."); err != nil {
			return err
		}
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
	return r.each(below, func(r *dirReader, name string) error { return r.folder(path.Join(dir, name)) })
}

// files reads the files in dir itself, and returns the names of the folders in it.
func (r *dirReader) files(in *os.Root, dir string) (below []string, err error) {
	entries, err := fs.ReadDir(in.FS(), ".")
	if err != nil {
		return nil, folder.Wrap(dir, err)
	}
	var names []string
	for _, e := range entries {
		switch name := e.Name(); {
		case strings.EqualFold(name, ".git"):
		case IsWorkName(name):
			r.atWork = true
		case e.IsDir():
			below = append(below, name)
		case r.limits.Only != nil && !r.limits.Only(name):
		case e.Type().IsRegular():
			names = append(names, name)
		case e.Type()&fs.ModeSymlink != 0:
			r.links = append(r.links, path.Join(dir, name))
		}
	}
	return below, r.each(names, func(r *dirReader, name string) error { return r.file(in, name, path.Join(dir, name)) })
}

// partSize is how many files or folders one of several readers reads.
const partSize = 64

// each calls do for all names: in order or, if they are many, on all processors with a reader for each part of them.
func (r *dirReader) each(names []string, do func(r *dirReader, name string) error) error {
	if r.inTurn || len(names) < 2*partSize {
		for _, name := range names {
			if err := do(r, name); err != nil {
				return err
			}
		}
		return nil
	}
	parts := slices.Collect(slices.Chunk(names, partSize))
	readers, errs := make([]*dirReader, len(parts)), make([]error, len(parts))
	parallel.For(len(parts), func(i int) {
		part := newDirReader(r.in.Root, r.limits)
		defer part.in.Close()
		part.taken, part.inTurn, readers[i] = r.taken, true, part
		errs[i] = part.each(parts[i], do)
	})
	for _, part := range readers {
		maps.Copy(r.blobs, part.blobs)
		r.links = append(r.links, part.links...)
		r.atWork = r.atWork || part.atWork
	}
	return cmp.Or(errs...)
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
	if r.taken.files.Add(1) > int64(r.limits.Files) {
		return fmt.Errorf("more than %d files", r.limits.Files)
	}
	f, err := in.Open(name)
	if err != nil {
		return folder.Wrap(p, err)
	}
	defer f.Close()
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	data, err := folder.ReadAtMost(f, max(1, r.limits.Bytes-r.taken.bytes.Load()+1), *buf)
	if err != nil {
		return folder.Wrap(p, err)
	}
	if r.taken.bytes.Add(int64(len(data))) > r.limits.Bytes {
		return fmt.Errorf("%s: more than %d bytes in all", folder.Short(p), r.limits.Bytes)
	}
	*buf, r.blobs[p] = data, PackBlob(data)
	return nil
}
