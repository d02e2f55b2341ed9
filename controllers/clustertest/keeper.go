package clustertest

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// kept is a program that ends when this process does, however that happens: a panic, a time limit and
// SIGKILL run no clean-up of ours. A shell holds the program and one end of a pipe, whose other end
// only this process has; when that closes, the shell acts.
type kept struct {
	lifeline io.Closer
	ended    chan struct{} // closed when program and shell are gone
}

const (
	// keepProgram runs its arguments until the pipe closes, and then kills what it runs. It ends with
	// the program, if that ends by itself.
	keepProgram = `exec 3<&0
"$@" 3<&- </dev/null & program=$!
{ read -r _ <&3; kill -9 $program; } & watch=$!
wait $program
kill -9 $watch`
	// removeFolder removes its argument when the pipe closes. What writes there is being killed at the
	// same time, so that one try may not be enough.
	removeFolder = `read -r _
for _ in 1 2 3 4 5 6 7 8 9; do rm -rf -- "$1" && exit; sleep 0.1; done`
)

// keep runs a shell script of the above. If the file log has a name, it is run in that file's folder, and
// what it and its program say is appended to the file.
func keep(script, log string, args ...string) (*kept, error) {
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
	k := &kept{lifeline: lifeline, ended: make(chan struct{})}
	go func() {
		defer close(k.ended)
		_ = cmd.Wait() // killed or not: it is gone
	}()
	return k, nil
}

// end has the script do its last act and waits until that is done. Nothing happens to one that has ended.
func (k *kept) end() {
	_ = k.lifeline.Close() // it may have been closed because the script has ended
	<-k.ended
}

// running reports whether the script is.
func (k *kept) running() bool {
	if k == nil {
		return false
	}
	select {
	case <-k.ended:
		return false
	default:
		return true
	}
}
