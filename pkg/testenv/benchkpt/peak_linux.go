package main

import (
	"os"
	"syscall"
)

// peakOf is the most memory that a program held, in bytes.
func peakOf(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss << 10
}
