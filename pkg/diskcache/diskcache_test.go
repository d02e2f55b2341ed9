package diskcache

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func entry(i int) (Key, []byte) {
	text := fmt.Sprint(i)
	return sha256.Sum256([]byte(text)), bytes.Repeat([]byte(text), 500)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestWriteAndRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	f := New(dir, 0, func(err error) { t.Error(err) })
	k, data := entry(1)
	if f.Read(k) != nil {
		t.Error("an empty folder has an entry")
	}
	f.Write(k, data[:3], nil, data[3:])
	if got := New(dir, 0, nil).Read(k); !bytes.Equal(got, data) {
		t.Errorf("the parts come back as %q", got)
	}
	_, name := k.File()
	for p, want := range map[string]os.FileMode{dir: 0o700, filepath.Dir(filepath.Join(dir, name)): 0o700, filepath.Join(dir, name): 0o600} {
		if info, err := os.Stat(p); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, want %v (%v)", p, info.Mode().Perm(), want, err)
		}
	}
	f.Remove(k)
	if f.Read(k) != nil {
		t.Error("a removed entry is there")
	}
}

// TestNoEntry puts other things where an entry should be: each is removed, and none is followed.
func TestNoEntry(t *testing.T) {
	for name, put := range map[string]func(p string) error{
		"link":   func(p string) error { return os.Symlink("/etc/passwd", p) },
		"folder": func(p string) error { return os.Mkdir(p, 0o700) },
		"huge":   func(p string) error { return os.WriteFile(p, make([]byte, 1<<16), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			must(t, os.Chmod(dir, 0o700))
			k, _ := entry(1)
			folder, file := k.File()
			must(t, os.Mkdir(filepath.Join(dir, folder), 0o700))
			must(t, put(filepath.Join(dir, file)))
			if got := New(dir, 1<<15, nil).Read(k); got != nil {
				t.Errorf("it is read as %q", got)
			}
			if _, err := os.Lstat(filepath.Join(dir, file)); !os.IsNotExist(err) {
				t.Errorf("it stays: %v", err)
			}
		})
	}
}

func TestRoom(t *testing.T) {
	dir, limit := t.TempDir(), int64(20_000)
	must(t, os.Chmod(dir, 0o700))
	f := New(dir, limit, func(err error) { t.Error(err) })
	oldest, data := entry(10)
	f.Write(oldest, data)
	_, name := oldest.File()
	then := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(filepath.Join(dir, name), then, then))
	f.Used(oldest)
	next, data := entry(11)
	f.Write(next, data)
	_, name = next.File()
	must(t, os.Chtimes(filepath.Join(dir, name), then, then))
	for i := 12; i < 31; i++ {
		k, data := entry(i)
		f.Write(k, data)
	}
	if held := f.clean(f.open()); held > limit || f.Read(next) != nil {
		t.Errorf("it holds %d bytes, or what was not used for longest", held)
	}
	huge, _ := entry(99)
	f.Write(huge, make([]byte, f.Most()+1))
	if f.Read(huge) != nil {
		t.Error("an entry that would push out the others is kept")
	}
}

func TestOpenToOthers(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o770))
	var told []error
	f := New(dir, 0, func(err error) { told = append(told, err) })
	k, data := entry(1)
	f.Write(k, data)
	f.Write(k, data)
	if f.Read(k) != nil || len(told) != 1 || !strings.Contains(told[0].Error(), "others may write to it (mode 0770)") {
		t.Errorf("a folder that others may write to is used, or said to be useless %d times: %v", len(told), told)
	}
}

// TestTogether is for the race detector, too.
func TestTogether(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	var all sync.WaitGroup
	for range 4 {
		f := New(dir, 30_000, func(err error) { t.Error(err) })
		for range 2 {
			all.Go(func() {
				for i := range 60 {
					k, want := entry(i)
					f.Write(k, want)
					if got := f.Read(k); got != nil && !bytes.Equal(got, want) {
						t.Errorf("entry %d is half there", i)
					}
				}
			})
		}
	}
	all.Wait()
}
