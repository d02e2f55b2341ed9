package main

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// peakOf is the most memory that a program held, in bytes.
func peakOf(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss << 10
}

// inMemory reports whether a folder is on no disk.
func inMemory(dir string) bool {
	var about unix.Statfs_t
	return unix.Statfs(dir, &about) == nil && about.Type == unix.TMPFS_MAGIC
}

// flush writes to the disk of a folder what the system holds for it.
func flush(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	return unix.Syncfs(int(folder.Fd())) // #nosec G115 -- the number of an open file
}
