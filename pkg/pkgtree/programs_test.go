package pkgtree

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func checkModes(t *testing.T, dir string, want map[string]os.FileMode) {
	t.Helper()
	for p, mode := range want {
		st, err := os.Stat(filepath.Join(dir, p))
		if err != nil {
			t.Fatal(err)
		}
		if st.Mode().Perm() != mode {
			t.Errorf("%s: its mode is %o, want %o", p, st.Mode().Perm(), mode)
		}
	}
}

// TestPrograms interrupts writes of programs after each change: new files are executable,
// files that existed keep their permissions.
func TestPrograms(t *testing.T) {
	from := mustTree(t, map[string]string{"old": "1", "swap": "1", "kept": "1"})
	to := mustTree(t, map[string]string{"old": "2", "swap/run": "2", "kept": "1", "bin/run": "2", "plain": "2"})
	programs := []string{"old", "swap/run", "kept", "bin/run", "gone"}
	want := map[string]os.FileMode{"old": 0o640, "swap/run": 0o755, "kept": 0o644, "bin/run": 0o755, "plain": 0o644}
	for changes := 0; ; changes++ {
		dir := layOut(t, files(from))
		if err := os.Chmod(filepath.Join(dir, "old"), 0o640); err != nil {
			t.Fatal(err)
		}
		if _, more := startWrite(t, dir, from, to, changes, programs...); !more {
			if changes < to.Len() {
				t.Errorf("there were only %d changes", changes)
			}
			return
		}
		if err := WriteDir(dir, to, to); err != nil {
			t.Fatalf("stopped after %d changes: %v", changes, err)
		}
		checkModes(t, dir, want)
	}
}

// TestProgramsNotInterrupted writes programs without an interruption, also one alone.
func TestProgramsNotInterrupted(t *testing.T) {
	for _, names := range [][]string{{"run"}, {"a/run", "b", "run"}} {
		all := map[string]string{}
		for _, n := range names {
			all[n] = "x"
		}
		dir := t.TempDir()
		if err := WriteDir(dir, Tree{}, mustTree(t, all), "run", "a/run"); err != nil {
			t.Fatal(err)
		}
		checkModes(t, dir, map[string]os.FileMode{"run": 0o755})
		if slices.Contains(names, "b") {
			checkModes(t, dir, map[string]os.FileMode{"a/run": 0o755, "b": 0o644})
		}
	}
}
