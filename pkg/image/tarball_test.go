package image

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

func TestWriteTarball(t *testing.T) {
	dir := t.TempDir()
	idx := mustBuild(t, fakeSpec("bind", "v1"))
	for _, path := range []string{"one/bind.tar", "two/bind.tar", "two/bind.tar"} { // the last one replaces
		if err := WriteTarball(filepath.Join(dir, path), fleet+"bind:v1", idx, arm64); err != nil {
			t.Fatal(err)
		}
	}
	files := snapshot(t, dir)
	if files["one/bind.tar"] != files["two/bind.tar"] || len(files) != 2 {
		t.Errorf("want two equal files and no leftovers, got %d files", len(files))
	}
	tag := name.MustParseReference(fleet + "bind:v1").(name.Tag)
	loaded, err := tarball.ImageFromPath(filepath.Join(dir, "one/bind.tar"), &tag)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Image(loaded); err != nil {
		t.Error(err)
	}
	built, err := find(idx, arm64)
	if err != nil {
		t.Fatal(err)
	}
	want, err := built.RawConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	got, err := loaded.RawConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("config, whose hash is the image's id (-built +loaded):\n%s", diff)
	}
}

// TestWriteTarballOfAll: the archive is an OCI layout with all platforms, under the names that podman and containerd look for.
func TestWriteTarballOfAll(t *testing.T) {
	dir := t.TempDir()
	idx := mustBuild(t, fakeSpec("bind", "v1"))
	if err := WriteTarball(filepath.Join(dir, "bind.tar"), fleet+"bind:v1", idx, arm64); err != nil {
		t.Fatal(err)
	}
	unpacked := filepath.Join(dir, "unpacked")
	mustWrite(t, unpacked, untar(t, filepath.Join(dir, "bind.tar")))
	validateLayout(t, unpacked)
	all, err := ReadLayout(unpacked)
	if err != nil || len(all) != 1 || all[0].Reference != fleet+"bind:v1" {
		t.Fatalf("want one index under its name, got %v, %v", all, err)
	}
	want, err := List(idx)
	if err != nil {
		t.Fatal(err)
	}
	got, err := List(all[0].Index)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got.Platforms) != 2 {
		t.Errorf("(-built +archived):\n%s", diff)
	}
	if name := all[0].desc.Annotations["io.containerd.image.name"]; name != fleet+"bind:v1" {
		t.Errorf("containerd would call it %q", name)
	}
}

// untar returns the files of an archive.
func untar(t *testing.T, path string) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	files := map[string]string{}
	for r := tar.NewReader(f); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if head.Typeflag != tar.TypeReg {
			continue
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[head.Name] = string(body)
	}
}

func TestWriteTarballRefuses(t *testing.T) {
	one := fakeSpec("bind", "v1")
	delete(one.Binaries, arm64)
	cases := map[string]struct {
		reason, ref, want string
		platform          Platform
	}{
		"MissingPlatform": {
			reason: "Another platform's image would not run.", ref: fleet + "bind:v1", platform: arm64,
			want: `tarball of ghcr.io/waybill-dev/bind:v1: no image for linux/arm64, only for ["linux/amd64"]`,
		},
		"NoRegistry": {
			reason: "Engines would each add another default.", ref: "bind:v1", platform: amd64,
			want: `image reference "bind:v1": want registry/repository:tag: `,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			err := WriteTarball(filepath.Join(dir, "bind.tar"), tc.ref, mustBuild(t, one), tc.platform)
			if err == nil || !strings.HasPrefix(err.Error(), tc.want) {
				t.Errorf("%s\nWriteTarball: want %q, got %q", tc.reason, tc.want, errorText(err))
			}
			if files := snapshot(t, dir); len(files) != 0 {
				t.Errorf("%s\nleft behind: %v", tc.reason, len(files))
			}
		})
	}
}
