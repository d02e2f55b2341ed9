package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
)

// Split returns the folder of p, and the name of p in it.
func Split(p string) (dir, base string) { return path.Dir(p), path.Base(p) }

// Mode holds the permissions of a new file.
type Mode struct {
	Bits  fs.FileMode
	Exact bool // regardless of the umask
}

// ModeOf is that of the file which st describes.
func ModeOf(st fs.FileInfo) Mode { return Mode{st.Mode().Perm(), true} }

// Create writes data to a new file called name in dir. It reports whether it made the file, which holds data
// if there is no error.
func Create(dir *os.Root, name string, data []byte, mode Mode) (made bool, err error) {
	bits := mode.Bits
	if mode.Exact {
		bits &= 0o600 // until the data is written, only the owner reads it
	}
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, bits)
	if err != nil {
		return false, err
	}
	_, err = f.Write(data)
	if err == nil && mode.Exact {
		err = f.Chmod(mode.Bits)
	}
	return true, errors.Join(err, f.Close())
}

// ReadFile reads the regular file p, which st describes. flag is os.O_RDONLY, or os.O_RDWR to check that
// the file may be written to. It reads into buf if that is large enough.
func (f *Cache) ReadFile(p string, st fs.FileInfo, flag int, buf []byte) ([]byte, error) {
	dir, base := Split(p)
	in, err := f.At(dir, p)
	if err != nil {
		return nil, err
	}
	changed := fmt.Errorf("%s: changed while it was read", Short(p))
	if in == nil {
		return nil, changed
	}
	file, err := in.OpenFile(base, flag, 0)
	if err != nil {
		return nil, Wrap(p, err)
	}
	defer file.Close()
	if now, err := file.Stat(); err != nil || !os.SameFile(st, now) {
		return nil, changed
	}
	data, err := ReadAtMost(file, st.Size()+1, buf)
	return data, Wrap(p, err)
}

// ReadAtMost reads f, up to most bytes, into buf if that is large enough, else into a buffer of the file's size.
func ReadAtMost(f *os.File, most int64, buf []byte) ([]byte, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := int(min(st.Size()+1, most)) // one byte more, to see the end of the file
	if cap(buf) < size {
		buf = make([]byte, size)
	}
	data := buf[:size]
	n, err := io.ReadFull(f, data)
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return data[:n], nil
	case err != nil || int64(n) == most:
		return data, err
	}
	rest, err := io.ReadAll(io.LimitReader(f, most-int64(n))) // the file has grown since
	return append(data, rest...), err
}
