package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// programStarts are the first bytes of the programs of each platform.
var programStarts = map[string]string{
	"linux_amd64": "\x7fELF\x02\x01\x01", "linux_arm64": "\x7fELF\x02\x01\x01",
	"darwin_amd64": "\xcf\xfa\xed\xfe\x07\x00\x00\x01", "darwin_arm64": "\xcf\xfa\xed\xfe\x0c\x00\x00\x01",
	"windows_amd64": "MZ", "windows_arm64": "MZ",
}

// TestReleaseArchives looks into the archives of all platforms that were built, and into the packages, which have the same programs.
func TestReleaseArchives(t *testing.T) {
	dir := release(t)
	for _, file := range releaseFiles(t, dir, `waybill_.*\.(tar\.gz|zip|apk)`) {
		version, platform, ok := strings.Cut(strings.TrimPrefix(filepath.Base(file), "waybill_"), "_")
		platform = regexp.MustCompile(`\.(tar\.gz|zip|apk)$`).ReplaceAllString(platform, "")
		start := programStarts[platform]
		if !ok || start == "" {
			t.Errorf("%s is for no platform that we know", file)
		}
		found := starts(t, file)
		programs, others := []string{"waybill", "waybill-controller"}, []string{"LICENSE", "README.md", "completions/waybill.bash", "completions/_waybill",
			"completions/waybill.fish", "completions/waybill.ps1", "man/man1/waybill.1.gz", "man/man1/waybill-fn-render.1.gz"}
		switch filepath.Ext(file) {
		case ".zip":
			programs = []string{"waybill.exe", "waybill-controller.exe"}
		case ".apk":
			programs, others = []string{"usr/bin/waybill", "usr/bin/waybill-controller"}, []string{"usr/share/licenses/waybill/LICENSE",
				"usr/share/bash-completion/completions/waybill", "usr/share/man/man1/waybill.1.gz"}
		}
		for _, name := range programs {
			if !strings.HasPrefix(found[name], start) {
				t.Errorf("%s: %s is no program of the platform: %q", file, name, found[name])
			}
		}
		for _, name := range others {
			if found[name] == "" {
				t.Errorf("%s has no %s", file, name)
			}
		}
		for _, program := range []string{"waybill", "waybill-controller"} {
			checkSBOM(t, filepath.Join(dir, program+"_"+version+"_"+platform+".cdx.json"))
		}
	}
}

// starts are the first bytes of all files of an archive. An apk is three archives behind each other: signature or none, metadata, files.
func starts(t *testing.T, file string) map[string]string {
	t.Helper()
	found := map[string]string{}
	add := func(name string, r io.Reader) {
		start, err := io.ReadAll(io.LimitReader(r, 8))
		must(t, err)
		found[name] = string(start)
	}
	data, err := os.ReadFile(file) // #nosec G304 -- of our release
	must(t, err)
	if strings.HasSuffix(file, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		must(t, err)
		for _, f := range z.File {
			r, err := f.Open()
			must(t, err)
			add(f.Name, r)
		}
		return found
	}
	packed, err := gzip.NewReader(bytes.NewReader(data))
	must(t, err)
	for r := tar.NewReader(packed); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		must(t, err)
		add(h.Name, r)
	}
}

// checkSBOM wants a document of CycloneDX with the modules of a program.
func checkSBOM(t *testing.T, file string) {
	t.Helper()
	var document struct {
		BOMFormat  string
		Components []struct{ Name, Version string }
	}
	must(t, json.Unmarshal([]byte(readText(t, file)), &document))
	for _, c := range document.Components {
		if c.Name == "github.com/spf13/cobra" && strings.HasPrefix(c.Version, "v") {
			return
		}
	}
	t.Errorf("%s: %s, and %d components without cobra", file, document.BOMFormat, len(document.Components))
}
