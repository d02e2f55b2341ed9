package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

var programNames = []string{"etcd", "kube-apiserver", "kubectl"}

// smallModule is a module with the programs' names, whose programs do nothing.
func smallModule(t *testing.T) string {
	t.Helper()
	files := map[string]string{"go.mod": "module small\n\ngo 1.26.0\n"}
	for _, name := range programNames {
		files[name+"/main.go"] = "package main\n\nfunc main() {}\n"
	}
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, name), text, 0o600)
	}
	return dir
}

func write(t *testing.T, file, text string, mode os.FileMode) {
	t.Helper()
	err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), mode)) // #nosec G703 -- a test's own folder
	if err != nil {
		t.Fatal(err)
	}
}

// checkLaws holds for every cache that has been filled.
func checkLaws(t *testing.T, c cache) {
	t.Helper()
	if diff := cmp.Diff(programNames, names(t, c.dir)); diff != "" {
		t.Errorf("a filled folder holds the programs and nothing else (-want +got):\n%s", diff)
	}
	before := stats(t, c)
	c.module = "a module that is not there"
	if err := c.fill(); err != nil {
		t.Errorf("a full folder needs no sources: %v", err)
	}
	if diff := cmp.Diff(before, stats(t, c)); diff != "" {
		t.Errorf("what is there stays as it is (-want +got):\n%s", diff)
	}
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func stats(t *testing.T, c cache) (times []string) {
	t.Helper()
	for _, name := range programNames {
		info, err := os.Stat(filepath.Join(c.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		times = append(times, info.ModTime().String())
	}
	return times
}

func TestFill(t *testing.T) {
	cases := map[string]struct {
		reason string
		there  map[string]string
	}{
		"nothing":    {"a first build", nil},
		"a part":     {"what lacks is added", map[string]string{"etcd": "#!/bin/sh\n"}},
		"unfinished": {"what a killed build left is removed", map[string]string{".build-17/etcd": "half"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := cache{Programs: testenv.APIServerPrograms, dir: filepath.Join(t.TempDir(), "new [1]"), ours: true, module: smallModule(t)}
			for name, text := range tc.there {
				write(t, filepath.Join(c.dir, name), text, 0o700)
			}
			if err := c.fill(); err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			for name, text := range tc.there {
				if got, err := os.ReadFile(filepath.Join(c.dir, name)); err == nil && string(got) != text { // #nosec G304 -- a test's own folder
					t.Errorf("%s: %s was built again", tc.reason, name)
				}
			}
			checkLaws(t, c)
		})
	}
}

// TestFillAtOnce has several fill one folder: none may fail, and none may see half a program.
func TestFillAtOnce(t *testing.T) {
	c := cache{Programs: testenv.APIServerPrograms, dir: t.TempDir(), ours: true, module: smallModule(t)}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if err := c.fill(); err != nil {
				t.Error(err)
			}
			if err := exec.Command(filepath.Join(c.dir, "etcd")).Run(); err != nil { // #nosec G204 -- a test's own program
				t.Errorf("a program that is there is whole: %v", err)
			}
		})
	}
	all.Wait()
	checkLaws(t, c)
}

func TestFaults(t *testing.T) {
	broken := smallModule(t)
	write(t, filepath.Join(broken, "kubectl/main.go"), "package main\n\nfunc main() { nothing }\n", 0o600)
	cases := map[string]struct {
		reason string
		c      cache
		want   string
	}{
		"not ours":  {"a folder of others is not written to", cache{Programs: testenv.APIServerPrograms, dir: t.TempDir(), module: smallModule(t)}, "lacks etcd, kube-apiserver, kubectl: complete it, or unset KUBEBUILDER_ASSETS to have all of it built"},
		"broken":    {"a build that fails leaves nothing", cache{Programs: testenv.APIServerPrograms, dir: t.TempDir(), ours: true, module: broken}, "build etcd, kube-apiserver, kubectl: exit status 1"},
		"no module": {"a wrong folder of sources", cache{Programs: testenv.APIServerPrograms, dir: t.TempDir(), ours: true, module: filepath.Join(broken, "none")}, "no such file or directory"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			err := tc.c.fill()
			if err == nil || !strings.HasSuffix(err.Error(), tc.want) {
				t.Errorf("%s: want %q, got %v", tc.reason, tc.want, err)
			}
			if left := names(t, tc.c.dir); len(left) > 0 {
				t.Errorf("%s: found %v", tc.reason, left)
			}
		})
	}
}

func TestLinkerFlags(t *testing.T) {
	cases := map[string]struct {
		reason   string
		programs testenv.Programs
		want     string
	}{
		"stamped": {"clients decide by the version that a server names", testenv.Programs{Version: "v1.36.3", Stamp: "k8s.io/component-base/version"},
			"-s -w -X k8s.io/component-base/version.gitVersion=v1.36.3" +
				" -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36"},
		"plain": {"no other program is asked", testenv.Programs{Version: "v1.2.0"}, "-s -w"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, cache{Programs: tc.programs}.linkerFlags()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestParts holds the program to the parts that it builds.
func TestParts(t *testing.T) {
	const want = "name one argument: apiserver, ocm, porch, flux or registry"
	for _, part := range []string{"", "etcd"} {
		if err := fill(".", part); err == nil || err.Error() != want {
			t.Errorf("part %q: want %q, got %v", part, want, err)
		}
	}
}
