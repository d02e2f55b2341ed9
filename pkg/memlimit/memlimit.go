// Package memlimit says how much memory this process may use.
//
// Shape: Bytes reads the limits of the process's control groups, version 2 and 1, and of their parents, the memory of the
// machine and GOMEMLIMIT, and returns the least of these and of what Set was given.
// Cost: some small files, read once.
// Errors: none. What cannot be read sets no limit.
// Source: Linux documentation, Control Group v2, "memory.max", and cgroup-v1/memory, "memory.limit_in_bytes".
package memlimit

import (
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Bytes is how much memory this process may use; math.MaxInt64 without any limit.
func Bytes() int64 {
	if n := ofUser.Load(); n > 0 {
		return min(n, found())
	}
	return found()
}

// Set limits this process to so many bytes, and makes the collector work harder near that; 0 removes the limit.
func Set(bytes int64) {
	found() // before the runtime has another limit
	ofUser.Store(bytes)
	Apply()
}

// Apply makes the collector work harder near the limit.
func Apply() {
	applying.Lock() // else the limit of the user, set meanwhile, would be lost
	defer applying.Unlock()
	debug.SetMemoryLimit(Bytes() / 10 * 9)
}

var (
	ofUser   atomic.Int64
	applying sync.Mutex
)

// found is the limit without that of the user.
var found = sync.OnceValue(func() int64 {
	return min(read(os.DirFS("/")), debug.SetMemoryLimit(-1)) // a negative limit changes nothing
})

// read is the least limit in the files of a machine.
func read(root fs.FS) int64 {
	least := machine(root)
	groups, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(groups)) {
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, at, _ := strings.Cut(rest, ":")
		switch {
		case controllers == "":
			least = min(least, group(root, "sys/fs/cgroup", at, "memory.max"))
		case strings.Contains(","+controllers+",", ",memory,"):
			least = min(least, group(root, "sys/fs/cgroup/memory", at, "memory.limit_in_bytes"))
		}
	}
	return least
}

// group is the least limit of a control group and its parents. In a container the group's path may be that of the machine:
// then only the mount's own folder exists, which is that of the group.
func group(root fs.FS, mount, at, file string) int64 {
	least := int64(math.MaxInt64)
	for dir := path.Join(mount, path.Clean("/"+at)); strings.HasPrefix(dir, mount); dir = path.Dir(dir) {
		least = min(least, number(root, path.Join(dir, file)))
	}
	return least
}

// number is the limit in a file: bytes, or "max" for no limit.
func number(root fs.FS, file string) int64 {
	data, err := fs.ReadFile(root, file)
	if err != nil {
		return math.MaxInt64
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	if err != nil || n <= 0 {
		return math.MaxInt64
	}
	return n
}

// machine is how much memory the machine has.
func machine(root fs.FS) int64 {
	data, _ := fs.ReadFile(root, "proc/meminfo")
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" && f[2] == "kB" {
			if n, err := strconv.ParseInt(f[1], 10, 64); err == nil && n > 0 {
				return n << 10
			}
		}
	}
	return math.MaxInt64
}
