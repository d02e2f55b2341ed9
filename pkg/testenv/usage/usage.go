// Package usage runs programs and says what they took: time, processor time and memory.
//
// Shape: a command in, numbers out. Cost: that of the command, and a collection of this process's garbage before it.
// Errors: those of os/exec. What the system does not tell is zero.
// Source: getrusage(2).
package usage

import (
	"os/exec"
	"path/filepath"
	"time"
)

// Taken is what a run of a program took.
type Taken struct {
	Wall, CPU time.Duration // CPU with the system's time for the program
	Peak      int64         // the most memory that it held, in bytes; zero on other systems than Linux
}

// Run runs cmd to its end and says what it took, also when it failed.
func Run(cmd *exec.Cmd) (taken Taken, err error) {
	prepare()
	began := time.Now()
	err = cmd.Run()
	taken.Wall = time.Since(began)
	if state := cmd.ProcessState; state != nil {
		taken.CPU, taken.Peak = state.UserTime()+state.SystemTime(), peak(state)
	}
	return taken, err
}

// Program is the absolute path of a program, for runs in folders of their own.
func Program(name string) (string, error) {
	found, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(found)
}
