//go:build !linux

package usage

import "os"

// Peak is not known on this system.
func Peak(*os.ProcessState) int64 { return 0 }

// Prepare does nothing on this system.
func Prepare() {}
