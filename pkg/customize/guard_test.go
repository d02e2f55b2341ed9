package customize

import (
	"fmt"
	"strings"
	"testing"
	"text/template/parse"

	"github.com/google/go-cmp/cmp"
)

// manyProps is a cluster with n properties besides big, a value of 200 kB.
func manyProps(n int) map[string]string {
	out := map[string]string{"n": "3", "big": strings.Repeat("x", 200_000), "same": strings.Repeat("x", 200_000)}
	for i := range n - len(out) {
		out[fmt.Sprint("p", i)] = "v"
	}
	return out
}

// hostile are templates that must end, and how.
var hostile = map[string]struct {
	reason string
	props  int // how many properties the cluster has
	text   string
	want   string // what follows "template: edge1/ConfigMap(cfg).data.x"; "" when it is fine
	gives  int    // length of the result when it is fine
}{
	"range over a number":          {"refused before it runs, also in a branch never taken", 3, `{{if false}}{{range 9}}{{end}}{{end}}`, ":1:20: refused at <{{range 9}}{{end}}>: " + rangeOverNumber, 0},
	"range over a character":       {"a character constant is a number", 3, `{{range 'a'}}{{end}}`, ":1:8: refused at <{{range 'a'}}{{end}}>: " + rangeOverNumber, 0},
	"range over a length":          {"the length of anything is a number", 3, `{{range len .big}}{{end}}`, ":1:8: refused at <{{range len .big}}{{end}}>: " + rangeOverNumber, 0},
	"range over a variable":        {"found when the loop begins", 3, `{{$x := 2000000000}}{{range $x}}{{end}}`, ": " + rangeOverNumber, 0},
	"range over a computed number": {"through functions", 3, `{{range (or (len .) 1)}}{{end}}`, ": " + rangeOverNumber, 0},
	"range over a byte":            {"an element of a string is a number", 3, `{{range index .big 0}}{{end}}`, ": " + rangeOverNumber, 0},
	"range over a string":          {"text/template itself does not know how", 3, `{{range .n}}{{end}}`, `:1:8: executing "edge1/ConfigMap(cfg).data.x" at <.n>: range can't iterate over 3`, 0},
	"nested, below the bound":      {"99 × 99 × 99", 99, `{{range .}}{{range $}}{{range $}}{{end}}{{end}}{{end}}`, "", 0},
	"nested, at the bound":         {"100 × 100 × 100", 100, `{{range .}}{{range $}}{{range $}}{{end}}{{end}}{{end}}`, ": nested loops of 1000000 rounds together, the bound is 1000000", 0},
	"nested by a call":             {"a called template's loops count as inner ones", 1000, `{{define "t"}}{{range .}}{{end}}{{end}}{{range .}}{{template "t" $}}{{end}}`, ": nested loops of 1000000 rounds together, the bound is 1000000", 0},
	"one after the other":          {"the product is what counts, not the sum; the result is output", 720, `{{range .}}{{range $}}{{end}}{{end}}{{range .}}{{range $}}{{end}}{{end}}{{range .}}.{{end}}`, "", 720},
	"broken off":                   {"break and continue leave the count right", 300, `{{range .}}{{range $}}{{break}}{{end}}{{continue}}{{end}}{{range .}}{{range $}}{{break}}{{end}}{{break}}{{else}}{{end}}x`, "", 1},
	"many one after the other":     {"the work of all loops together is bounded", 900, strings.Repeat(`{{range .}}{{range $}}{{end}}{{end}}`, 50), ": the templates of this object take too much work; use fewer or smaller loops", 0},
	"recursion":                    {"refused before it runs", 3, `{{define "a"}}{{template "b"}}{{end}}{{define "b"}}{{if false}}{{template "a"}}{{end}}{{end}}`, `: refused: template "a" calls itself, if only by way of others`, 0},
	"recursion of the whole":       {"by the name that errors show", 3, `x{{template "edge1/ConfigMap(cfg).data.x" .}}`, `: refused: template "edge1/ConfigMap(cfg).data.x" calls itself, if only by way of others`, 0},
	"recursion by the short name":  {"by the name it has while it runs; under its full name it calls nothing, so it stays refused", 3, `x{{template "ConfigMap(cfg).data.x" .}}`, `!template: ConfigMap(cfg).data.x: refused: template "ConfigMap(cfg).data.x" calls itself, if only by way of others`, 0},
	"no such template":             {"calling what is not there fails as it should", 3, `{{template "nope"}}`, `:1:11: executing "edge1/ConfigMap(cfg).data.x" at <{{template "nope"}}>: template "nope" not defined`, 0},
	"doubling calls":               {"2^40 calls of a template that does nothing", 3, doublingCalls(40), ": the templates of this object take too much work; use fewer or smaller loops", 0},
	"deep calls":                   {"a chain of 200 templates", 3, chainOfCalls(200), ": refused: templates call each other deeper than 100 levels", 0},
	"doubling text":                {"a variable that doubles stops at the bound of one string", 100, `{{$x := "ab"}}{{range .}}{{$x = print $x $x}}{{end}}`, ": a function is given more than 1048576 bytes", 0},
	"long output":                  {"the result is bounded", 100, `{{range .}}{{$.big}}{{end}}`, ": the result is longer than 1048576 bytes", 0},
	"long output, allowed":         {"up to the bound it is fine", 3, `{{.big}}{{.big}}{{.big}}{{.big}}{{.big}}`, "", 1_000_000},
	"escaping":                     {"work of functions counts by size", 900, `{{range .}}{{range $}}{{$y := html $.big}}{{end}}{{end}}`, ": the templates of this object take too much work; use fewer or smaller loops", 0},
	"comparing":                    {"so does comparing", 900, `{{range .}}{{range $}}{{if eq $.big $.same}}{{end}}{{$.big | ne $.same | not}}{{end}}{{end}}`, ": the templates of this object take too much work; use fewer or smaller loops", 0},
	"looking up by long keys":      {"so does hashing", 900, `{{range .}}{{range $}}{{$y := index $ $.big}}{{end}}{{end}}`, ": the templates of this object take too much work; use fewer or smaller loops", 0},
	"width":                        {"refused before it runs", 3, `{{if false}}{{printf "%1001d" 1}}{{end}}`, `:1:14: refused at <printf "%1001d" 1>: printf with a width or precision above 1000`, 0},
	"width, allowed":               {"up to the bound it is fine", 3, `{{printf "%1000d" 1}}`, "", 1000},
	"precision":                    {"of a number and of text", 3, `{{printf "%.99999999999999999999f" 1.0}}`, `:1:2: refused at <printf "%.99999999999999999999f" 1.0>: printf with a width or precision above 1000`, 0},
	"width from an argument":       {"found when it runs", 3, `{{printf "%*d" 1001 1}}`, `: printf with "*" and a number above 1000`, 0},
	"width from an argument, less": {"below zero pads on the other side", 3, `{{printf "%*d" -1001 1}}`, `: printf with "*" and a number above 1000`, 0},
	"width by index":               {"explicit indexes", 3, `{{printf "%[2]*[1]d" 1 1001}}`, `: printf with "*" and a number above 1000`, 0},
	"width by index, allowed":      {"within the bound", 3, `{{printf "%[2]*[1]d" 1 1000}}`, "", 1000},
	"format from a value":          {"found when it runs", 3, `{{$f := "%5000s"}}{{printf $f "x"}}`, `: printf with a width or precision above 1000`, 0},
	"piped format":                 {"found when it runs", 3, `{{"%5000s" | printf}}`, `: printf with a width or precision above 1000`, 0},
	"one argument many times":      {"indexes multiply", 3, `{{printf "` + strings.Repeat("%[1]s", 1000) + `" .big}}`, ": printf that could give more than 16777216 bytes", 0},
	"many paddings":                {"so do verbs with a width", 3, `{{printf "` + strings.Repeat("%999d", 20_000) + `"}}`, ": printf that could give more than 16777216 bytes", 0},
	"too much for a function":      {"arguments are bounded together", 3, `{{len (print .big .big .big .big .big .big)}}`, ": a function is given more than 1048576 bytes", 0},
	"deep parentheses":             {"refused before it is parsed", 3, "{{" + strings.Repeat("(", 101) + ".n" + strings.Repeat(")", 101) + "}}", ": nested deeper than 100 levels", 0},
	"deep parentheses, allowed":    {"up to the bound it is fine", 3, "{{" + strings.Repeat("(", 100) + ".n" + strings.Repeat(")", 100) + "}}", "", 1},
	"deep blocks":                  {"refused before it is parsed", 3, strings.Repeat("{{- if .n}}", 101) + "x" + strings.Repeat("{{end}}", 101), ": nested deeper than 100 levels", 0},
	"deep blocks, allowed":         {"up to the bound it is fine", 3, strings.Repeat("{{if .n}}", 100) + "x" + strings.Repeat("{{end}}", 100), "", 1},
	"long else-if chain":           {"each is one level deeper", 3, "{{if .n}}" + strings.Repeat("{{else if .n}}", 100) + "{{end}}", ": nested deeper than 100 levels", 0},
	"wide and flat":                {"a thousand blocks side by side are not deep", 3, strings.Repeat("{{if .n}}x{{else if .n}}y{{end}}", 1000), "", 1000},
	"unclosed and deep":            {"what does not parse must not run away either", 3, strings.Repeat("{{if .n}}", 100_000), ": nested deeper than 100 levels", 0},
	"long source":                  {"a template is no longer than what it may give", 3, "{{.n}}" + strings.Repeat(" ", maxOutput), ": longer than 1048576 bytes", 0},
}

