package pkgtree

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFewOpenFiles makes and changes a package with many nested folders on many processors, in a process that may open few files.
func TestFewOpenFiles(t *testing.T) {
	old, changed := map[string]string{}, map[string]string{}
	for i := range 4 * partSize {
		p := strconv.Itoa(i) + strings.Repeat("/nested", 40) + "/file"
		old[p], changed[p] = "old", "changed"
	}
	from, to := mustTree(t, old), mustTree(t, changed)
	dir := filepath.Join(t.TempDir(), "package")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	allowOpen(t, 56)
	if err := MakeDir(dir, from); err != nil {
		t.Fatal(err)
	}
	if err := WriteDir(dir, from, to); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(files(to), readAll(t, dir)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// allowOpen bounds how many more files this process may open, until the test ends.
func allowOpen(t *testing.T, more int) {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &was); err != nil {
			t.Error(err)
		}
	})
	few := was
	few.Cur = uint64(len(open) + more)
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
		t.Fatal(err)
	}
}
