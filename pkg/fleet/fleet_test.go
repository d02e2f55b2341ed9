package fleet

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestDelivered says what counts as delivered to which cluster.
func TestDelivered(t *testing.T) {
	work := string(workFile("", anchor)["clusters/c/w.yaml"])
	kptfile := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n"
	cm := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n"
	cases := map[string]struct {
		reason string
		files  map[string]string
		want   string
	}{
		"Work":       {"what a work carries, and the work", map[string]string{"clusters/c/w.yaml": work}, "c: w /ConfigMap//anchor; w itself;"},
		"Elsewhere":  {"its namespace is its cluster", map[string]string{"a/b.yaml": work}, "c: w /ConfigMap//anchor; w itself;"},
		"JSON":       {"in either language", map[string]string{"w.json": `{"apiVersion":"work.open-cluster-management.io/v1","kind":"ManifestWork","metadata":{"name":"w","namespace":"c"},"spec":{}}`}, "c: w itself;"},
		"Plain":      {"objects in a cluster's folder", map[string]string{"clusters/c/deep/x.yaml": cm}, "c:  /ConfigMap//x;"},
		"Subpackage": {"of any package", map[string]string{"sub/Kptfile": kptfile, "sub/clusters/c/x.yaml": cm}, "c:  /ConfigMap//x;"},
		"NoPackage":  {"and of no other folder", map[string]string{"sub/clusters/c/x.yaml": cm, "clusters/x.yaml": cm, "notclusters/c/x.yaml": cm}, ""},
		"Local":      {"not what is for those who work on the package", map[string]string{"clusters/c/x.yaml": cm + "  annotations:\n    config.kubernetes.io/local-config: \"true\"\n", "clusters/c/Kptfile": kptfile, "clusters/c/k.yaml": kptfile}, ""},
		"Others":     {"nor what only speaks of works", map[string]string{"a.yaml": cm + "data:\n  k: ManifestWork\n", "b.md": work}, ""},
	}
	for name, tc := range cases {
		files := map[string][]byte{}
		for p, text := range tc.files {
			files[p] = []byte(text)
		}
		f, err := Read(treeOf(t, files), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		objects := 0
		for _, c := range f.Clusters() {
			all, err := f.Delivered(c)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&got, "%s:", c)
			for _, d := range all {
				id, err := d.Content.ID()
				switch {
				case err != nil:
					t.Fatal(err)
				case d.Itself:
					fmt.Fprintf(&got, " %s itself;", d.Work)
				default:
					objects++
					fmt.Fprintf(&got, " %s %s;", d.Work, id)
				}
			}
		}
		if diff := cmp.Diff(tc.want, got.String()); diff != "" || f.Objects() != objects {
			t.Errorf("%s: %s: %d objects (-want +got):\n%s", name, tc.reason, f.Objects(), diff)
		}
	}
}

// TestReadFaults wants an error that names the file for what cannot be read and has to be.
func TestReadFaults(t *testing.T) {
	broken := strings.Replace(string(workFile("", anchor)["clusters/c/w.yaml"]), "kind: ConfigMap", "kind: [", 1)
	if _, err := Read(treeOf(t, map[string][]byte{"clusters/c/x.yaml": []byte("a: [\n")}), nil); err == nil || !strings.HasPrefix(err.Error(), "clusters/c/x.yaml: ") {
		t.Errorf("no error for what is no YAML: %v", err)
	}
	was, err := Read(treeOf(t, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	is, err := Read(treeOf(t, map[string][]byte{"clusters/c/w.yaml": []byte(broken)}), was)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Compare(was, is); err == nil || !strings.HasPrefix(err.Error(), "clusters/c/w.yaml: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("no error for a manifest that is no YAML: %v", err)
	}
	same, err := Compare(is, is)
	if err != nil || len(same.Changes) > 0 {
		t.Errorf("what is the same need not be read: %v", err)
	}
}

// TestLocate says where the package says what objects are.
func TestLocate(t *testing.T) {
	files := func(value string) map[string][]byte {
		object := func(namespace string) string {
			return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n" + namespace + "data:\n  k: " + value + "\n"
		}
		out := workFile("", object("  namespace: default\n"))
		out["app/a.yaml"] = []byte("# one\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: other\n---\n# two\n" + object(""))
		out["broken.yaml"] = []byte("x: [\n")
		return out
	}
	before, after := treeOf(t, files("1")), treeOf(t, files("2"))
	for root, want := range map[string]string{"": "app/a.yaml:8", "a/b": "a/b/app/a.yaml:8"} {
		p := compared(t, before, after).Preview(root)
		Locate(p, before, after, root)
		if len(p.Groups) != 1 || p.Groups[0].Source == nil {
			t.Fatalf("%v", p.Groups)
		}
		if got := fmt.Sprintf("%s:%d", p.Groups[0].Source.File, p.Groups[0].Source.Line); got != want {
			t.Errorf("below %q it is at %s, want %s", root, got, want)
		}
	}
}

// FuzzScan holds works that are taken apart by their lines to what a parser finds in them, as far as they are changed.
func FuzzScan(f *testing.F) {
	one := string(workFile("  deleteOption: {a: b}\n", anchor, object("v1", "Secret", "data:\n  k: |\n    - x\n\n    y"))["clusters/c/w.yaml"])
	for _, text := range []string{one, strings.Replace(one, "anchor", "&a b", 1), strings.ReplaceAll(one, "x", "*x"), one + "---\n" + one, strings.Replace(one, "namespace: c", "namespace: \"1\"", 1), strings.Replace(one, "    - apiVersion", "# x\n    - apiVersion", 1), workHead, ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w, ok := manifestwork.Scan([]byte(text))
		if !ok {
			return
		}
		c := newContents()
		known := c.scan([]byte(text), nil)
		if known == nil {
			t.Fatal("the two ways to scan a work disagree")
		}
		if again := c.scan([]byte(text), c.scan([]byte(one), nil)); !reflect.DeepEqual(known, again) {
			t.Error("beside another work, this one is taken apart in another way")
		}
		objects, err := krm.Read("w.yaml", []byte(text), krm.Limits{})
		if err != nil {
			return // it is not our part to say so
		}
		if len(objects) != 1 || objects[0].Namespace() != w.Cluster || objects[0].Name() != w.Name {
			t.Errorf("%d objects, the work is %q in %q", len(objects), w.Name, w.Cluster)
		}
		for _, d := range known.deliveries("w.yaml") {
			o, err := d.Content.Object()
			if err != nil {
				return // a change is taken apart by the parser then
			}
			if id, err := d.Content.ID(); err != nil || id != o.ID() {
				t.Errorf("%v is taken for %v: %v", o.ID(), id, err)
			}
		}
	})
}
