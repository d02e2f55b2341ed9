package clustertest

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// childProcess is a program that ends when this process does, however that happens: a panic, a time limit and SIGKILL run no
// clean-up of ours. A shell holds the program and one end of a pipe, whose other end only this process has; when the pipe
// closes, the shell acts.
type childProcess struct {
	lifeline io.Closer
	ended    chan struct{} // closed when program and shell are gone
}

const (
	// runScript runs its arguments until the pipe closes, and then kills the program. It ends with the program, if that ends
	// by itself.
	runScript = `exec 3<&0
"$@" 3<&- </dev/null & program=$!
{ read -r _ <&3; kill -9 $program; } & watch=$!
wait $program
kill -9 $watch`
	// removeScript removes its argument when the pipe closes. Programs that write there are killed at the same time, so one
	// attempt may not be enough.
	removeScript = `read -r _
for _ in 1 2 3 4 5 6 7 8 9; do rm -rf -- "$1" && exit; sleep 0.1; done`
)

// startChild runs one of these scripts. With the name of a file log, it runs in the folder of the file, and appends its
// output and that of its program to the file.
func startChild(script, log string, args ...string) (*childProcess, error) {
	cmd := exec.Command("/bin/sh", append([]string{"-c", script, "sh"}, args...)...) // #nosec G204 -- a script from above
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}                            // Ctrl-C is for the test alone
	if log != "" {
		file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600) // #nosec G304 -- in our folder
		if err != nil {
			return nil, err
		}
		defer file.Close() // the program has its own by then
		cmd.Dir, cmd.Stdout, cmd.Stderr = filepath.Dir(log), file, file
	}
	lifeline, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	k := &childProcess{lifeline: lifeline, ended: make(chan struct{})}
	go func() {
		defer close(k.ended)
		_ = cmd.Wait() // killed or not
	}()
	return k, nil
}

// end closes the pipe and waits until the script has ended. It does nothing for one that has ended.
func (c *childProcess) end() {
	_ = c.lifeline.Close() // an error if the script has ended
	<-c.ended
}

// running reports whether the script runs.
func (c *childProcess) running() bool {
	if c == nil {
		return false
	}
	select {
	case <-c.ended:
		return false
	default:
		return true
	}
}
