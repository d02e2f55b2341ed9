package gitrepo

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// zeros is a repository of a few hundred kilobytes: a package, and beside it blobs of 8 MB, each of zeros but for
// its end.
func zeros(t testing.TB, blobs int) (bare string) {
	t.Helper()
	work, bare := t.TempDir(), gittest.NewBare(t)
	run := func(args ...string) {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = work, gittest.Env()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	run("init", "--quiet", "--initial-branch=main", ".")
	if err := os.MkdirAll(filepath.Join(work, "pkg"), 0o755); err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 8_000_000)
	for i := range blobs {
		copy(data[len(data)-8:], fmt.Sprintf("%08d", i))
		if err := os.WriteFile(filepath.Join(work, fmt.Sprint("blob", i)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(work, "pkg/Kptfile"), []byte("k"), 0o644); err != nil {
		t.Fatal(err)
	}
	run("add", ".")
	run("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "--message=zeros")
	run("push", "--quiet", bare, "main")
	return bare
}

// TestBigBlobsStayPacked takes a package from a repository that unpacks to many times its size: memory is for what
// is asked for. What is big and asked for is all there.
func TestBigBlobsStayPacked(t *testing.T) {
	bare := zeros(t, 6)
	bounds := Bounds{Total: 4 << 20}
	f, err := FetchPackage(t.Context(), bare, "pkg", "main", Options{Bounds: bounds})
	if err != nil || f.Tree.Len() != 1 {
		t.Fatalf("the package is small, and was not taken: %v", err)
	}
	before := heap()
	repo, err := Open(t.Context(), bare, Options{Bounds: bounds})
	if err != nil {
		t.Fatal(err)
	}
	if held := heap() - before; held > 4<<20 {
		t.Errorf("%d bytes are held", held)
	}
	commit, err := repo.Resolve("main")
	if err != nil {
		t.Fatal(err)
	}
	all, err := repo.Package(commit, "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		data, _ := all.Get(fmt.Sprint("blob", i))
		if len(data) != 8_000_000 || !bytes.HasSuffix(data, fmt.Appendf(nil, "%08d", i)) {
			t.Errorf("blob%d has %d bytes", i, len(data))
		}
	}
}

// TestWorkHasABound has a pack that would be unpacked for a long time, of which little would be held.
func TestWorkHasABound(t *testing.T) {
	_, err := Open(t.Context(), zeros(t, 6), Options{Bounds: Bounds{Work: 40_000_000}})
	if err == nil || !strings.Contains(err.Error(), "bytes to be unpacked of a pack") {
		t.Errorf("got %v", err)
	}
}

// heap is how many bytes are held.
func heap() int64 {
	var mem runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&mem)
	return int64(mem.HeapAlloc) // #nosec G115 -- of this machine
}
