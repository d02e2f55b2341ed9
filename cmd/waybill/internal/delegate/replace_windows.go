package delegate

import (
	"errors"
	"os"
	"os/exec"
)

// replace runs a program and ends with its exit code: Windows cannot replace a process. Ctrl+C reaches both.
func replace(program string, args []string) error {
	cmd := exec.Command(program, args[1:]...) // #nosec G204 -- the program that is installed beside this one
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var failed *exec.ExitError
	if err == nil || errors.As(err, &failed) {
		os.Exit(cmd.ProcessState.ExitCode())
	}
	return err
}
