package publish

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

const indexText = `{"apiVersion": "waybill.dev/v1alpha1", "kind": "PublishedFleet", "revision": "v1", "commit": "0123456789012345678901234567890123456789",
"by": "cluster", "content": "objects", "artifacts": [{"name": "a", "digest": "sha256:DIGEST", "files": "x"}, {"name": "b", "digest": "sha256:DIGEST", "files": "x"}]}`

// TestReadIndex refuses what no run wrote: everybody who may push could have changed the index.
func TestReadIndex(t *testing.T) {
	good := strings.ReplaceAll(indexText, "DIGEST", strings.Repeat("0a", 32))
	for name, tc := range map[string]struct{ text, want string }{
		"Good":     {good, ""},
		"JSON":     {good[1:], "index.json: "},
		"Kind":     {strings.Replace(good, Kind, "Fleet", 1), `got "waybill.dev/v1alpha1" "Fleet"`},
		"Commit":   {strings.Replace(good, "0123456789", "--upload-pack=", 1), "commit: want an id in hex"},
		"Name":     {strings.Replace(good, `"name": "a"`, `"name": "../a"`, 1), `artifact "../a" has a wrong name`},
		"Digest":   {strings.Replace(good, "sha256:", "md5:", 1), "wrong digest"},
		"Unsorted": {strings.Replace(good, `"name": "a"`, `"name": "c"`, 1), "not sorted"},
	} {
		files, err := pkgtree.New(map[string][]byte{indexFile: []byte(tc.text)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = readIndex(files); (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: want %q, got %v", name, tc.want, err)
		}
	}
	if _, err := readIndex(pkgtree.Tree{}); err == nil || !strings.Contains(err.Error(), "not an index of Waybill") {
		t.Errorf("an artifact of something else: %v", err)
	}
}