func doublingCalls(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{{define "t%d"}}{{template "t%d"}}{{template "t%d"}}{{end}}`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `{{define "t%d"}}{{end}}{{template "t0"}}`, n)
	return b.String()
}

func chainOfCalls(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{{define "t%d"}}{{template "t%d"}}{{end}}`, i, i+1)
	}
	return b.String()
}

func TestGuards(t *testing.T) {
	for name, tc := range hostile {
		t.Run(name, func(t *testing.T) {
			o, p := withText(tc.text), manyProps(tc.props)
			got, errs := checkLaws(t, o, "edge1", p)
			if tc.want == "" {
				if len(errs) > 0 {
					t.Fatalf("%s: %v", tc.reason, errs)
				}
				if d := cmp.Diff(tc.gives, len(got.String("data", "x"))); d != "" {
					t.Errorf("%s: length of the result (-want +got):\n%s", tc.reason, d)
				}
				return
			}
			want, exact := strings.CutPrefix(tc.want, "!")
			if !exact {
				want = "template: edge1/ConfigMap(cfg).data.x" + want
			}
			if d := cmp.Diff([]string{want}, texts(errs)); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}

func TestExpandBoundsTheWholeObject(t *testing.T) {
	p := map[string]string{"big": strings.Repeat("x", 1_000_000)}
	o := read(t, optedIn+"data: ["+strings.Repeat("'{{.big}}',", 40)+"]\n")
	_, errs := mustCompile(t, o).Expand("edge1", p)
	want := []string{"template: edge1/ConfigMap(shop/cfg).data[16]: the templates of this object give more than 16777216 bytes together"}
	if d := cmp.Diff(want, texts(errs)); d != "" {
		t.Errorf("forty strings that are each allowed are too much together, and reported once (-want +got):\n%s", d)
	}
}

// levels is how deep blocks and parentheses nest in what the parser made.
func levels(n parse.Node, arg bool) int {
	own := 0
	switch n.(type) {
	case *parse.IfNode, *parse.RangeNode, *parse.WithNode:
		own = 1
	case *parse.PipeNode:
		if arg {
			own = 1
		}
	}
	deepest := 0
	_, inCommand := n.(*parse.CommandNode)
	_, inChain := n.(*parse.ChainNode)
	for _, c := range children(n) {
		deepest = max(deepest, levels(c, inCommand || inChain))
	}
	return own + deepest
}

func checkNesting(t testing.TB, text string) {
	t.Helper()
	if len(text) > 10_000 {
		return // the parser is not protected here
	}
	trees, err := parse.Parse("x", text, "", "", builtins)
	if err != nil {
		return
	}
	for _, tree := range trees {
		if got, most := levels(tree.Root, false), nesting(text); got > most {
			t.Errorf("law broken: the parser found %d levels, nesting only %d in %q", got, most, text)
		}
	}
}

func FuzzExpand(f *testing.F) {
	for _, tc := range hostile {
		if len(tc.text) < 1000 {
			f.Add(tc.text, "v", uint8(tc.props))
		}
	}
	for _, text := range []string{
		`{{$x := .n}}{{/* c */}}{{with .site}}{{.}}{{$x}}{{end}}`, `{{block "u" .}}<{{.n}}>{{end}}`,
		`{{"{{"}} $labels.x }}`, `{{- "x" -}}  {{.v}}`, `{{else if}}{{end}}`, "{{`}}`}}", `{{'}'}}`, `{{index . "v" | html | js}}`,
		`{{printf "%[3]*.[2]*[1]f" 12.0 2 6}}`, `{{eq .v .n "a" nil}}`, `{{lt 1 2.0}}`, `{{slice .v 1 2 3}}`, `{{call .v}}`, `{{1i}}`, `{{-1}}`,
	} {
		f.Add(text, "v", uint8(3))
	}
	f.Fuzz(func(t *testing.T, text, value string, n uint8) {
		text, value = strings.ToValidUTF8(text, ""), strings.ToValidUTF8(value, "") // YAML holds nothing else
		p := manyProps(int(n))
		p["v"], p["clusterName"] = value, "edge1"
		checkNesting(t, text)
		checkLaws(t, withText("{{/**/}}"+text), "edge1", p)
	})
}
