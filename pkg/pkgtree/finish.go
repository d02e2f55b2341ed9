package pkgtree

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Finish does what is left of a write to dir that was killed: changes that were begun are made, and files
// and folders that were only prepared are removed, unless another process may be at work on them. It reports
// whether there was anything to do.
func Finish(dir string) (did bool, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false, fmt.Errorf("finish a write: %w", err)
	}
	defer root.Close()
	w := staging{dir: dir, in: folders{root: root}}
	defer w.in.close()
	err = locked(dir, syscall.LOCK_EX, func() error {
		if did, err = w.finish(); err != nil {
			return err
		}
		swept, err := sweep(dir, &w.in)
		did = did || swept
		return err
	})
	if err != nil {
		return did, fmt.Errorf("package %q: %w", dir, err)
	}
	return did, nil
}

// busyAbove reports whether another process writes to a folder that dir is in.
func busyAbove(dir string) bool {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return true
	}
	for up := filepath.Dir(abs); up != abs; abs, up = up, filepath.Dir(up) {
		if busy(up, syscall.LOCK_SH) {
			return true
		}
	}
	return false
}

// busy reports whether another process has dir locked so that it cannot be locked in this way.
func busy(dir string, how int) bool {
	f, err := os.Open(dir) // #nosec G304 -- a folder, and nothing is read
	if err != nil {
		return false
	}
	defer f.Close()                                                                        // which unlocks it
	return errors.Is(syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB), syscall.EWOULDBLOCK) // #nosec G115 -- a file descriptor
}
