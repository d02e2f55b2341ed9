package osfile

import (
	"errors"
	"io/fs"
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// TryLock locks a file until f is closed, if no other process has a lock that excludes this one. The lock is on a byte far
// behind the end of every file: Windows keeps others from reading and writing what is locked.
func TryLock(f *os.File, kind Lock) error {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if kind == Exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	at := windows.Overlapped{Offset: math.MaxUint32 - 1, OffsetHigh: math.MaxInt32}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrLocked
	}
	return err
}

// OwnerOf is the owner of a file: Windows has no numbers for it.
func OwnerOf(fs.FileInfo) (Owner, bool) { return Owner{}, false }

// IsPrivate says why others might write to a file or folder. On Windows, the folder that it is in decides that, and the
// profile of a user, in which caches are by default, is closed to other users.
func IsPrivate(fs.FileInfo) error { return nil }

// Identity identifies a file on this machine: it is not known without opening the file.
func Identity(fs.FileInfo) string { return "" }
