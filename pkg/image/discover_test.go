package image

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiscover(t *testing.T) {
	cases := map[string]struct {
		reason string
		files  map[string]string
		want   []Function
		err    string
	}{
		"Module": {
			reason: "Sorted; metadata.yaml is optional; other tags are not types.",
			files:  module(),
			want: []Function{
				{Name: "copy-input", Package: "./functions/copy-input", Description: "Copies its input.", Types: []string{"mutator"}},
				{Name: "who-am-i", Package: "./functions/who-am-i"},
			},
		},
		"Waybill": {
			reason: "The controller's image comes from the same checkout, in its place by name.",
			files:  map[string]string{"cmd/waybill/waybill-controller/main.go": "", "cmd/other/main.go": "", "functions/zip/main.go": ""},
			want:   []Function{waybill, {Name: "zip", Package: "./functions/zip"}},
		},
		"NotFunctions": {
			reason: "Files, hidden folders and folders without main.go are not functions.",
			files: map[string]string{
				"functions/README.md": "", "functions/.git/main.go": "", "functions/_old/main.go": "", "functions/shared/x.go": "",
			},
		},
		"DescribedOnly": {
			reason: "Somebody meant a function and forgot half of it.",
			files:  map[string]string{"functions/bind/metadata.yaml": "description: Binds."},
			err:    "functions/bind: has metadata.yaml but no main.go",
		},
		"UnknownField": {
			reason: "A misspelt field would silently lose what it says.",
			files:  map[string]string{"functions/bind/main.go": "", "functions/bind/metadata.yaml": "descriptions: Binds.\n"},
			err:    `functions/bind: metadata.yaml: error unmarshaling JSON: while decoding JSON: json: unknown field "descriptions"`,
		},
		"OtherImage": {
			reason: "The image is built as the folder says; the two must agree.",
			files:  map[string]string{"functions/bind/main.go": "", "functions/bind/metadata.yaml": "image: gcr.io/kpt-fn/bind\n"},
			err:    `functions/bind: metadata.yaml: image "gcr.io/kpt-fn/bind": want "ghcr.io/waybill-dev/bind"`,
		},
		"OtherLicense": {
			reason: "The image's label says Apache-2.0.",
			files:  map[string]string{"functions/bind/main.go": "", "functions/bind/metadata.yaml": "license: MIT\n"},
			err:    `functions/bind: metadata.yaml: license "MIT": want "Apache-2.0"`,
		},
		"BadName": {
			reason: "The folder's name becomes the image's.",
			files:  map[string]string{"functions/Bind/main.go": ""},
			err:    "functions/Bind: folder name: want a DNS label (lower case letters, digits, '-')",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			mustWrite(t, dir, tc.files)
			got, err := Discover(dir)
			if diff := cmp.Diff(tc.err, errorText(err)); diff != "" {
				t.Errorf("%s\nDiscover error (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nDiscover (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestDiscoverNoFolder(t *testing.T) {
	if _, err := Discover(t.TempDir()); err == nil || !strings.HasPrefix(err.Error(), "find functions: ") {
		t.Errorf("a checkout without functions/: want an error that says so, got %v", err)
	}
}

func FuzzParseFunction(f *testing.F) {
	f.Add("copy-input", module()["functions/copy-input/metadata.yaml"])
	f.Add("a", "tags: [validator, validator, x]\nhidden: true\n")
	f.Add("a", "tags: &a [*a]\n")
	f.Add("a", "license: MIT\nlicense: Apache-2.0\n")
	f.Fuzz(func(t *testing.T, name, raw string) {
		got, err := parseFunction(name, []byte(raw))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error of several lines: %q", err)
			}
			return
		}
		if got.Name != name || got.Package != "./functions/"+name || strings.ContainsAny(name, "/.\n") {
			t.Errorf("parseFunction(%q) is %q in %q", name, got.Name, got.Package)
		}
		if i := slices.IndexFunc(got.Types, func(s string) bool { return s != "mutator" && s != "validator" }); i >= 0 {
			t.Errorf("parseFunction(%q): type %q", name, got.Types[i])
		}
	})
}
