package template_test

import (
	"math"
	"testing"
	"text/template/parse"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/template"
)

func TestScanFormat(t *testing.T) {
	cases := map[string]struct {
		reason, format, skipped string
		want                    template.Format
	}{
		"None":     {"text asks for nothing", "5 of 9", ".", template.Format{}},
		"Verbs":    {"a percent sign is a verb, too", "%s%d%%", ".", template.Format{Verbs: 3}},
		"Width":    {"the largest number counts", "%-5d %07.12f", ".", template.Format{Verbs: 2, Padded: 2, Padding: 12}},
		"Overflow": {"a number beyond all integers is too large", "%99999999999999999999d", ".", template.Format{Verbs: 1, Padded: 1, Padding: template.MaxPadding + 1}},
		"Star":     {"a width from an argument", "%[2]*[1]d", ".", template.Format{Verbs: 1, Padded: 1, Star: true, Indexed: true}},
		"Address":  {"also behind flags", "%-5.3p", ".", template.Format{Verbs: 1, Padded: 1, Padding: 5, Address: true}},
		"Exact":    {"for printf a flag behind a width is the verb", "%5-2000d", ".", template.Format{Verbs: 1, Padded: 1, Padding: 5}},
		"Strict":   {"with flags skipped everywhere it is not", "%5-2000d", "#0+- .", template.Format{Verbs: 1, Padded: 1, Padding: 2000}},
		"Open":     {"a format may end within a verb", "%5", ".", template.Format{Verbs: 1, Padded: 1, Padding: 5}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, template.ScanFormat(tc.format, tc.skipped)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestWidest(t *testing.T) {
	for want, args := range map[int][]any{0: {"9", 9.5, nil}, 7: {3, int8(-7)}, 1 << 30: {math.MinInt64, uint64(math.MaxUint64)}} {
		if got := template.Widest(args); got != want {
			t.Errorf("%v: %d, want %d", args, got, want)
		}
	}
}

// TestGuard shows where guards stand, and that a loop's body counts for itself.
func TestGuard(t *testing.T) {
	trees, err := parse.Parse("t", "{{range .a}}{{.b}}{{$x := .c}}{{else}}d{{end}}{{if .e}}f{{end}}", "", "")
	if err != nil {
		t.Fatal(err)
	}
	var body int
	guard := template.Guard{Cost: func(parse.Node) int { return 1 }, Over: "over", Print: "print", Done: "done",
		Round: func(at parse.Pos, work int) []parse.Node {
			body = work
			return []parse.Node{template.Action(at, "round")}
		}}
	total := guard.Add(trees["t"].Root)
	want := "{{range .a | over}}{{round}}{{.b | print}}{{$x := .c}}{{else}}d{{end}}{{done}}{{if .e}}f{{end}}"
	if diff := cmp.Diff(want, trees["t"].Root.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if total != 13 || body != 9 {
		t.Errorf("all but the body costs %d, the body %d", total, body)
	}
}
