// Package usage says what a process took: processor time and memory.
//
// Shape: the state of a process that ended in, numbers out. No cost, no errors: what the system does not tell is zero.
// Source: getrusage(2).
package usage

import (
	"os"
	"time"
)

// CPU is the processor time that the process took, with the system's time for it.
func CPU(state *os.ProcessState) time.Duration { return state.UserTime() + state.SystemTime() }
