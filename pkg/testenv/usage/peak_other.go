//go:build !linux

package usage

import "os"

// peak is not known on this system.
func peak(*os.ProcessState) int64 { return 0 }

// prepare does nothing on this system.
func prepare() {}
