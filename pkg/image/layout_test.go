package image

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const fleet = "ghcr.io/waybill-dev/"

// put is one WriteLayout: the function and version to build, and the tag it is written under.
type put struct{ function, version, tag string }

func apply(t testing.TB, dir string, puts []put) {
	t.Helper()
	for _, p := range puts {
		idx := mustBuild(t, fakeSpec(p.function, p.version))
		if err := WriteLayout(dir, fleet+p.function+":"+p.tag, idx); err != nil {
			t.Fatal(err)
		}
	}
	validateLayout(t, dir)
}

// TestWriteLayoutPaths writes the same references in two ways and wants the same files.
func TestWriteLayoutPaths(t *testing.T) {
	a, b := put{"bind", "v1", "v1"}, put{"bundle", "v1", "v1"}
	old := put{"bind", "v0", "v1"} // another image under a's reference
	cases := map[string]struct {
		reason     string
		left, then []put
	}{
		"Twice":    {reason: "A second write changes nothing.", left: []put{a}, then: []put{a, a}},
		"Order":    {reason: "The order of functions must not show.", left: []put{a, b}, then: []put{b, a}},
		"Replace":  {reason: "What a reference named before goes, blobs included.", left: []put{a}, then: []put{old, a}},
		"Neighbor": {reason: "Replacing one function keeps the other whole.", left: []put{a, b}, then: []put{b, old, a}},
		"TwoTags": {
			reason: "Blobs shared by two tags stay while one tag needs them.",
			left:   []put{a, {"bind", "v1", "stable"}},
			then:   []put{a, {"bind", "v0", "stable"}, {"bind", "v1", "stable"}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			left, then := t.TempDir(), t.TempDir()
			apply(t, left, tc.left)
			apply(t, then, tc.then)
			if diff := cmp.Diff(snapshot(t, left), snapshot(t, then)); diff != "" {
				t.Errorf("%s\n(-one way +the other):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestWriteLayoutFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "on", "demand")
	apply(t, dir, []put{{"bind", "v1", "v1"}})
	files := snapshot(t, dir)
	if diff := cmp.Diff(layoutVersion, files["oci-layout"]); diff != "" {
		t.Errorf("oci-layout (-want +got):\n%s", diff)
	}
	if !strings.Contains(files["index.json"], `"org.opencontainers.image.ref.name": "ghcr.io/waybill-dev/bind:v1"`) {
		t.Errorf("index.json does not name the image:\n%s", files["index.json"])
	}
	// An index, and per platform a manifest, a config and a layer.
	if blobs := len(files) - 2; blobs != 1+2*3 {
		t.Errorf("want 7 blobs, got %d", blobs)
	}
}

// TestListSizes compares what List counts with what the layout holds.
func TestListSizes(t *testing.T) {
	dir := t.TempDir()
	s := fakeSpec("bind", "v1")
	delete(s.Binaries, arm64)
	idx := mustBuild(t, s)
	if err := WriteLayout(dir, fleet+"bind:v1", idx); err != nil {
		t.Fatal(err)
	}
	list, err := List(idx)
	if err != nil {
		t.Fatal(err)
	}
	var total int64
	for path, body := range snapshot(t, dir) {
		if strings.HasPrefix(path, "blobs/") && filepath.Base(path) != strings.TrimPrefix(list.Digest, "sha256:") {
			total += int64(len(body))
		}
	}
	if diff := cmp.Diff(total, list.Platforms[0].Size); diff != "" {
		t.Errorf("size of manifest, config and layer (-stored +listed):\n%s", diff)
	}
}

func TestWriteLayoutLeavesFilesAlone(t *testing.T) {
	dir := t.TempDir()
	apply(t, dir, []put{{"bind", "v1", "v1"}})
	before := modTimes(t, dir)
	apply(t, dir, []put{{"bind", "v1", "v1"}})
	if diff := cmp.Diff(before, modTimes(t, dir)); diff != "" {
		t.Errorf("an unchanged file was written again (-before +after):\n%s", diff)
	}
}

func TestWriteLayoutReadableByAll(t *testing.T) {
	dir := t.TempDir()
	apply(t, dir, []put{{"bind", "v1", "v1"}})
	for path := range snapshot(t, dir) {
		info, err := os.Stat(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != 0o644 {
			t.Errorf("%s: mode %v: a registry or engine under another user could not read it", path, info.Mode())
		}
	}
}

func modTimes(t testing.TB, dir string) map[string]int64 {
	t.Helper()
	times := map[string]int64{}
	for path := range snapshot(t, dir) {
		info, err := os.Stat(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		times[path] = info.ModTime().UnixNano()
	}
	return times
}

func TestWriteLayoutMendsBlobs(t *testing.T) {
	dir := t.TempDir()
	apply(t, dir, []put{{"bind", "v1", "v1"}})
	whole := snapshot(t, dir)
	for path := range whole {
		if strings.HasPrefix(path, "blobs/") {
			mustWrite(t, dir, map[string]string{path: "damaged"})
		}
	}
	apply(t, dir, []put{{"bind", "v1", "v1"}})
	if diff := cmp.Diff(whole, snapshot(t, dir)); diff != "" {
		t.Errorf("damaged blobs were kept (-whole +got):\n%s", diff)
	}
}

// TestWriteLayoutKeepsStrangers: another tool's entry points to a kind of blob we do not know.
func TestWriteLayoutKeepsStrangers(t *testing.T) {
	dir := t.TempDir()
	const stranger = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	mustWrite(t, dir, map[string]string{
		"oci-layout":                 `{"imageLayoutVersion": "1.0.0"}`,
		"blobs/sha256/" + stranger:   "",
		"blobs/sha256/" + "deadbeef": "named by nothing",
		"index.json": `{"schemaVersion": 2, "manifests": [{"mediaType": "application/vnd.example",
			"digest": "sha256:` + stranger + `", "size": 0}]}`,
	})
	idx := mustBuild(t, fakeSpec("bind", "v1"))
	if err := WriteLayout(dir, fleet+"bind:v1", idx); err != nil {
		t.Fatal(err)
	}
	files := snapshot(t, dir)
	if _, ok := files["blobs/sha256/"+stranger]; !ok || !strings.Contains(files["index.json"], stranger) {
		t.Errorf("another tool's blob or entry was dropped:\n%s", files["index.json"])
	}
	if _, ok := files["blobs/sha256/deadbeef"]; ok {
		t.Error("a blob that nothing names was kept")
	}
}

func TestWriteLayoutRefuses(t *testing.T) {
	cases := map[string]struct {
		reason string
		files  map[string]string
		ref    string
		want   string
	}{
		"OtherFolder": {
			reason: "A typed-over --output must not delete other files.",
			files:  map[string]string{"thesis.tex": "years of work", "blobs/sha256/x": "mine"},
			ref:    fleet + "bind:v1", want: "neither empty nor an OCI layout: ",
		},
		"BrokenIndex": {
			reason: "Starting over would drop what the index named.",
			files:  map[string]string{"oci-layout": layoutVersion, "index.json": "{"},
			ref:    fleet + "bind:v1", want: "index.json: unexpected end of JSON input",
		},
		"ClimbingDigest": {
			reason: "A digest becomes a path; it must not leave the layout.",
			files: map[string]string{"oci-layout": layoutVersion,
				"index.json": `{"manifests": [{"digest": "sha256:../../../etc/passwd"}]}`},
			ref: fleet + "bind:v1", want: "index.json: found non-hex character in hash: ",
		},
		"Future": {
			reason: "Another version may mean another shape.",
			files:  map[string]string{"oci-layout": `{"imageLayoutVersion": "2.0.0"}`, "index.json": "{}"},
			ref:    fleet + "bind:v1", want: `layout version "2.0.0": want 1.0.0`,
		},
		"NoTag": {
			reason: "A reader could not find the image.",
			ref:    fleet + "bind", want: `image reference "ghcr.io/waybill-dev/bind": want registry/repository:tag: `,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			mustWrite(t, dir, tc.files)
			before := snapshot(t, dir)
			err := WriteLayout(dir, tc.ref, mustBuild(t, fakeSpec("bind", "v1")))
			if got, ok := strings.CutPrefix(errorText(err), `OCI layout "`+dir+`": `); !ok || !strings.HasPrefix(got, tc.want) {
				t.Errorf("%s\nWriteLayout: want %q, got %q", tc.reason, tc.want, errorText(err))
			}
			if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
				t.Errorf("%s\nfiles changed (-before +after):\n%s", tc.reason, diff)
			}
		})
	}
}
