package spdx

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const repository = "ghcr.io/waybill-dev/set-image"

var license = License{ID: "Apache-2.0", Source: "https://github.com/waybill-dev/waybill"}

// buildInfo is what the go command records, with every peculiarity of a version.
func buildInfo(deps ...*debug.Module) *debug.BuildInfo {
	const module = "github.com/waybill-dev/waybill"
	return &debug.BuildInfo{
		GoVersion: "go1.26.8", Path: module + "/functions/set-image", Main: debug.Module{Path: module, Version: "(devel)"},
		Deps: append([]*debug.Module{
			{Path: "github.com/Masterminds/sprig/v3", Version: "v3.3.0", Sum: "h1:mQh0Yrg1XPo6vjYXgtf5OtijNAKJRNcTdOOGZe3tPhs="},
			{Path: "github.com/docker/cli", Version: "v29.7.2+incompatible"},
			{Path: "example.test/old", Version: "v1.0.0", Replace: &debug.Module{Path: "example.test/fork", Version: "v1.0.1"}},
		}, deps...),
	}
}

func binaries() []Binary {
	return []Binary{
		{Image{repository, "v0.1.0", "sha256:0a", "amd64"}, buildInfo()},
		{Image{repository, "v0.1.0", "sha256:0b", "arm64"}, buildInfo(&debug.Module{Path: "example.test/arm", Version: "v0.1.0"})},
	}
}

// TestMarshal has the document of an index and that of one of its images.
func TestMarshal(t *testing.T) {
	all := binaries()
	for file, tc := range map[string]struct {
		described Image
		binaries  []Binary
	}{
		"testdata/index.spdx.json": {Image{repository, "v0.1.0", "sha256:0c", ""}, all},
		"testdata/image.spdx.json": {all[1].Image, all[1:]},
		"testdata/empty.spdx.json": {all[0].Image, []Binary{{Image: all[0].Image}}},
	} {
		t.Run(file, func(t *testing.T) {
			got, err := Marshal(tc.described, tc.binaries, license)
			if err != nil {
				t.Fatal(err)
			}
			checkLaws(t, got)
			if again, err := Marshal(tc.described, tc.binaries, license); err != nil || !bytes.Equal(got, again) {
				t.Errorf("the same input gives other bytes: %v", err)
			}
			if *update {
				if err := os.WriteFile(file, got, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// checkLaws holds a document to what SPDX 2.3 demands of every document.
func checkLaws(t *testing.T, text []byte) {
	t.Helper()
	var d document
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{d.ID: true}
	for _, p := range d.Packages {
		if known[p.ID] || !regexp.MustCompile(`^SPDXRef-[a-zA-Z0-9.-]+$`).MatchString(p.ID) {
			t.Errorf("%q is no identifier, or that of two packages", p.ID)
		}
		if p.Name == "" || p.DownloadLocation == "" || p.FilesAnalyzed {
			t.Errorf("%s: a package has a name, a location, and no list of files: %+v", p.ID, p)
		}
		known[p.ID] = true
	}
	described := 0
	for _, r := range d.Relationships {
		if !known[r.From] || !known[r.To] {
			t.Errorf("a relationship with something that is not there: %+v", r)
		}
		if r.From == d.ID && r.Type == "DESCRIBES" {
			described++
		}
	}
	if described != 1 {
		t.Errorf("a document describes one image, this one %d", described)
	}
}
