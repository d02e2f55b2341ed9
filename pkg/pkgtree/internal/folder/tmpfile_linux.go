package folder

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// CreateWhole makes a file that has its content from the moment it has a name. It reports false when the file system
// cannot do that.
func CreateWhole(dir *os.Root, name string, data []byte) bool {
	in, err := dir.Open(filepath.Dir(name))
	if err != nil {
		return false
	}
	defer in.Close()
	folder := int(in.Fd()) // #nosec G115 -- a file descriptor
	fd, err := unix.Openat(folder, ".", unix.O_WRONLY|unix.O_TMPFILE|unix.O_CLOEXEC, 0o644)
	if err != nil {
		return false
	}
	f := os.NewFile(uintptr(fd), name) // #nosec G115 -- a file descriptor
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return false
	}
	return unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", fd), folder, filepath.Base(name), unix.AT_SYMLINK_FOLLOW) == nil
}
