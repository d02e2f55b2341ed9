//go:build !linux

package folder

import (
	"os"
)

// CreateWhole works on Linux only.
func CreateWhole(*os.Root, string, []byte) bool { return false }
