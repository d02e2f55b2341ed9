package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// TestStreamFiles writes what comes through a pipe to files, and nothing outside of the folder.
func TestStreamFiles(t *testing.T) {
	one := func(path string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: n\n  annotations:\n    internal.config.kubernetes.io/path: " + path + "\n"
	}
	cases := map[string]struct {
		reason, in string
		want       []string
		err        string
	}{
		"named":      {"an object without a path gets a file named after it", one("''"), []string{"n/configmap_a.yaml"}, ""},
		"placed":     {"a path is made clean", one("x/./y/../z.yaml"), []string{"x/z.yaml"}, ""},
		"dots":       {"dots in a name are allowed", one("..a/b..c"), []string{"..a/b..c"}, ""},
		"two":        {"each object has its own file", one("x.yaml") + "---\n" + one("y.yaml"), []string{"x.yaml", "y.yaml"}, ""},
		"none":       {"an empty stream has no files", "", nil, ""},
		"up":         {"no path leads out of the folder", one("x/../../y.yaml"), nil, `ConfigMap n/a (x/../../y.yaml): path "x/../../y.yaml" leads out of the folder`},
		"absolute":   {"an absolute path is refused", one("/x.yaml"), nil, `package paths may not be absolute paths, got "/x.yaml"`},
		"the folder": {"the folder itself is no file", one("x/.."), nil, `path "x/.." is a folder`},
		"the other":  {"a file cannot be a folder, too", one("x") + "---\n" + one("x/y"), nil, `needs a directory where "x" is a file`},
		"index":      {"an index is a number", "kind: ResourceList\napiVersion: config.kubernetes.io/v1\nitems:\n- kind: A\n  metadata: {name: a, annotations: {config.kubernetes.io/index: x}}\n", nil, `index "x" is not a number`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s, err := ReadStream("stdin", []byte(tc.in))
			if err != nil {
				t.Fatal(err)
			}
			tree, err := s.Files()
			if (err != nil) != (tc.err != "") || err != nil && !strings.Contains(err.Error(), tc.err) {
				t.Errorf("%s: %v, want %s", tc.reason, err, tc.err)
			}
			if diff := cmp.Diff(tc.want, tree.Paths()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestReadFolder checks that ReadFolder parses every object to the end, those that are read lazily, too.
func TestReadFolder(t *testing.T) {
	files := map[string][]byte{
		"b/Kptfile": []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: b\n"),
		"a.yaml":    []byte("apiVersion: v1\nkind: A\nmetadata:\n  name: a\n---\napiVersion: v1\nkind: B\nmetadata:\n  name: b\n"),
		"c.txt":     []byte("no resource"),
	}
	read := func() ([]string, error) {
		tree, err := pkgtree.New(files)
		if err != nil {
			t.Fatal(err)
		}
		items, err := ReadFolder(tree, krm.Limits{})
		var got []string
		for _, o := range items {
			got = append(got, FileOf(o)+" "+o.Kind())
		}
		return got, err
	}
	got, err := read()
	if diff := cmp.Diff([]string{"a.yaml A", "a.yaml B", "b/Kptfile Kptfile"}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	files["d.yaml"] = []byte("apiVersion: v1\nkind: A\nmetadata:\n  name: d\n  annotations:\n    waybill.dev/generated-by: f\nspec:\n  a: [\n")
	if _, err := read(); err == nil || !strings.Contains(err.Error(), "d.yaml") {
		t.Errorf("a syntax error in a field that is read lazily: %v", err)
	}
}
