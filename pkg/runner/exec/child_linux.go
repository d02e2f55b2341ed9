package exec

import (
	"bytes"
	"fmt"
	"os"
	osexec "os/exec"
	"runtime"
	"strconv"
	"syscall"
)

// runUntilParentDies runs cmd, which gets the signal when this process dies. The kernel sends it at the end of the thread that
// started cmd, so this goroutine keeps its thread until cmd has ended.
func runUntilParentDies(cmd *osexec.Cmd, orphan syscall.Signal) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr.Pdeathsig = orphan
	return cmd.Run()
}

// maxRounds bounds the attempts to kill processes that start others faster than they are killed.
const maxRounds = 20

// killMarked kills every process that started after the process first and has mark in its environment,
// and reports whether there was one. It does not find a process that cleared its environment.
func killMarked(mark string, first int) (found bool) {
	for range maxRounds {
		leftover := false
		for _, pid := range startedSince(first) {
			leftover = killIfMarked(pid, mark) || leftover
		}
		if !leftover {
			return found
		}
		found = true
	}
	return found
}

// startedSince are the processes with ids that were assigned after first; or more, once the ids
// wrap around.
func startedSince(first int) (pids []int) {
	last := lastPID()
	if last == first { // which is usual
		return nil
	}
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err == nil && (pid > first || last < first && pid <= last) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// lastPID is the id of the process or thread that started last, 0 when it is not
// known.
func lastPID() int {
	text, _ := os.ReadFile("/proc/loadavg")
	fields := bytes.Fields(text)
	if len(fields) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(string(fields[len(fields)-1]))
	return n
}

// killIfMarked kills a process if it has mark in its environment. It checks again after it has a handle of the
// process, since its id may belong to another process by then.
func killIfMarked(pid int, mark string) bool {
	if !marked(pid, mark) {
		return false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }()
	return marked(pid, mark) && p.Kill() == nil
}

func marked(pid int, mark string) bool {
	environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)) // other users' processes cannot be read
	return err == nil && bytes.Contains(environ, []byte(mark))
}
