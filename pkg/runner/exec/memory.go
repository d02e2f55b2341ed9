package exec

import (
	osexec "os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// A limit must hold before the program's first instruction, and Go cannot set one between fork and
// exec. The shell can: it limits itself and becomes the program. What counts is data, not address
// space, of which programs written in Go reserve far more than they use. Linux refuses what a program asks for
// once it has more than the limit: what takes it there, in the place of reserved address space, it lets pass.
var limiter = []string{"/bin/sh", "-c", `ulimit -d "$0" && exec "$@"`}

func canLimitMemory(bytes int64) bool { return runtime.GOOS == "linux" && bytes >= 1024 }

// withMemory is a command that runs argv with at most so many bytes of data; argv itself for 0.
func withMemory(argv []string, bytes int64) ([]string, error) {
	if bytes == 0 {
		return argv, nil
	}
	if _, err := osexec.LookPath(argv[0]); err != nil {
		return nil, err // the shell would make an exit status of it
	}
	limited := append(slices.Clone(limiter), strconv.FormatInt(bytes/1024, 10))
	return append(limited, argv...), nil
}

// nameOf is the program that argv runs.
func nameOf(argv []string) string {
	if n := len(limiter) + 1; len(argv) > n && slices.Equal(argv[:len(limiter)], limiter) {
		return argv[n]
	}
	return argv[0]
}

// wantsMemory reports whether a program complains that it got no memory, in the words of shells, the
// usual languages and the C library; also of runtimes that do not even look whether they got it.
func wantsMemory(stderr string) bool {
	said := strings.ToLower(stderr)
	for _, word := range []string{"memory", "bad_alloc", "out of space", "allocat", "segmentation"} {
		if strings.Contains(said, word) {
			return true
		}
	}
	return false
}
