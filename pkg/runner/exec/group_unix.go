//go:build unix

package exec

import (
	osexec "os/exec"
	"syscall"
)

// group is a program with the processes that it starts: its process group.
type group struct{ cmd *osexec.Cmd }

// newGroup makes the group of a command that has not started.
func newGroup(cmd *osexec.Cmd) (*group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return &group{cmd}, nil
}

// run runs the command, which gets the signal when this process dies, where the system can do that.
func (g *group) run(orphan syscall.Signal) error { return runUntilParentDies(g.cmd, orphan) }

// terminate asks the program to end.
func (g *group) terminate() error { return g.cmd.Process.Signal(syscall.SIGTERM) }

// runs reports whether the program has not ended.
func (g *group) runs() bool { return g.cmd.Process.Signal(syscall.Signal(0)) == nil }

// kill kills the group and reports whether there was a process in it.
func (g *group) kill() bool { return syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL) == nil }

func (g *group) close() {}
