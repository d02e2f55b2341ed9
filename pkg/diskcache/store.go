package diskcache

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/waybill-dev/waybill/pkg/osfile"
)

// openFolder makes the folder and opens it, as a root that no link leads out of.
func (f *Folder) openFolder() *os.Root {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		f.reportOnce(err)
		return nil
	}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		f.reportOnce(err)
		return nil
	}
	if err := checkOurs(root); err != nil {
		root.Close()
		f.reportOnce(err)
		return nil
	}
	return root
}

// checkOurs refuses a folder to which others may write: the digest of an entry does not say who wrote it.
func checkOurs(root *os.Root) error {
	info, err := root.Stat(".")
	if err != nil {
		return err
	}
	if err := osfile.IsPrivate(info); err != nil {
		return fmt.Errorf("%w and is not used", err)
	}
	return nil
}

// Open opens the entry under k, nil when there is none. It removes a file that is no valid entry.
func (f *Folder) Open(k Key) (*os.File, int64) {
	root := f.open()
	if root == nil {
		return nil, 0
	}
	_, name := k.File()
	info, err := root.Lstat(name)
	if err != nil {
		return nil, 0
	}
	if info.Mode().IsRegular() && info.Size() <= f.limit {
		if file, err := openSame(root, name, info); err == nil {
			return file, info.Size()
		}
	}
	_ = root.Remove(name)
	return nil, 0
}

// openSame opens the file that info describes, and not a file that replaced it since.
func openSame(root *os.Root, name string, info os.FileInfo) (*os.File, error) {
	file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if now, err := file.Stat(); err != nil || !os.SameFile(info, now) || now.Size() != info.Size() {
		file.Close()
		return nil, errors.New("it changed")
	}
	return file, nil
}

// Read returns the entry under k, nil when there is none.
func (f *Folder) Read(k Key) []byte {
	file, size := f.Open(k)
	if file == nil {
		return nil
	}
	defer file.Close()
	data := make([]byte, size)
	if _, err := io.ReadFull(file, data); err != nil {
		return nil
	}
	return data
}

// Used marks the entry under k as valid and most recently used.
func (f *Folder) Used(k Key) {
	if root := f.open(); root != nil {
		_, name := k.File()
		now := time.Now()
		_ = root.Chtimes(name, now, now) // if this fails, the entry is only removed sooner
	}
}

// Remove removes the entry under k.
func (f *Folder) Remove(k Key) {
	if root := f.open(); root != nil {
		_, name := k.File()
		_ = root.Remove(name)
	}
}

// Write stores the parts, one after the other, under k, whole or not at all, and makes room for them.
func (f *Folder) Write(k Key, parts ...[]byte) {
	var size int64
	for _, part := range parts {
		size += int64(len(part))
	}
	root := f.open()
	if root == nil || size > f.Most() {
		return
	}
	if err := write(root, k, parts); err != nil {
		f.reportOnce(err)
		return
	}
	f.makeRoom(root, size)
}

// Temporary is the prefix of the names of files that are being written.
const Temporary = "tmp-"

func write(root *os.Root, k Key, parts [][]byte) error {
	temp := Temporary + rand.Text()
	file, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(file, 64<<10)
	for _, part := range parts {
		_, _ = buffered.Write(part) // Flush repeats the first error
	}
	err = errors.Join(buffered.Flush(), file.Close())
	folder, name := k.File()
	if err == nil {
		if err = root.Mkdir(folder, 0o700); errors.Is(err, os.ErrExist) {
			err = nil
		}
	}
	if err == nil { // not synced: who reads an entry checks it
		err = root.Rename(temp, name)
	}
	if err != nil {
		_ = root.Remove(temp)
	}
	return err
}
