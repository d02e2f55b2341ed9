//go:build unix

package osfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func open(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// TestTryLock locks files and folders twice: open files have locks of their own, in one process, too.
func TestTryLock(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Dir(file)} {
		for name, tc := range map[string]struct {
			first, second Lock
			want          error
		}{
			"readers": {Shared, Shared, nil}, "a writer keeps a reader away": {Exclusive, Shared, ErrLocked},
			"a reader keeps a writer away": {Shared, Exclusive, ErrLocked}, "writers": {Exclusive, Exclusive, ErrLocked},
		} {
			first, second := open(t, path), open(t, path)
			if err := TryLock(first, tc.first); err != nil {
				t.Errorf("%s: the first lock: %v", name, err)
			}
			if err := TryLock(second, tc.second); !errors.Is(err, tc.want) {
				t.Errorf("%s: %v, want %v", name, err, tc.want)
			}
			_ = first.Close() // which unlocks it
			if err := TryLock(second, tc.second); err != nil {
				t.Errorf("%s: after the first lock: %v", name, err)
			}
			_ = second.Close()
		}
	}
}

// TestIsPrivate wants owner and mode.
func TestIsPrivate(t *testing.T) {
	dir := t.TempDir()
	for mode, want := range map[os.FileMode]string{0o700: "", 0o755: "", 0o775: "others may write to it (mode 0775)", 0o702: "others may write to it (mode 0702)"} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := IsPrivate(info); err != nil {
			got = err.Error()
		}
		if owner, ok := OwnerOf(info); got != want || !ok || owner.User != os.Geteuid() {
			t.Errorf("mode %o: %q of %+v, want %q", mode, got, owner, want)
		}
	}
	root, err := os.Stat("/")
	if err != nil {
		t.Fatal(err)
	}
	if err := IsPrivate(root); (err == nil) != (os.Geteuid() == 0) {
		t.Errorf("the root folder: %v", err)
	}
	other, err := os.Stat(dir)
	if err != nil || Identity(root) == Identity(other) || Identity(root) == "" {
		t.Errorf("%q and %q (%v)", Identity(root), Identity(other), err)
	}
}
