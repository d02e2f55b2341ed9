package folder

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/waybill-dev/waybill/pkg/osfile"
)

// maxWait is far longer than it takes to write any package.
const maxWait = 10 * time.Second

// Lock calls do while no other process of this program writes to dir and, if kind is osfile.Exclusive, none reads it. On
// file systems without locks on folders it calls do without one.
func Lock(dir string, kind osfile.Lock, do func() error) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close() // which unlocks it
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		switch err := osfile.TryLock(f, kind); {
		case !errors.Is(err, osfile.ErrLocked):
			return do()
		case time.Since(began) > maxWait:
			return fmt.Errorf("another process has been writing to it for %s", maxWait)
		}
	}
}

// TryLockShared keeps other processes from writing to the folders until release is called. free is false when a process
// writes to one of them. Folders that cannot be locked are left out.
func TryLockShared(dirs []string) (release func(), free bool) {
	var held []*os.File
	release = func() {
		for _, f := range held {
			_ = f.Close() // which unlocks it
		}
	}
	for _, dir := range dirs {
		f, err := os.Open(dir) // #nosec G304 -- a folder, and nothing is read
		if err != nil {
			continue
		}
		held = append(held, f)
		if errors.Is(osfile.TryLock(f, osfile.Shared), osfile.ErrLocked) {
			release()
			return func() {}, false
		}
	}
	return release, true
}

// Exists reports whether there is a file or folder called name in the folder in.
func Exists(in *os.Root, name string) bool {
	_, err := in.Lstat(name)
	return err == nil
}

// IsLocked reports whether another process has locked the folder called name in the folder in.
func IsLocked(in *os.Root, name string) bool {
	held, err := TryLock(in, name)
	if held != nil {
		_ = held.Close()
	}
	return errors.Is(err, osfile.ErrLocked)
}

// TryLock locks the folder called name in the folder in until the returned file is closed. It fails when another process
// has locked the folder, and where folders cannot be locked.
func TryLock(in *os.Root, name string) (*os.File, error) {
	f, err := in.Open(name)
	if err != nil {
		return nil, err
	}
	if err := osfile.TryLock(f, osfile.Exclusive); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
