package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// release is the folder with the files of a release of this checkout.
func release(t *testing.T, parts ...testenv.Part) string {
	t.Helper()
	testenv.Need(t, append(parts, testenv.Release)...)
	dir, err := testenv.ReleaseDir()
	must(t, err)
	return dir
}

// releaseFiles are the files of a release with a name of this form, at least one.
func releaseFiles(t *testing.T, dir, form string) (files []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		if regexp.MustCompile("^" + form + "$").MatchString(e.Name()) {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	if len(files) == 0 {
		t.Fatalf("%s has no %s", dir, form)
	}
	return files
}

// checkReleased checks what a program of a release says about itself: its version, or devel in a snapshot, and the commit.
func checkReleased(t *testing.T, dir, said string) {
	t.Helper()
	var metadata struct{ Version, Tag, Commit string }
	must(t, json.Unmarshal([]byte(readText(t, filepath.Join(dir, "metadata.json"))), &metadata))
	version := "v" + metadata.Version
	if version != metadata.Tag {
		version = "devel"
	}
	if !strings.HasPrefix(said, "waybill     "+version+"\ncommit      "+metadata.Commit) {
		t.Errorf("want %s of %s, got:\n%s", version, metadata.Commit, said)
	}
}

// packed is a tar archive of the example fleet's blueprint, without what functions made of it.
func packed(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "blueprint"), 0o755))
	writePackage(t, filepath.Join(dir, "blueprint"), fourWaysExample(t, blueprint).source, unchanged)
	command(t, nil, "tar", "-C", dir, "-cf", dir+".tar", "blueprint")
	return dir + ".tar"
}

// checksums are those that a release lists, by file.
func checksums(t *testing.T, dir string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	for line := range strings.Lines(readText(t, filepath.Join(dir, "checksums.txt"))) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok || sums[name] != "" {
			t.Errorf("checksums.txt: %q", line)
		}
		sums[name] = sum
	}
	return sums
}

// releasedAt is where a file of a release is. The chart and the manifests are made before, in folders beside it.
func releasedAt(dir, name string) string {
	for _, folder := range []string{"..", "../chart"} {
		file := filepath.Join(dir, folder, name)
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return filepath.Join(dir, name)
}

// TestReleaseChecksums compares all files of a release with their checksums, of which none may be missing, and wants the manifests of
// package managers to name these.
func TestReleaseChecksums(t *testing.T) {
	dir := release(t)
	sums, listed := checksums(t, dir), map[string]bool{}
	for name, want := range sums {
		listed[want] = true
		data, err := os.ReadFile(releasedAt(dir, name)) // #nosec G304 -- of our release
		if sum := sha256.Sum256(data); err != nil || hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s: want the checksum %s, got %x, %v", name, want, sum, err)
		}
	}
	for _, file := range releaseFiles(t, dir, `.*\.(tar\.gz|zip|deb|rpm|apk|cdx\.json)`) {
		if sums[filepath.Base(file)] == "" {
			t.Errorf("%s has no checksum", file)
		}
	}
	manifests := 0
	for _, name := range []string{"krew/waybill.yaml", "homebrew/Casks/waybill.rb"} {
		data, err := os.ReadFile(filepath.Join(dir, name)) // #nosec G304 -- of our release
		if os.IsNotExist(err) {                            // nothing for the systems of this package manager was built
			continue
		}
		must(t, err)
		manifests++
		named := regexp.MustCompile(`\b[0-9a-f]{64}\b`).FindAllString(string(data), -1)
		for _, sum := range named {
			if !listed[sum] {
				t.Errorf("%s: %s is the checksum of no file", name, sum)
			}
		}
		if len(named) == 0 {
			t.Errorf("%s has no checksums", name)
		}
	}
	if manifests == 0 {
		t.Error("there are no manifests of package managers")
	}
}

// TestReleaseArchive unpacks the archive for this machine into a folder with nothing else, and shows the example fleet with it, as
// make demo does.
func TestReleaseArchive(t *testing.T) {
	dir := release(t, testenv.Git)
	bin := t.TempDir()
	command(t, nil, "tar", "-C", bin, "-xzf", releaseFiles(t, dir, `waybill_.*_`+runtime.GOOS+`_`+runtime.GOARCH+`\.tar\.gz`)[0])
	path, program := "PATH="+bin+":"+os.Getenv("PATH"), filepath.Join(bin, "waybill")
	checkReleased(t, dir, command(t, nil, program, "version"))
	if out := command(t, []string{"PATH="}, program, "controller", "--help"); !strings.Contains(out, "--leader-elect") {
		t.Errorf("it finds the controllers beside itself:\n%s", out)
	}
	command(t, nil, "tar", "-C", bin, "-xf", packed(t))
	command(t, nil, program, "fn", "render", filepath.Join(bin, "blueprint"))
	sameTree(t, readTree(t, blueprint), readTree(t, filepath.Join(bin, "blueprint")))
	out := command(t, []string{path}, "../../examples/edge-fleet/demo.sh", filepath.Join(t.TempDir(), "demo"))
	if !strings.Contains(out, " of 6 clusters change") {
		t.Errorf("the demo:\n%s", out)
	}
}
