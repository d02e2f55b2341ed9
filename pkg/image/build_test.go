package image

import (
	"archive/tar"
	"debug/elf"
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// validateLayout recomputes every digest and size in dir from the bytes on disk.
func validateLayout(t testing.TB, dir string) {
	t.Helper()
	written, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(written); err != nil {
		t.Errorf("law: every digest and size is true: %v", err)
	}
}

// checkLaws checks the laws of every result of Build.
func checkLaws(t testing.TB, s Spec, idx v1.ImageIndex) {
	t.Helper()
	dir := t.TempDir()
	if err := WriteLayout(dir, "ghcr.io/waybill-dev/"+s.Name+":"+s.Version, idx); err != nil {
		t.Fatal(err)
	}
	validateLayout(t, dir)
	first, err := List(idx)
	if err != nil {
		t.Fatal(err)
	}
	again, err := List(mustBuild(t, s))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("law: same input, same digests (-first +again):\n%s", diff)
	}
}

func TestBuildConfig(t *testing.T) {
	s := fakeSpec("set-image", "v1.2.3")
	idx := mustBuild(t, s)
	checkLaws(t, s, idx)
	for _, p := range Platforms() {
		img, err := find(idx, p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := img.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		want := v1.Config{
			Entrypoint: []string{"/usr/local/bin/set-image"},
			Env:        []string{"PATH=/usr/local/bin"},
			User:       "nobody",
			WorkingDir: "/",
			Labels: map[string]string{
				"org.opencontainers.image.title":         "set-image",
				"org.opencontainers.image.description":   "Does set-image.",
				"org.opencontainers.image.version":       "v1.2.3",
				"org.opencontainers.image.source":        "https://github.com/waybill-dev/waybill",
				"org.opencontainers.image.documentation": "https://github.com/waybill-dev/waybill/tree/main/functions/set-image",
				"org.opencontainers.image.licenses":      "Apache-2.0",
			},
		}
		if diff := cmp.Diff(want, got.Config); diff != "" {
			t.Errorf("%s: config (-want +got):\n%s", p, diff)
		}
		if diff := cmp.Diff([]string{p.OS, p.Arch, "1970-01-01T00:00:00Z"}, []string{got.OS, got.Architecture, got.Created.Format(time.RFC3339)}); diff != "" {
			t.Errorf("%s: platform and time (-want +got):\n%s", p, diff)
		}
	}
}

func TestBuildIndex(t *testing.T) {
	idx := mustBuild(t, fakeSpec("set-image", "v1.2.3"))
	index, err := idx.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	var platforms []string
	for _, d := range index.Manifests {
		platforms = append(platforms, d.Platform.String()+" "+string(d.MediaType))
	}
	want := []string{"linux/amd64 " + string(types.OCIManifestSchema1), "linux/arm64 " + string(types.OCIManifestSchema1)}
	if diff := cmp.Diff(want, platforms); diff != "" {
		t.Errorf("manifests, sorted by platform (-want +got):\n%s", diff)
	}
	annotations := map[string]string{
		"types":       index.Annotations["dev.kpt.fn.meta.types"],
		"description": index.Annotations["dev.kpt.fn.meta.description"],
		"title":       index.Annotations["org.opencontainers.image.title"],
	}
	if diff := cmp.Diff(map[string]string{"types": "mutator", "description": "Does set-image.", "title": "set-image"}, annotations); diff != "" {
		t.Errorf("what registries and Porch read from the index (-want +got):\n%s", diff)
	}
	for _, p := range Platforms() {
		img, err := find(idx, p)
		if err != nil {
			t.Fatal(err)
		}
		manifest, err := img.Manifest()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(index.Annotations, manifest.Annotations); diff != "" {
			t.Errorf("%s: not annotated like the index (-index +manifest):\n%s", p, diff)
		}
	}
}

// entry is what a file of the layer must be, content aside.
type entry struct {
	Name     string
	Mode     int64
	UID, GID int
	Unix     int64
}

func TestBuildLayer(t *testing.T) {
	img, err := find(mustBuild(t, fakeSpec("set-image", "v1")), amd64)
	if err != nil {
		t.Fatal(err)
	}
	layers, err := img.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("want one layer, got %d, %v", len(layers), err)
	}
	entries, bodies := readLayer(t, layers[0])
	want := []entry{
		{"etc/", 0o755, 0, 0, 0}, {"etc/group", 0o444, 0, 0, 0}, {"etc/passwd", 0o444, 0, 0, 0},
		{"usr/", 0o755, 0, 0, 0}, {"usr/local/", 0o755, 0, 0, 0}, {"usr/local/bin/", 0o755, 0, 0, 0},
		{"usr/local/bin/set-image", 0o555, 0, 0, 0},
	}
	if diff := cmp.Diff(want, entries); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	wantBodies := map[string]string{
		"etc/group":               "nobody:x:65534:\n",
		"etc/passwd":              "nobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\n",
		"usr/local/bin/set-image": string(fakeBinaries()[amd64]),
	}
	if diff := cmp.Diff(wantBodies, bodies); diff != "" {
		t.Errorf("contents (-want +got):\n%s", diff)
	}
}

