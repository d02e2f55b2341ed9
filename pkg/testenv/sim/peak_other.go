//go:build !linux

package main

import (
	"os"
	"time"
)

// peakOf is not known on this system.
func peakOf(*os.ProcessState) int64 { return 0 }

// usedCPU is not known on this system.
func usedCPU() time.Duration { return 0 }
