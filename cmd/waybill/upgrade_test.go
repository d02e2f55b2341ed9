package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/catalog"
)

// TestOtherVersions renders a package of another version of Waybill, newer or older: what docs/install.md says about upgrades and
// downgrades. A render that fails writes nothing.
func TestOtherVersions(t *testing.T) {
	const work = "clusters/austin-1/shop/manifestwork-0.yaml"
	whole := absolute(t, blueprint)
	for name, tc := range map[string]struct {
		reason string
		file   string
		change [2]string
		want   string // an error; "" for a render that gives what this version gives
	}{
		"image": {"another version of a function is never mistaken for the linked one", "Kptfile", [2]string{":" + catalog.Version, ":v99.0.0"},
			`image "ghcr.io/waybill-dev/bind-resolve:v99.0.0" is not linked into this binary (the function of this name is, for the tags ` + catalog.Version},
		"constraint": {"a constraint may allow several versions", "Kptfile", [2]string{":" + catalog.Version, "\n    tag: \">= 0.1\""}, ""},
		"narrow":     {"or not this one", "Kptfile", [2]string{":" + catalog.Version, "\n    tag: ~99.0"}, `tag "~99.0": no version meets it among the linked functions`},
		"option":     {"an option that this version does not have", "Kptfile", [2]string{"wdsName: shop", "wdsName: shop\n      later: \"1\""}, "it reported 1 error"},
		"field":      {"a field that this version does not have", "policies/shop.yaml", [2]string{"\nspec:", "\nspec:\n  later: true"}, "it reported 1 error"},
		"annotation": {"an annotation of a generated object is written anew", work, [2]string{"    waybill.dev/origin:", "    waybill.dev/later: \"1\"\n    waybill.dev/origin:"}, ""},
		"work":       {"and so is a field; the objects stay in their work", work, [2]string{"\nspec:", "\nspec:\n  later: true"}, ""},
		"Binding":    {"that of another generated object, too", "bindings/shop.yaml", [2]string{"\nspec:", "\nspec:\n  later: true"}, ""},
		"object":     {"an annotation of an object has no effect", "app/frontend.yaml", [2]string{"\n  annotations:", "\n  annotations:\n    waybill.dev/later: \"1\""}, ""},
		"similar":    {"unless it may be a slip", "app/frontend.yaml", [2]string{"\n  annotations:", "\n  annotations:\n    waybill.dev/kep: \"true\""}, "it reported 1 error"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, tc.file)
			rewrite(t, file, tc.change[0], tc.change[1])
			want := readTree(t, whole)
			if tc.want != "" || tc.file == "Kptfile" || tc.file == "app/frontend.yaml" { // the user's, or nothing was written
				var err error
				if want, err = want.Apply(map[string][]byte{tc.file: []byte(readText(t, file))}); err != nil {
					t.Fatal(err)
				}
			}
			var stdout, stderr bytes.Buffer
			code := execute(t.Context(), []string{"fn", "render", dir, "--runtime", "inproc"}, strings.NewReader(""), &stdout, &stderr)
			if (code == exitDone) != (tc.want == "") || !strings.Contains(stderr.String(), tc.want) {
				t.Errorf("%s: want %q, got exit code %d:\n%s", tc.reason, tc.want, code, &stderr)
			}
			sameTree(t, want, readTree(t, dir))
		})
	}
}
