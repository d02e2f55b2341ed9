package depcheck

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// makeIn copies files of this tree into an empty folder, commits them there, and returns what runs make in that folder.
func makeIn(t *testing.T, files ...string) (dir string, run func(args ...string)) {
	t.Helper()
	testenv.Need(t, testenv.Git)
	dir = t.TempDir()
	command := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...) // #nosec G204 -- a test
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_AUTHOR_DATE="+copyDate, "GIT_COMMITTER_DATE="+copyDate, "SOURCE_DATE_EPOCH=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
	}
	for _, file := range append(files, "Makefile") {
		from, err := filepath.Abs(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o700); err != nil {
			t.Fatal(err)
		}
		command("cp", "-R", from, file)
	}
	command("git", "init", "--quiet")
	command("git", "add", "--all")
	command("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "commit", "--quiet", "--message=copy")
	return dir, func(args ...string) { command("make", args...) }
}

// TestChartIsReproducible packs the chart twice, in two folders, whose files have other times.
func TestChartIsReproducible(t *testing.T) {
	testenv.Need(t, testenv.Helm)
	helm, err := testenv.HelmProgram()
	if err != nil {
		t.Fatal(err)
	}
	var packed [2][]byte
	for i := range packed {
		dir, run := makeIn(t, "controllers/chart")
		file := filepath.Join(dir, "controllers/chart/values.yaml")
		if err := os.Chtimes(file, time.Time{}, time.Unix(1e9+int64(i)*3600, 0)); err != nil {
			t.Fatal(err)
		}
		run("chart", "HELM="+helm)
		found, err := filepath.Glob(filepath.Join(dir, "dist/chart/*.tgz"))
		if err != nil || len(found) != 1 {
			t.Fatalf("want one chart, got %q, %v", found, err)
		}
		if packed[i], err = os.ReadFile(found[0]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(packed[0], packed[1]) {
		t.Error("the same commit gives two charts")
	}
}

// TestReleaseSignsAll: goreleaser signs what it makes. The chart and the manifests, which it only uploads, are signed before it runs,
// and their signatures are uploaded, too. Programs that only write down how they are called stand in for cosign and goreleaser.
func TestReleaseSignsAll(t *testing.T) {
	dir, run := makeIn(t, ".goreleaser.yaml", "pkg/catalog/catalog.go")
	fakes(t, dir, map[string]string{
		"cosign":               "#!/bin/sh\nfor arg; do case $arg in --bundle=*) echo signature >\"${arg#*=}\" ;; esac; done\n",
		"goreleaser":           "#!/bin/sh\nls dist dist/chart >uploading\n",
		"cyclonedx-gomod":      "#!/bin/sh\n",
		"find":                 "#!/bin/sh\necho \"$PWD/fake/$2\"\n", // go tool -n NAME
		"helm":                 "#!/bin/sh\nif [ \"$1\" = package ]; then echo chart >dist/chart/waybill-0.1.0.tgz; fi\n",
		"../dist/install.yaml": "manifests\n",
		"../CHANGELOG.md":      "## [0.1.0] - 2026-12-01\n\n- the first\n",
	})
	run("release", "TAG=v0.1.0", "HELM=fake/helm", "RELEASETOOL=fake/find")
	for _, file := range []string{"install.yaml", "chart/waybill-0.1.0.tgz"} {
		for _, name := range []string{file, file + ".sigstore.json"} {
			if !slices.Contains(uploaded(t, dir), filepath.Join(dir, "dist", name)) {
				t.Errorf("%s is not uploaded: got %q", name, uploaded(t, dir))
			}
		}
		before, err := os.ReadFile(filepath.Join(dir, "uploading")) // #nosec G304 -- a folder of the test
		if err != nil || !strings.Contains(string(before), filepath.Base(file)+".sigstore.json") {
			t.Errorf("%s is signed too late", file)
		}
	}
}

// TestReleaseImages: the images of a release name it, with its commit and date, and each is signed by its digest.
func TestReleaseImages(t *testing.T) {
	dir, run := makeIn(t, "pkg/catalog/catalog.go")
	fakes(t, dir, map[string]string{
		"cosign":          "#!/bin/sh\necho cosign \"$@\" >>log\n",
		"find":            "#!/bin/sh\necho \"$PWD/fake/$2\"\n", // go tool -n NAME
		"go":              "#!/bin/sh\necho 0\n",
		"../bin/waybill":  "#!/bin/sh\necho waybill \"$@\" >>log\nprintf 'IMAGE  DIGEST  STATE\\na.example/b:v0.1.0  sha256:0a  pushed\\n'\n",
		"../CHANGELOG.md": "## [0.1.0] - 2026-12-01\n\n- the first\n",
	})
	t.Setenv("PATH", filepath.Join(dir, "fake")+":"+os.Getenv("PATH"))
	run("release-images", "TAG=v0.1.0", "RELEASETOOL=fake/find")
	log, err := os.ReadFile(filepath.Join(dir, "log")) // #nosec G304 -- a folder of the test
	if err != nil {
		t.Fatal(err)
	}
	const variable = "-X github.com/waybill-dev/waybill/cmd/waybill/internal/version."
	for _, want := range []string{
		"waybill image build", " --ldflags=" + variable + "release=v0.1.0 " + variable + "commit=",
		variable + "date=" + copyDate + "\n", "cosign sign --yes a.example/b@sha256:0a\n",
	} {
		if !strings.Contains(string(log), want) {
			t.Errorf("want %q in\n%s", want, log)
		}
	}
}

// fakes writes programs and other files into a folder, fake, of dir.
func fakes(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, "fake", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o700); err != nil { // #nosec G306 -- programs
			t.Fatal(err)
		}
	}
}

// uploaded are the files that goreleaser uploads beside its own.
func uploaded(t *testing.T, dir string) (files []string) {
	t.Helper()
	var config struct {
		Release struct {
			Extra []struct{ Glob string } `json:"extra_files"`
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, ".goreleaser.yaml")), &config); err != nil {
		t.Fatal(err)
	}
	for _, extra := range config.Release.Extra {
		found, err := filepath.Glob(filepath.Join(dir, extra.Glob))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	return files
}
