package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// runningProgram is a process, and the processor time of it and of those that it started and that have ended.
type runningProgram struct {
	name, parent string
	used         time.Duration
}

// processorTimes are those of this process and of all that it started, by the name of the program.
func processorTimes(t testing.TB) map[string]time.Duration {
	t.Helper()
	all := runningPrograms(t)
	used, self := map[string]time.Duration{}, strconv.Itoa(os.Getpid())
	for pid, p := range all {
		for at := pid; at != ""; at = all[at].parent {
			if at == self {
				used[p.name] += p.used
				break
			}
		}
	}
	return used
}

// runningPrograms are all processes of the machine, by their number.
func runningPrograms(t testing.TB) map[string]runningProgram {
	t.Helper()
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]runningProgram{}
	for _, folder := range folders {
		stat, err := os.ReadFile(filepath.Join(folder, "stat"))
		if err != nil {
			continue // it has ended
		}
		command, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
		program, _, _ := strings.Cut(string(command), "\x00")
		fields := strings.Fields(string(stat[strings.LastIndex(string(stat), ") ")+2:])) // after the name
		p := runningProgram{name: filepath.Base(program), parent: fields[1]}
		for _, ticks := range fields[11:15] { // utime, stime, cutime, cstime
			n, _ := strconv.ParseInt(ticks, 10, 64)
			p.used += time.Duration(n) * 10 * time.Millisecond // Linux counts a hundred ticks a second
		}
		all[filepath.Base(folder)] = p
	}
	return all
}
