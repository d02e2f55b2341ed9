package usage

import (
	"os"
	"syscall"
)

// Peak is the most memory that the process held, in bytes; zero on other systems than Linux.
func Peak(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss << 10
}
