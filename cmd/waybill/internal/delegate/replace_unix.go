//go:build unix

package delegate

import (
	"os"
	"syscall"
)

// replace becomes a program: process, signals and exit code are its own.
func replace(program string, args []string) error {
	return syscall.Exec(program, args, os.Environ()) // #nosec G204 -- the program that is installed beside this one
}
