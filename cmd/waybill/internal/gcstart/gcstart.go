// Package gcstart sets how far the heap grows before the first garbage collection, before most packages are initialised. They
// allocate some 4 MB, which the default would collect at once: a sixth of the time that `waybill --help` takes.
//
// Shape: to import it is to use it. cli.TuneCollector decides about later collections.
// Cost: one microsecond. It imports little: the linker initialises packages in the order of their paths as soon as what they import is.
package gcstart

import (
	"runtime/debug"
	"syscall"
)

// Percent makes the first collection wait for a heap of 64 MiB: the runtime reckons with a live heap of at least 4 MiB.
const Percent = 1600

func init() {
	if _, set := syscall.Getenv("GOGC"); !set {
		debug.SetGCPercent(Percent)
	}
}
