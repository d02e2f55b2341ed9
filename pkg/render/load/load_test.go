package load

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

const minimal = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n"

func treeOf(t *testing.T, files map[string]string) pkgtree.Tree {
	t.Helper()
	data := map[string][]byte{}
	for name, text := range files {
		data[name] = []byte(text)
	}
	tree, err := pkgtree.New(data)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestBadIgnoreFiles(t *testing.T) {
	cases := map[string]struct{ reason, file, text, want string }{
		"root":     {"the library panics on it", ".krmignore", "# all\n/\n", `.krmignore: line 2: "/" names no file`},
		"not":      {"on this, too", ".krmignore", "! \r\n", `.krmignore: line 1: "!" names no file`},
		"not root": {"both together, in a subpackage", "sub/.krmignore", "a\n !/ \n", `sub/.krmignore: line 2: "!/" names no file`},
		"large":    {"every line is matched against every file", ".krmignore", strings.Repeat("x", 1<<16), ".krmignore: is 65536 bytes, more than the 65535 allowed"},
		"largest":  {"rules at the end of a long file count", ".krmignore", strings.Repeat("x", maxIgnoreFile-7) + "\nb.yaml", ""},
		"slashes":  {"valid, and matches nothing", ".krmignore", "//\n\\\n[\n", "b.yaml: document 1, line 1: is not an object (a mapping of fields)"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			tree, err := pkgtree.New(map[string][]byte{"Kptfile": []byte(minimal), "b.yaml": []byte("[]\n"), "sub/Kptfile": []byte(minimal), "sub/c.yaml": nil, c.file: []byte(c.text)})
			if err != nil {
				t.Fatal(err)
			}
			_, packages, rendered := Packages(tree)
			if rendered == nil {
				rendered = Resources(tree, packages, Options{})
			}
			_, evaluated := Folder(tree, krm.Limits{})
			for _, err := range []error{rendered, evaluated} {
				if d := cmp.Diff(c.want, message(err)); d != "" {
					t.Errorf("%s (-want +got):\n%s", c.reason, d)
				}
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestAcquire checks that a second large package waits, that a small one does not, and that none waits for a small one, whose functions
// may take long.
func TestAcquire(t *testing.T) {
	large := treeOf(t, map[string]string{"Kptfile": minimal, "a.yaml": "a: [" + strings.Repeat("1,", krm.MostValues()/8) + "]\n"})
	small := treeOf(t, map[string]string{"Kptfile": minimal})
	releaseSmall, err := Acquire(context.Background(), small)
	if err != nil {
		t.Fatal(err)
	}
	defer releaseSmall()
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	release, err := Acquire(canceled, large)
	if err != nil {
		t.Fatalf("a large package waits for a small one: %v", err)
	}
	if _, err := Acquire(canceled, large); !errors.Is(err, context.Canceled) {
		t.Errorf("the second large package: %v", err)
	}
	if _, err := Acquire(canceled, small); err != nil {
		t.Errorf("a small package waits: %v", err)
	}
	release()
	if release, err = Acquire(context.Background(), large); err != nil {
		t.Error(err)
	}
	release()
}

// TestIsLarge counts what is parsed: specs of generated objects, which stay text, take little memory.
func TestIsLarge(t *testing.T) {
	head := "apiVersion: v1\nkind: X\nmetadata:\n  name: x\n  annotations:\n    "
	spec := "spec:\n" + strings.Repeat("  a: b\n", 1000)
	cases := map[string]struct {
		reason, text string
		large        bool
	}{
		"written":   {"it is parsed", head + "a: b\n" + spec, true},
		"generated": {"its spec stays text", head + fn.GeneratedBy + ": f\n" + spec, false},
		"several":   {"one of them may be parsed", head + fn.GeneratedBy + ": f\n" + spec + "---\n" + head + "a: b\n" + spec, true},
		"behind":    {"the annotation is not in the metadata before the spec", head + "a: b\n" + spec + "  b: " + fn.GeneratedBy + "\n", true},
		"small":     {"it has few values", head + "a: b\n", false},
	}
	for name, c := range cases {
		if got := isLarge(treeOf(t, map[string]string{"x.yaml": c.text}), 200); got != c.large {
			t.Errorf("%s: large: %t, want %t: %s", name, got, c.large, c.reason)
		}
	}
}
