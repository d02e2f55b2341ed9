package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSinkIsSafe gives sink streams that want out of the folder, or in by half. Each is refused by the
// name of what is at fault, and nothing is written anywhere.
func TestSinkIsSafe(t *testing.T) {
	long := strings.Repeat("n", 300) + ".yaml"
	cases := map[string]struct{ reason, stdin, says string }{
		"up":            {"a way out", placed("../x.yaml"), `ConfigMap m (../x.yaml): path "../x.yaml" leads out of the folder`},
		"up inside":     {"a way out and in again", placed("../out/x.yaml"), "leads out of the folder"},
		"by detour":     {"a way out by a folder", placed("a/../../x.yaml"), "leads out of the folder"},
		"absolute":      {"an absolute path", placed("/tmp/x.yaml"), "package paths may not be absolute paths"},
		"the folder":    {"the folder itself", placed("a/.."), "is a folder"},
		"above":         {"the one above", placed(".."), "is a folder"},
		"backslash":     {"a way out on other systems", placed(`..\x.yaml`), "backslash"},
		"NUL":           {"no file name can hold it", placed(`"a\0.yaml"`), "control character"},
		"line":          {"nor is a line break one's friend", placed(`"a\n.yaml"`), "control character"},
		"terminal":      {"what writes to the terminal", placed(`"\e[2J.yaml"`), "control character"},
		"git hook":      {"what Git would run", placed(".git/hooks/post-checkout"), "lies in a .git directory"},
		"git disguised": {"what some file systems take for it", placed(".GIT./config"), "lies in a .git directory"},
		"namespace":     {"a namespace that is a path", "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n  namespace: ../../etc\n", "leads out of the folder"},
		"name":          {"a name that is a path", "apiVersion: v1\nkind: A\nmetadata:\n  name: b/../../../a\n", "leads out of the folder"},
		"kind":          {"a kind that is a path", "apiVersion: v1\nkind: ../A\nmetadata:\n  name: a\n", "leads out of the folder"},
		"package path":  {"a package somewhere else", listHead + item("a", "      config.kubernetes.io/path: ../x.yaml\n      internal.config.kubernetes.io/package-path: /etc/passwd\n"), "leads out of the folder"},
		"one of many":   {"even if all else is valid", mapFile + "---\n" + placed("../x.yaml"), "leads out of the folder"},
		"too long":      {"a name that no disk holds: the other file is not written either", mapFile + "---\n" + placed(long), `write package "out": `},
		"file, folder":  {"a file that is a folder", placed("a") + "---\n" + placed("a/b.yaml"), `needs a directory where "a" is a file`},
		"half a stream": {"a stream that broke off", listHead + "- apiVersion: v1\n  kind: \"Conf", "not valid YAML"},
		"index":         {"an index that is none", listHead + item("a", "      config.kubernetes.io/path: x.yaml\n      config.kubernetes.io/index: first\n"), `index "first" is not a number`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			r := runCLIOn(t, tc.stdin, "fn", "sink", "out")
			if r.code != exitFailed || r.stdout != "" || !strings.Contains(r.stderr, tc.says) || strings.Count(r.stderr, "\n") != 1 {
				t.Errorf("%s: exit code %d, stdout %q, stderr %q; want: %s", tc.reason, r.code, r.stdout, r.stderr, tc.says)
			}
			if left := everything(t, dir); len(left) != 1 {
				t.Errorf("%s: something was written: %v", tc.reason, left)
			}
		})
	}
}

// TestSinkLeavesLinksAlone writes through no link at the place of DIR, wherever it leads.
func TestSinkLeavesLinksAlone(t *testing.T) {
	for name, target := range map[string]string{"to a folder": "there", "to nothing": "nowhere", "to a file": "there/file", "to itself": "out"} {
		t.Run(name, func(t *testing.T) {
			dir := writeArchive(t, "-- there/file --\nx\n")
			t.Chdir(dir)
			if err := os.Symlink(target, "out"); err != nil {
				t.Fatal(err)
			}
			before := everything(t, dir)
			r := runCLIOn(t, mapFile, "fn", "sink", "out")
			if r.code != exitFailed || !strings.Contains(r.stderr, `directory "out" already exists`) {
				t.Errorf("exit code %d, stderr %q", r.code, r.stderr)
			}
			if diff := cmp.Diff(before, everything(t, dir)); diff != "" {
				t.Errorf("(-before +after):\n%s", diff)
			}
		})
	}
}

// TestSinkWritesWhole makes DIR of any spelling, deep or not, with permissions for everyone and nothing
// left beside it.
func TestSinkWritesWhole(t *testing.T) {
	for _, dir := range []string{"out", "out/", "./a/b/../out", "deep/er/out"} {
		t.Run(dir, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if r := runCLIOn(t, mapFile, "fn", "sink", dir); r.code != exitDone || r.stdout+r.stderr != "" {
				t.Fatalf("exit code %d, stdout %q, stderr %q", r.code, r.stdout, r.stderr)
			}
			clean := filepath.Clean(dir)
			entries, err := os.ReadDir(filepath.Dir(clean))
			if err != nil || fmt.Sprint(entries) != "[d out/]" {
				t.Errorf("beside it: %v %v", entries, err)
			}
			info, err := os.Stat(clean)
			if err != nil || info.Mode().Perm()&0o500 != 0o500 || info.Mode().Perm() == 0o700 {
				t.Errorf("permissions: %v %v", info.Mode(), err)
			}
			text, err := os.ReadFile(filepath.Join(clean, "configmap_m.yaml"))
			if err != nil || string(text) != mapFile {
				t.Errorf("it holds %q %v", text, err)
			}
		})
	}
}

// FuzzSink lets no path lead out of the folder, and writes all of a stream or nothing.
func FuzzSink(f *testing.F) {
	for _, path := range []string{"a.yaml", "../x", "/x", "a/../../x", "..", ".git/x", "a\\b", "", "a..b", "~/x", "$HOME", "x/", "//x", "\x00", "ü.yaml"} {
		f.Add(path, "m")
	}
	f.Add("", "../../m")
	f.Fuzz(func(t *testing.T, path, name string) {
		dir := t.TempDir()
		out := filepath.Join(dir, "in", "out")
		stream := fmt.Sprintf("{\"apiVersion\": \"v1\", \"kind\": \"K\", \"metadata\": {\"name\": %q, \"annotations\": {\"config.kubernetes.io/path\": %q}}}\n---\n%s", name, path, mapFile)
		var err error
		if r := runCLIOn(t, stream, "fn", "sink", out); r.code != exitDone {
			err = errors.New(r.stderr)
		}
		files := 0
		for p, what := range everything(t, dir) {
			if what[0] == '-' {
				files++
			}
			if p != "" && p != "/in" && p != "/in/out" && !strings.HasPrefix(p, "/in/out/") {
				t.Fatalf("path %q, name %q: %s was written", path, name, p)
			}
		}
		if err != nil && files != 0 || err == nil && files == 0 {
			t.Fatalf("path %q, name %q: %d files, %v", path, name, files, err)
		}
	})
}
