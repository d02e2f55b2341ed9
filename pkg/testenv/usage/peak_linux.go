package usage

import (
	"os"
	"runtime/debug"
	"syscall"
)

// peak is the most memory that the process held, in bytes; zero on other systems than Linux.
func peak(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss << 10
}

// prepare is called before a process is started whose peak is to be measured. Linux counts the most memory that this process, its
// parent, ever held as memory of the child. Prepare frees what is unused, and has Linux forget the peak of this process; what it still
// holds counts.
func prepare() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // where this is not allowed, peaks are too high
}
