package merge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/merge/mergetest"
)

func TestAddMarks(t *testing.T) {
	type m = map[string]string
	plain := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n  namespace: shop\ndata:\n  a: b\n"
	cases := map[string]struct {
		reason   string
		in, want m
	}{
		"new":      {"an object without marks gets them", m{"a.yaml": plain}, m{"a.yaml": mergetest.MarkedMap}},
		"marked":   {"one that has them is not written", m{"a.yml": mergetest.MarkedMap + "# end\n"}, m{"a.yml": mergetest.MarkedMap + "# end\n"}},
		"some":     {"its neighbour keeps its bytes", m{"a.yaml": strings.ReplaceAll(mergetest.MarkedMap, "a: b", "a:   b") + "---\n" + plain}, m{"a.yaml": strings.ReplaceAll(mergetest.MarkedMap, "a: b", "a:   b") + "---\n" + mergetest.MarkedMap}},
		"stale":    {"the annotation follows from the comment", m{"a.yaml": strings.ReplaceAll(mergetest.MarkedMap, "|shop|", "|old|")}, m{"a.yaml": mergetest.MarkedMap}},
		"renamed":  {"the comment stays what it is", m{"a.yaml": strings.ReplaceAll(mergetest.MarkedMap, "name: c\n", "name: d\n")}, m{"a.yaml": strings.ReplaceAll(mergetest.MarkedMap, "name: c\n", "name: d\n")}},
		"others":   {"Kptfiles, JSON and what has no name take none", m{"Kptfile": mergetest.PlainKptfile, "a.json": "{}", "b.yaml": "a: 1\n"}, m{"Kptfile": mergetest.PlainKptfile, "a.json": "{}", "b.yaml": "a: 1\n"}},
		"unlucky":  {"with a file that cannot be read nothing is marked", m{"a.yaml": plain, "b.yaml": "a: ["}, m{"a.yaml": plain, "b.yaml": "a: ["}},
		"comments": {"documents without an object stay", m{"a.yaml": "# header\n---\n" + plain + "---\n# end\n"}, m{"a.yaml": "# header\n---\n" + mergetest.MarkedMap + "---\n# end\n"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := AddMarks(mergetest.Tree(t, c.in))
			if d := cmp.Diff(c.want, mergetest.Texts(got)); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			if !AddMarks(got).Equal(got) {
				t.Errorf("%s: marking twice is marking once", c.reason)
			}
		})
	}
}

// FuzzAddMarks: marking twice is marking once, a file that reads still reads and says the same, and what
// is taken for marked without parsing is marked.
func FuzzAddMarks(f *testing.F) {
	for _, g := range mergetest.Goldens(f, "testdata") {
		for _, b := range g.Ours.All() {
			f.Add(string(b.Data()))
		}
	}
	f.Add(mergetest.MarkedMap)
	f.Fuzz(func(t *testing.T, file string) {
		in := mergetest.Tree(t, map[string]string{"a.yaml": file})
		if mergetest.HasOddNames(in) {
			return
		}
		once := AddMarks(in)
		if !AddMarks(once).Equal(once) {
			t.Fatalf("marking twice is marking once:\n%s", mergetest.Texts(once)["a.yaml"])
		}
		docs, err := document.ReadMarked("a.yaml", in.Blob("a.yaml"))
		if err != nil {
			return
		}
		for _, d := range docs {
			if d.Unmarked && document.HasMarks([]byte(file)) {
				t.Fatalf("taken for marked:\n%s", file)
			}
		}
		if d := cmp.Diff(said(in, true), said(once, true)); d != "" {
			t.Fatalf("marks are no data (-before +after):\n%s", d)
		}
	})
}
