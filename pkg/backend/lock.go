package backend

import (
	"errors"
	"os"
	"syscall"
)

// lock keeps other processes from a file until it is closed. Where files cannot be locked, it does without.
func lock(f *os.File) error { return lockAs(f, syscall.LOCK_EX) }

// lockToRead keeps those from a file that lock it, and lets others read.
func lockToRead(f *os.File) error { return lockAs(f, syscall.LOCK_SH) }

func lockAs(f *os.File, how int) error {
	err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB) // #nosec G115 -- a file descriptor
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errors.New("another process has it open")
	}
	return nil
}
