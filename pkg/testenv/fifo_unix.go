//go:build unix

package testenv

import "syscall"

// Mkfifo makes a named pipe that only this user can use.
func Mkfifo(path string) error { return syscall.Mkfifo(path, 0o600) }
