package image

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"
)

// note attaches a text to something.
func note(t testing.TB, to partial.Describable, kind, text string) v1.Image {
	t.Helper()
	subject, err := partial.Descriptor(to)
	if err != nil {
		t.Fatal(err)
	}
	a, err := newArtifact(*subject, "text/vnd.example.note", kind, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func writeWith(t testing.TB, dir, version string, attached func(v1.ImageIndex) []v1.Image) {
	t.Helper()
	idx := mustBuild(t, fakeSpec("bind", version))
	if err := WriteLayout(dir, fleet+"bind:v1", idx, attached(idx)...); err != nil {
		t.Fatal(err)
	}
	validateLayout(t, dir)
}

// TestWriteLayoutAttached: what is attached comes and goes with what it is attached to, whatever was there before.
func TestWriteLayoutAttached(t *testing.T) {
	none := func(v1.ImageIndex) []v1.Image { return nil }
	one := func(idx v1.ImageIndex) []v1.Image { return []v1.Image{note(t, idx, "a", "one")} }
	other := func(idx v1.ImageIndex) []v1.Image { return []v1.Image{note(t, idx, "a", "other")} }
	chain := func(idx v1.ImageIndex) []v1.Image {
		first := note(t, idx, "a", "one")
		return []v1.Image{first, note(t, first, "signature", "signed")}
	}
	for name, tc := range map[string]struct {
		reason  string
		version string
		before  func(v1.ImageIndex) []v1.Image
	}{
		"twice":     {"a second write changes nothing", "v1", one},
		"other":     {"a note takes the place of the one before", "v1", other},
		"first":     {"what had none gets one", "v1", none},
		"new image": {"the note of the image before goes with it", "v0", one},
		"chain":     {"and so does what is attached to the note", "v0", chain},
	} {
		t.Run(name, func(t *testing.T) {
			fresh, used := t.TempDir(), t.TempDir()
			writeWith(t, fresh, "v1", one)
			writeWith(t, used, tc.version, tc.before)
			writeWith(t, used, "v1", one)
			if diff := cmp.Diff(snapshot(t, fresh), snapshot(t, used)); diff != "" {
				t.Errorf("%s (-fresh +used):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestWriteLayoutKeepsAttached: another tool's artifact stays, also if the layout never had its subject.
func TestWriteLayoutKeepsAttached(t *testing.T) {
	dir := t.TempDir()
	elsewhere := mustBuild(t, fakeSpec("elsewhere", "v1"))
	writeWith(t, dir, "v1", func(v1.ImageIndex) []v1.Image {
		return []v1.Image{note(t, elsewhere, "a", "of an image that is not here")}
	})
	writeWith(t, dir, "v2", func(v1.ImageIndex) []v1.Image { return nil })
	if files := snapshot(t, dir); !strings.Contains(files["index.json"], "vnd.example.note") {
		t.Errorf("the artifact is gone:\n%s", files["index.json"])
	}
}

// TestReadLayout reads back what was written, and finds damage.
func TestReadLayout(t *testing.T) {
	dir := t.TempDir()
	writeWith(t, dir, "v1", func(idx v1.ImageIndex) []v1.Image { return []v1.Image{note(t, idx, "a", "one")} })
	apply(t, dir, []put{{"bundle", "v1", "v1"}})
	all, err := ReadLayout(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || all[0].Reference != fleet+"bind:v1" || len(all[0].Attached) != 1 || len(all[1].Attached) != 0 {
		t.Fatalf("want bind with a note, and bundle, got %+v", all)
	}
	for _, s := range all {
		if err := s.Verify(); err != nil {
			t.Error(err)
		}
	}
	for path, body := range snapshot(t, dir) {
		if !strings.HasPrefix(path, "blobs/") {
			continue
		}
		mustWrite(t, dir, map[string]string{path: strings.Repeat("x", len(body))})
		found := all[0].Verify() != nil || all[1].Verify() != nil
		mustWrite(t, dir, map[string]string{path: body + "x"})
		if grown := all[0].Verify() != nil || all[1].Verify() != nil; !found || !grown {
			t.Errorf("damage of %s is not found", path)
		}
		mustWrite(t, dir, map[string]string{path: body})
	}
}

func TestReadLayoutRefuses(t *testing.T) {
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"nothing":  {nil, "not an OCI layout: "},
		"no index": {map[string]string{"oci-layout": layoutVersion}, "stat "},
		"missing blob": {map[string]string{"oci-layout": layoutVersion, "index.json": `{"manifests": [{"mediaType": "application/vnd.oci.image.index.v1+json",
			"digest": "sha256:` + strings.Repeat("0a", 32) + `", "size": 3, "annotations": {"org.opencontainers.image.ref.name": "bind"}}]}`},
			"bind: "},
		"no index of images": {map[string]string{"oci-layout": layoutVersion, "index.json": `{"manifests": [{"mediaType": "text/plain",
			"digest": "sha256:` + strings.Repeat("0a", 32) + `", "size": 3, "annotations": {"org.opencontainers.image.ref.name": "bind"}}]}`},
			"bind: "},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "layout")
			mustWrite(t, dir, tc.files)
			_, err := ReadLayout(dir)
			if got, ok := strings.CutPrefix(errorText(err), `OCI layout "`+dir+`": `); !ok || !strings.HasPrefix(got, tc.want) {
				t.Errorf("want %q, got %q", tc.want, errorText(err))
			}
		})
	}
}
