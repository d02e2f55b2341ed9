package pkgtree

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// longestWait is far longer than any package takes to be written.
const longestWait = 10 * time.Second

// locked calls do while no other process of ours writes to dir, and none reads it if how is
// syscall.LOCK_EX. Where folders cannot be locked, it does without.
func locked(dir string, how int, do func() error) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close() // which unlocks it
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB) // #nosec G115 -- a file descriptor
		switch {
		case !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR):
			return do()
		case time.Since(began) > longestWait:
			return fmt.Errorf("another process has been writing to it for %s", longestWait)
		}
	}
}
