package main

import (
	"os"

	"golang.org/x/sys/unix"
)

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
