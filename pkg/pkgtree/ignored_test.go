package pkgtree

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/pkgtree/internal/folder"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// git runs Git in dir, and returns its output.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return string(out)
}

// TestIgnoredByGit interrupts writes of Secrets after each change: Git ignores staged files.
func TestIgnoredByGit(t *testing.T) {
	testenv.Need(t, testenv.Git)
	from := mustTree(t, map[string]string{"Kptfile": "1", "a": "1", "swap": "1", "sub/b": "1", "sub/gone": "1"})
	to := mustTree(t, map[string]string{"Kptfile": "2", "a": "secret", "swap/x": "secret", "sub/b": "secret", "new/deep/c": "secret"})
	for changes := -1; ; changes++ {
		dir := t.TempDir()
		if err := WriteDir(dir, Tree{}, from); err != nil {
			t.Fatal(err)
		}
		git(t, dir, "init", "--quiet")
		git(t, dir, "add", "--all")
		git(t, dir, "commit", "--quiet", "--message=first")
		if _, more := startWrite(t, dir, from, to, changes); !more {
			return
		}
		git(t, dir, "add", "--all")
		if shown := git(t, dir, "ls-files"); strings.Contains(shown, "waybill") {
			t.Errorf("stopped after %d changes, Git adds staged files:\n%s", changes, shown)
		}
		if shown := git(t, dir, "diff", "--cached"); changes < 0 && strings.Contains(shown, "secret") {
			t.Errorf("stopped before any change, Git adds a Secret:\n%s", shown)
		}
	}
}

// TestMakeDirIgnoredByGit interrupts MakeDir before the rename.
func TestMakeDirIgnoredByGit(t *testing.T) {
	testenv.Need(t, testenv.Git)
	dir := t.TempDir()
	git(t, dir, "init", "--quiet")
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	name, held, err := newStagingFolder(root)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := os.WriteFile(filepath.Join(dir, name, "secret"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if shown := git(t, dir, "status", "--porcelain", "--untracked-files=all"); shown != "" {
		t.Errorf("Git sees staged files:\n%s", shown)
	}
}

// TestStagingAlwaysIgnored watches staging folders that are made and removed: they never hold a staged file without the ignore
// file, and on Linux the ignore file is never empty.
func TestStagingAlwaysIgnored(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	folder := filepath.Join(root.Name(), temporary+"0")
	done, seen := make(chan bool), ""
	var watcher sync.WaitGroup
	watcher.Go(func() {
		for ended := false; !ended; {
			select {
			case <-done:
				ended = true
			default:
			}
			info, err := os.Lstat(filepath.Join(folder, ignoreName))
			if err == nil && info.Size() == 0 && runtime.GOOS == "linux" {
				seen = "an empty " + ignoreName
			}
			left, _ := os.ReadDir(folder)
			if _, still := os.Lstat(filepath.Join(folder, ignoreName)); err != nil && still != nil && len(left) > 1 {
				seen = "a staged file"
			}
		}
	})
	for i := range 100 {
		name, held, err := newStagingFolder(root)
		if err != nil {
			t.Fatal(err)
		}
		for j := range 1000 * (i / 99) {
			if err := root.WriteFile(filepath.Join(name, fmt.Sprintf("secret-%d", j)), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(held.Close(), removeStagingFolder(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	close(done)
	if watcher.Wait(); seen != "" {
		t.Errorf("Git could see %s", seen)
	}
}

// makeStale makes staging folders of killed writes: in dir, above it and beside it.
func makeStale(t *testing.T, dir string) {
	t.Helper()
	for p, text := range map[string]string{
		temporary + "0/package/secret": "x", // a new package
		temporary + "3/folders":        "",  // a write to all of dir
		temporary + "3/1":              "x",
		"p/" + temporary + "0/1":       "x", // a write to the package, and to one below
		"p/sub/" + temporary + "5/7":   "x",
		"p/sub/kept":                   "mine",
	} {
		file := filepath.Join(dir, p)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSweepFrom starts from a subpackage, from the package, from the folder above and from a new package beside it.
func TestSweepFrom(t *testing.T) {
	recoverDir := func(dir string) error { _, err := Recover(dir); return err }
	for name, tc := range map[string]struct {
		reason, at string
		sweep      func(dir string) error
		made       string
	}{
		"below":  {"a render of a subpackage", "p/sub", recoverDir, ""},
		"here":   {"a render of the package", "p", recoverDir, ""},
		"above":  {"a render of the folder above", ".", recoverDir, ""},
		"beside": {"a package is fetched", "q", func(dir string) error { return MakeDir(dir, Tree{}) }, "q/"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			makeStale(t, dir)
			if err := tc.sweep(filepath.Join(dir, tc.at)); err != nil {
				t.Fatal(err)
			}
			want := map[string]string{"p/sub/kept": "mine"}
			if tc.made != "" {
				want[tc.made] = ""
			}
			if diff := cmp.Diff(want, readAll(t, dir)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestSweepParentsSkips puts folders into the parent that look like staging folders, but belong to another user, to a
// running process, or are links. They stay.
func TestSweepParentsSkips(t *testing.T) {
	dir := layOut(t, map[string]string{"p/a": "1", "elsewhere/x": "1", temporary + "0": "-> elsewhere", temporary + "1/1": "x"})
	want := readAll(t, dir)
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	held, err := folder.TryLock(root, temporary+"1")
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if os.Geteuid() == 0 {
		if err := os.Mkdir(filepath.Join(dir, temporary+"2"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(filepath.Join(dir, temporary+"2"), 12345, 12345); err != nil {
			t.Fatal(err)
		}
		want[temporary+"2/"] = ""
	}
	if did, err := Recover(filepath.Join(dir, "p")); did || err != nil {
		t.Errorf("Recover did something: %t %v", did, err)
	}
	if diff := cmp.Diff(want, readAll(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRecoverParent finishes an interrupted write to a folder when a package in it is recovered: the write may have
// changed that package, too.
func TestRecoverParent(t *testing.T) {
	from, to := mustTree(t, map[string]string{"a": "1", "p/b": "1"}), mustTree(t, map[string]string{"a": "2", "p/b": "2"})
	dir := layOut(t, files(from))
	startWrite(t, dir, from, to, 1)
	if did, err := Recover(filepath.Join(dir, "p")); !did || err != nil {
		t.Errorf("Recover did nothing: %t %v", did, err)
	}
	if diff := cmp.Diff(files(to), readAll(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
