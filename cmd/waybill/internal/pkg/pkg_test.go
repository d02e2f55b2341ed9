package pkg

import (
	"os"
	"testing"
)

// TestSplitTarget finds where the folder ends and the ref begins.
func TestSplitTarget(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"web", "web@v1", "a@b/c", "@", "deep/web"} {
		must(t, os.MkdirAll(dir, 0o755))
	}
	cases := map[string]struct{ reason, arg, dir, ref string }{
		"Folder":     {"no ref", "web", "web", ""},
		"Ref":        {"a ref", "web@v2", "web", "v2"},
		"Slash":      {"a folder that ends in a slash", "web/@v2", "web/", "v2"},
		"Deep":       {"one in another", "deep/web@v2", "deep/web", "v2"},
		"RefSlashes": {"a ref with slashes", "web@edge/web/v2", "web", "edge/web/v2"},
		"Here":       {"this folder, as kpt writes it", ".@v2", ".", "v2"},
		"Only":       {"this folder, as people do", "@v2", ".", "v2"},
		"OnlySlash":  {"whatever the ref", "@edge/v2", ".", "edge/v2"},
		"AtFolder":   {"a folder of that name wins", "web@v1", "web@v1", ""},
		"AtBoth":     {"so it does with a ref", "web@v1@v2", "web@v1", "v2"},
		"AtAbove":    {"and above", "a@b/c@v2", "a@b/c", "v2"},
		"AtRef":      {"a ref may have one", "web@v2@x", "web", "v2@x"},
		"At":         {"an odd name", "@", "@", ""},
		"AtAt":       {"and a ref", "@@v2", "@", "v2"},
		"Missing":    {"for the error about what is not there", "gone@v1", "gone", "v1"},
		"Plain":      {"whatever it is", "gone", "gone", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir, ref, err := splitTarget(tc.arg)
			if dir != tc.dir || ref != tc.ref || err != nil {
				t.Errorf("%s: %q is %q at %q, %v; want %q at %q", tc.reason, tc.arg, dir, ref, err, tc.dir, tc.ref)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
