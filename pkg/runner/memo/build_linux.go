package memo

import (
	"fmt"
	"os"
	"sync"
	"syscall"
)

// build tells this program from every other, on this machine: where its file lies on disk and when that
// was last written or put there, which nobody can set. A digest of it would take longer than most
// renders. It is empty when it is not known.
var build = sync.OnceValue(func() string {
	info, err := os.Stat("/proc/self/exe")
	if err != nil {
		return ""
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d size %d written %d.%09d placed %d.%09d",
		s.Dev, s.Ino, s.Size, s.Mtim.Sec, s.Mtim.Nsec, s.Ctim.Sec, s.Ctim.Nsec)
})
