package memo

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// openFolder makes the folder and opens it, as a root that no link leads out of.
func (c *Cache) openFolder() *os.Root {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		c.tell(err)
		return nil
	}
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		c.tell(err)
		return nil
	}
	if err := checkOurs(root); err != nil {
		root.Close()
		c.tell(err)
		return nil
	}
	return root
}

// checkOurs refuses a folder in which others can put entries: an entry's digest says that it is whole,
// not who wrote it.
func checkOurs(root *os.Root) error {
	info, err := root.Stat(".")
	if err != nil {
		return err
	}
	if s, ok := info.Sys().(*syscall.Stat_t); !ok || int64(s.Uid) != int64(os.Geteuid()) {
		return errors.New("it belongs to another user and is not used")
	}
	if info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("others may write to it (mode %04o) and it is not used", info.Mode().Perm())
	}
	return nil
}

// get returns the answer under k, nil when there is none. What stands there and is none is removed.
func (c *Cache) get(k key) *answer {
	root := c.open()
	if root == nil {
		return nil
	}
	_, name := k.file()
	info, err := root.Lstat(name)
	if err != nil {
		return nil
	}
	if info.Mode().IsRegular() && info.Size() <= c.limit {
		if data, err := readAll(root, name, info); err == nil {
			if a := readEntry(k, data); a != nil {
				now := time.Now()
				_ = root.Chtimes(name, now, now) // used last; without it, it only goes sooner
				return a
			}
		}
	}
	_ = root.Remove(name)
	return nil
}

// readAll reads the file that info is of, and not what took its place since.
func readAll(root *os.Root, name string, info os.FileInfo) ([]byte, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if now, err := f.Stat(); err != nil || !os.SameFile(info, now) || now.Size() != info.Size() {
		return nil, errors.New("it changed")
	}
	data := make([]byte, info.Size())
	_, err = io.ReadFull(f, data)
	return data, err
}

// put keeps an answer, whole or not at all, and makes room for it.
func (c *Cache) put(k key, a *answer) {
	root := c.open()
	if root == nil || a.size() > c.limit/4 { // one answer must not push out everything else
		return
	}
	if err := write(root, k, a); err != nil {
		c.tell(err)
		return
	}
	c.makeRoom(root, a.size())
}

// temporary is how the names of files begin that are being written.
const temporary = "tmp-"

func write(root *os.Root, k key, a *answer) error {
	temp := temporary + rand.Text()
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	for _, part := range [][]byte{a.head(k), a.stdout, a.stderr} {
		if err == nil {
			_, err = f.Write(part)
		}
	}
	err = errors.Join(err, f.Close())
	folder, name := k.file()
	if err == nil {
		if err = root.Mkdir(folder, 0o700); errors.Is(err, os.ErrExist) {
			err = nil
		}
	}
	if err == nil { // not synced: after a crash of the machine the digest tells what was lost
		err = root.Rename(temp, name)
	}
	if err != nil {
		_ = root.Remove(temp)
	}
	return err
}
