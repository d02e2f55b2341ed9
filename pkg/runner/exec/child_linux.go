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

// tied runs cmd, which gets the signal when we die. It is the end of the thread that started it which
// the kernel looks at, so this goroutine keeps its thread until cmd has ended.
func tied(cmd *osexec.Cmd, orphan syscall.Signal) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr.Pdeathsig = orphan
	return cmd.Run()
}

// mostRounds bounds the hunt after processes that start others faster than they are killed.
const mostRounds = 20

// killMarked kills every process that began since the one called first and has mark in its environment,
// and reports whether there was one. Who has emptied its environment is not found.
func killMarked(mark string, first int) (found bool) {
	for range mostRounds {
		caught := false
		for _, pid := range begunSince(first) {
			caught = killIf(pid, mark) || caught
		}
		if !caught {
			return found
		}
		found = true
	}
	return found
}

// begunSince are the processes with numbers that were given out since first was; a superset, once all
// numbers have been used and the count starts again.
func begunSince(first int) (pids []int) {
	last := lastNumber()
	if last == first { // as it is for most functions
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

// lastNumber is the number that the process or thread which began last was given, 0 when that is not
// known.
func lastNumber() int {
	text, _ := os.ReadFile("/proc/loadavg")
	fields := bytes.Fields(text)
	if len(fields) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(string(fields[len(fields)-1]))
	return n
}

// killIf kills a process if it has mark in its environment. The process is looked at again once there
// is a hold on it, as its number may belong to another one by then.
func killIf(pid int, mark string) bool {
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
	environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)) // only of our user's, others cannot be read
	return err == nil && bytes.Contains(environ, []byte(mark))
}
