package memo

import (
	"fmt"
	"os"
	"sync"
	"syscall"
)

// build identifies this program on this machine: by the place of its file on disk and the times of the last
// change, which users cannot set. A digest of the file would take longer than most
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