func readLayer(t *testing.T, layer v1.Layer) (entries []entry, bodies map[string]string) {
	t.Helper()
	r, err := layer.Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	bodies = map[string]string{}
	for tr := tar.NewReader(r); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return entries, bodies
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, entry{h.Name, h.Mode, h.Uid, h.Gid, h.ModTime.Unix()})
		if h.Typeflag == tar.TypeReg {
			bodies[h.Name] = string(body)
		}
	}
}

// bigEndian turns the fields of a header around that stand before its addresses.
func bigEndian(b []byte) []byte {
	b[elf.EI_DATA] = byte(elf.ELFDATA2MSB)
	for _, half := range []int{16, 18, 54, 58} { // type, machine, sizes of a program and section header
		b[half], b[half+1] = b[half+1], b[half]
	}
	slices.Reverse(b[20:24]) // version
	slices.Reverse(b[32:40]) // offset of program headers
	return b
}

func TestBuildRefuses(t *testing.T) {
	only := func(p Platform, b []byte) map[Platform][]byte { return map[Platform][]byte{p: b} }
	cases := map[string]struct {
		reason string
		spec   Spec
		want   string
	}{
		"NoName": {
			reason: "The name becomes a path in the image and a part of its reference.",
			spec:   Spec{Version: "v1", Binaries: fakeBinaries()},
			want:   `function name "": want a DNS label (lower case letters, digits, '-')`,
		},
		"NameWithPath": {
			reason: "A name must not climb out of /usr/local/bin.",
			spec:   Spec{Name: "../sh", Version: "v1", Binaries: fakeBinaries()},
			want:   `function name "../sh": want a DNS label (lower case letters, digits, '-')`,
		},
		"NoBinary": {
			reason: "An index of nothing pulls as nothing.",
			spec:   Spec{Name: "f", Version: "v1"},
			want:   `function "f": no binary for any platform`,
		},
		"UnknownPlatform": {
			reason: "We can neither check nor run such a binary.",
			spec:   Spec{Name: "f", Version: "v1", Binaries: only(Platform{"plan9", "386"}, nil)},
			want:   `function "f": platform "plan9/386": want one of linux/amd64, linux/arm64`,
		},
		"OtherMachine": {
			reason: "Swapped binaries fail only on the other machine, with an obscure message.",
			spec:   Spec{Name: "f", Version: "v1", Binaries: only(arm64, fakeELF(elf.EM_X86_64, elf.ET_EXEC))},
			want:   `function "f": binary for linux/arm64: built for ELFCLASS64 ELFDATA2LSB EM_X86_64, want EM_AARCH64`,
		},
		"BigEndian": {
			reason: "No such machine exists, so the header lies.",
			spec:   Spec{Name: "f", Version: "v1", Binaries: only(amd64, bigEndian(fakeELF(elf.EM_X86_64, elf.ET_EXEC)))},
			want:   `function "f": binary for linux/amd64: built for ELFCLASS64 ELFDATA2MSB EM_X86_64, want EM_X86_64`,
		},
		"Dynamic": {
			reason: "There is no loader in the image.",
			spec:   Spec{Name: "f", Version: "v1", Binaries: only(amd64, fakeELF(elf.EM_X86_64, elf.ET_DYN, elf.PT_INTERP))},
			want:   `function "f": binary for linux/amd64: dynamically linked, want a static binary (CGO_ENABLED=0)`,
		},
		"Object": {
			reason: "An object file has a machine too, but does not run.",
			spec:   Spec{Name: "f", Version: "v1", Binaries: only(amd64, fakeELF(elf.EM_X86_64, elf.ET_REL))},
			want:   `function "f": binary for linux/amd64: not an executable: ELF type ET_REL`,
		},
		"Script": {
			reason: "There is no shell in the image.",
			spec:   Spec{Name: "f", Version: "v1", Binaries: only(amd64, []byte("#!/bin/sh\nexec cat -- \"$@\"\n"))},
			want:   `function "f": binary for linux/amd64: not an ELF binary: bad magic number '[35 33 47 98]' in record at byte 0x0`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Build(tc.spec)
			if diff := cmp.Diff(tc.want, errorText(err)); diff != "" {
				t.Errorf("%s\nBuild (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
