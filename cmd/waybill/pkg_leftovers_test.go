package main

import (
	"strings"
	"testing"
)

// TestPkgLeftovers takes packages from a repository with committed files that are named like those of
// a write in progress: every other file is what it is upstream.
func TestPkgLeftovers(t *testing.T) {
	o := newPkgOrigin(t)
	o.commit(t, "v3", map[string]string{
		"edge/.waybill-tmp-0": "litter\n", "edge/.waybill-tmp-1": "litter\n", "edge/.waybill-tmp-2": "litter\n", "edge/.waybill-journal": "litter\n",
		"edge/.waybill-tmp-3/cm.yaml": plainMap("litter", "1"), "edge/db/.waybill-tmp-0": "litter\n",
	})
	t.Chdir(t.TempDir())
	mustRun(t, "pkg", "get", o.bare+"/edge@v2", "clean")
	mustRun(t, "pkg", "get", o.bare+"/edge@v1", "updated")
	got := mustRun(t, "pkg", "get", o.bare+"/edge@v3", "gotten")
	updated := mustRun(t, "pkg", "update", "updated@v3", "--allow-dirty")
	for _, file := range []string{"web.yaml", "secret.yaml", "notes.txt", "new.yaml", "bin/run.sh", "db/db.yaml"} {
		for _, dir := range []string{"gotten", "updated"} {
			if is, want := readText(t, dir+"/"+file), readText(t, "clean/"+file); withoutPackageName(is) != withoutPackageName(want) {
				t.Errorf("%s/%s holds other bytes:\n%s", dir, file, is)
			}
		}
	}
	for _, dir := range []string{"gotten", "updated"} {
		if n, want := onDisk(t, dir).Len(), onDisk(t, "clean").Len(); n != want {
			t.Errorf("%s has %d files, want %d", dir, n, want)
		}
	}
	for _, says := range []string{
		"warning: .waybill-tmp-0: a temporary file of an interrupted write is not part of a package, and was left out\n",
		"warning: .waybill-tmp-3: a temporary folder of an interrupted write is not part of a package, and was left out\n",
		"warning: db/.waybill-tmp-0: a temporary file of an interrupted write is not part",
	} {
		for _, r := range []cliRun{got, updated} {
			if !strings.Contains(r.stderr, says) {
				t.Errorf("it is not said: %s\n%s", says, r.stderr)
			}
		}
	}
}

// withoutPackageName is text without the lines that name the package, which differ each time.
func withoutPackageName(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "internal.kpt.dev/upstream-identifier") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// TestPkgGetKptfileFolder fetches what cannot be a package, and says what to do.
func TestPkgGetKptfileFolder(t *testing.T) {
	o := newPkgOrigin(t)
	o.commit(t, "v3", map[string]string{"odd/Kptfile/a.yaml": plainMap("a", "1")})
	t.Chdir(t.TempDir())
	r := runCLI(t, "pkg", "get", o.bare+"/odd@v3")
	want := `needs a directory where "Kptfile" is a file; rename that directory: Kptfile must be the file that describes the package`
	if r.code != exitFailed || !strings.Contains(r.stderr, want) {
		t.Errorf("exit code %d, want %s, stderr:\n%s", r.code, want, r.stderr)
	}
	checkOnly(t, ".")
}
