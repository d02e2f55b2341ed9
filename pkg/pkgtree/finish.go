package pkgtree

import (
	"fmt"
	"os"
	"syscall"
)

// Finish does what is left of writes to dir that were killed, to folders in it and to those that it is in: changes
// that were begun are made, and files and folders that were only prepared are removed, unless another process may
// be at work on them. It reports whether there was anything to do.
func Finish(dir string) (did bool, err error) {
	did, err = sweepAbove(dir)
	if err != nil {
		return did, err
	}
	here, err := finishOne(dir)
	return did || here, err
}

// finishOne is Finish without the folders that dir is in.
func finishOne(dir string) (did bool, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false, fmt.Errorf("finish a write: %w", err)
	}
	defer root.Close()
	w := staging{dir: dir, in: folders{root: root}}
	defer w.in.close()
	defer w.release()
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
