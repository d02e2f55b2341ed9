//go:build unix

package osfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// TryLock locks a file or folder until f is closed, if no other process has a lock that excludes this one.
func TryLock(f *os.File, kind Lock) error {
	how := unix.LOCK_SH
	if kind == Exclusive {
		how = unix.LOCK_EX
	}
	for {
		err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB) // #nosec G115 -- a file descriptor
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrLocked
		}
		return err
	}
}

// OwnerOf is the owner of a file; false where it is not known.
func OwnerOf(info fs.FileInfo) (Owner, bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Owner{}, false
	}
	return Owner{int(s.Uid), int(s.Gid)}, true
}

// IsPrivate says why others might write to a file or folder, nil if only this user can.
func IsPrivate(info fs.FileInfo) error {
	if owner, ok := OwnerOf(info); !ok || owner.User != os.Geteuid() {
		return errors.New("it belongs to another user")
	}
	if info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("others may write to it (mode %04o)", info.Mode().Perm())
	}
	return nil
}

// Identity identifies a file on this machine; "" where it is not known.
func Identity(info fs.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d", s.Dev, s.Ino)
}
