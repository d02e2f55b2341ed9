package exec

import (
	osexec "os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// The limit must apply before the program's first instruction, and Go cannot set one between fork and
// exec. A shell can: it limits itself and then executes the program. The limit is on data, not on address
// space, of which Go programs reserve far more than they use. Linux refuses memory to a program
// that has more than the limit; it allows the allocation that exceeds it in reserved address space.
var limiter = []string{"/bin/sh", "-c", `ulimit -d "$0" && exec "$@"`}

func canLimitMemory(bytes int64) bool { return runtime.GOOS == "linux" && bytes >= 1024 }

// withMemory is a command that runs argv with at most so many bytes of data; argv itself for 0.
func withMemory(argv []string, bytes int64) ([]string, error) {
	if bytes == 0 {
		return argv, nil
	}
	if _, err := osexec.LookPath(argv[0]); err != nil {
		return nil, err // the shell would report it as an exit status
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

// mentionsMemory reports whether a program reports that it got no memory, in the words of shells, common
// languages and the C library; or crashed because its runtime did not check for that.
func mentionsMemory(stderr string) bool {
	failure := strings.ToLower(stderr)
	for _, word := range []string{"memory", "bad_alloc", "out of space", "allocat", "segmentation"} {
		if strings.Contains(failure, word) {
			return true
		}
	}
	return false
}
