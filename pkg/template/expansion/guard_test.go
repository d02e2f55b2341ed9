package expansion

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
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
	"range over a number":           {"refused before it runs, also in a branch never taken", 3, `{{if false}}{{range 9}}{{end}}{{end}}`, ":1:20: refused at <{{range 9}}{{end}}>: " + rangeOverNumber, 0},
	"range over a character":        {"a character constant is a number", 3, `{{range 'a'}}{{end}}`, ":1:8: refused at <{{range 'a'}}{{end}}>: " + rangeOverNumber, 0},
	"range over a length":           {"the length of anything is a number", 3, `{{range len .big}}{{end}}`, ":1:8: refused at <{{range len .big}}{{end}}>: " + rangeOverNumber, 0},
	"range over a variable":         {"found when the loop begins", 3, `{{$x := 2000000000}}{{range $x}}{{end}}`, ": " + rangeOverNumber, 0},
	"range over a computed number":  {"through functions", 3, `{{range (or (len .) 1)}}{{end}}`, ": " + rangeOverNumber, 0},
	"range over a byte":             {"an element of a string is a number", 3, `{{range index .big 0}}{{end}}`, ": " + rangeOverNumber, 0},
	"range over a string":           {"text/template itself does not know how", 3, `{{range .n}}{{end}}`, `:1:8: executing "edge1/ConfigMap(cfg).data.x" at <.n>: range can't iterate over 3`, 0},
	"nested, below the bound":       {"99 × 99 × 99", 99, `{{range .}}{{range $}}{{range $}}{{end}}{{end}}{{end}}`, "", 0},
	"nested, at the bound":          {"100 × 100 × 100", 100, `{{range .}}{{range $}}{{range $}}{{end}}{{end}}{{end}}`, ": nested loops of 1000000 rounds together, the limit is 1000000", 0},
	"nested by a call":              {"a called template's loops count as inner ones", 1000, `{{define "t"}}{{range .}}{{end}}{{end}}{{range .}}{{template "t" $}}{{end}}`, ": nested loops of 1000000 rounds together, the limit is 1000000", 0},
	"one after the other":           {"the product is what counts, not the sum; the result is output", 720, `{{range .}}{{range $}}{{end}}{{end}}{{range .}}{{range $}}{{end}}{{end}}{{range .}}.{{end}}`, "", 720},
	"broken off":                    {"break and continue leave the count right", 300, `{{range .}}{{range $}}{{break}}{{end}}{{continue}}{{end}}{{range .}}{{range $}}{{break}}{{end}}{{break}}{{else}}{{end}}x`, "", 1},
	"many one after the other":      {"the work of all loops together is bounded", 900, strings.Repeat(`{{range .}}{{range $}}{{end}}{{end}}`, 50), ": the templates of this object take too much work; use fewer or smaller loops", 0},
	"recursion":                     {"refused before it runs", 3, `{{define "a"}}{{template "b"}}{{end}}{{define "b"}}{{if false}}{{template "a"}}{{end}}{{end}}`, `: refused: template "a" calls itself, directly or through others`, 0},
	"recursion of the whole":        {"by the name that errors show", 3, `x{{template "edge1/ConfigMap(cfg).data.x" .}}`, `: refused: template "edge1/ConfigMap(cfg).data.x" calls itself, directly or through others`, 0},
	"recursion by the short name":   {"by the name it has while it runs; under its full name it calls nothing, so it stays refused", 3, `x{{template "ConfigMap(cfg).data.x" .}}`, `!template: ConfigMap(cfg).data.x: refused: template "ConfigMap(cfg).data.x" calls itself, directly or through others`, 0},
	"no such template":              {"calling what is not there fails as it should", 3, `{{template "nope"}}`, `:1:11: executing "edge1/ConfigMap(cfg).data.x" at <{{template "nope"}}>: template "nope" not defined`, 0},
	"doubling calls":                {"2^40 calls of a template that does nothing", 3, doublingCalls(40), ": the templates of this object take too much work; use fewer or smaller loops", 0},
	"deep calls":                    {"a chain of 200 templates", 3, chainOfCalls(200), ": refused: templates call each other deeper than 100 levels", 0},
	"doubling text":                 {"a variable that doubles stops at the bound of one string", 100, `{{$x := "ab"}}{{range .}}{{$x = print $x $x}}{{end}}`, ": a function is given more than 1048576 bytes", 0},
	"long output":                   {"the result is bounded", 100, `{{range .}}{{$.big}}{{end}}`, ": the result is longer than 1048576 bytes", 0},
	"long output, allowed":          {"up to the bound it is fine", 3, `{{.big}}{{.big}}{{.big}}{{.big}}{{.big}}`, "", 1_000_000},
	"escaping":                      {"work of functions counts by size", 900, `{{range .}}{{range $}}{{$y := html $.big}}{{end}}{{end}}`, ": the templates of this object take too much work; use fewer or smaller loops", 0},
	"comparing":                     {"so does comparing", 900, `{{range .}}{{range $}}{{if eq $.big $.same}}{{end}}{{$.big | ne $.same | not}}{{end}}{{end}}`, ": the templates of this object take too much work; use fewer or smaller loops", 0},
	"looking up by long keys":       {"so does hashing", 900, `{{range .}}{{range $}}{{$y := index $ $.big}}{{end}}{{end}}`, ": the templates of this object take too much work; use fewer or smaller loops", 0},
	"width":                         {"refused before it runs", 3, `{{if false}}{{printf "%1001d" 1}}{{end}}`, `:1:14: refused at <printf "%1001d" 1>: printf with a width or precision above 1000`, 0},
	"width, allowed":                {"up to the bound it is fine", 3, `{{printf "%1000d" 1}}`, "", 1000},
	"precision":                     {"of a number and of text", 3, `{{printf "%.99999999999999999999f" 1.0}}`, `:1:2: refused at <printf "%.99999999999999999999f" 1.0>: printf with a width or precision above 1000`, 0},
	"width from an argument":        {"found when it runs", 3, `{{printf "%*d" 1001 1}}`, `: printf with "*" and a number above 1000`, 0},
	"width from an argument, less":  {"below zero pads on the other side", 3, `{{printf "%*d" -1001 1}}`, `: printf with "*" and a number above 1000`, 0},
	"width by index":                {"explicit indexes", 3, `{{printf "%[2]*[1]d" 1 1001}}`, `: printf with "*" and a number above 1000`, 0},
	"width by index, allowed":       {"within the bound", 3, `{{printf "%[2]*[1]d" 1 1000}}`, "", 1000},
	"format from a value":           {"found when it runs", 3, `{{$f := "%5000s"}}{{printf $f "x"}}`, `: printf with a width or precision above 1000`, 0},
	"piped format":                  {"found when it runs", 3, `{{"%5000s" | printf}}`, `: printf with a width or precision above 1000`, 0},
	"one argument many times":       {"indexes multiply", 3, `{{printf "` + strings.Repeat("%[1]s", 1000) + `" .big}}`, ": printf that could give more than 16777216 bytes", 0},
	"many paddings":                 {"so do verbs with a width", 3, `{{printf "` + strings.Repeat("%999d", 20_000) + `"}}`, ": printf that could give more than 16777216 bytes", 0},
	"too much for a function":       {"arguments are bounded together", 3, `{{len (print .big .big .big .big .big .big)}}`, ": a function is given more than 1048576 bytes", 0},
	"deep parentheses":              {"refused before it is parsed", 3, "{{" + strings.Repeat("(", 101) + ".n" + strings.Repeat(")", 101) + "}}", ": nested deeper than 100 levels", 0},
	"deep parentheses, allowed":     {"up to the bound it is fine", 3, "{{" + strings.Repeat("(", 100) + ".n" + strings.Repeat(")", 100) + "}}", "", 1},
	"deep blocks":                   {"refused before it is parsed", 3, strings.Repeat("{{- if .n}}", 101) + "x" + strings.Repeat("{{end}}", 101), ": nested deeper than 100 levels", 0},
	"deep blocks, allowed":          {"up to the bound it is fine", 3, strings.Repeat("{{if .n}}", 100) + "x" + strings.Repeat("{{end}}", 100), "", 1},
	"long else-if chain":            {"each is one level deeper", 3, "{{if .n}}" + strings.Repeat("{{else if .n}}", 100) + "{{end}}", ": nested deeper than 100 levels", 0},
	"wide and flat":                 {"a thousand blocks side by side are not deep", 3, strings.Repeat("{{if .n}}x{{else if .n}}y{{end}}", 1000), "", 1000},
	"unclosed and deep":             {"what does not parse must not run away either", 3, strings.Repeat("{{if .n}}", 100_000), ": nested deeper than 100 levels", 0},
	"range over a slice of text":    {"a piece of a string is a string", 3, `{{range slice .big 0 9}}{{end}}`, `:1:21: executing "edge1/ConfigMap(cfg).data.x" at <9>: range can't iterate over xxxxxxxxx`, 0},
	"range over printed text":       {"what printf gives is a string, digits or not", 3, `{{range printf "%d" 1000000000}}{{end}}`, `:1:20: executing "edge1/ConfigMap(cfg).data.x" at <1000000000>: range can't iterate over 1000000000`, 0},
	"range over a piped length":     {"the last function of a pipe decides", 3, `{{range $i := .big | len}}{{end}}`, ":1:8: refused at <{{range $i := .big | len}}{{end}}>: " + rangeOverNumber, 0},
	"range over a kept length":      {"found when the loop begins", 3, `{{$n := len .big}}{{range $i := $n}}{{end}}`, ": " + rangeOverNumber, 0},
	"range over a called function":  {"no property is a function", 3, `{{range call .n}}{{end}}`, `:1:8: executing "edge1/ConfigMap(cfg).data.x" at <call .n>: error calling call: non-function .n of type string`, 0},
	"recursion of a block":          {"a block is defined and called at once", 3, `{{block "b" .}}{{template "b" .}}{{end}}`, `: refused: template "b" calls itself, directly or through others`, 0},
	"recursion of itself":           {"the shortest circle", 3, `{{define "a"}}{{template "a" .}}{{end}}{{template "a" .}}`, `: refused: template "a" calls itself, directly or through others`, 0},
	"template in a template":        {"text/template itself does not allow it", 3, `{{define "a"}}{{define "b"}}{{end}}{{end}}`, ":1: unexpected <define> in command", 0},
	"deep with":                     {"else with is one level deeper, too", 3, "{{with .n}}" + strings.Repeat("{{else with .n}}", 100) + "{{end}}", ": nested deeper than 100 levels", 0},
	"width of hundreds of millions": {"refused before it runs, zeros and flags or not", 3, `{{printf "%-+0300000000d" 1}}`, `:1:2: refused at <printf "%-+0300000000d" 1>: printf with a width or precision above 1000`, 0},
	"precision of a million":        {"a precision counts like a width", 3, `{{printf "%.1000000f" 1.0}}`, `:1:2: refused at <printf "%.1000000f" 1.0>: printf with a width or precision above 1000`, 0},
	"precision from an argument":    {"found when it runs", 3, `{{$n := 300000000}}{{printf "%.*f" $n 1.0}}`, `: printf with "*" and a number above 1000`, 0},
	"width from text":               {"printf takes no text for a width", 3, `{{printf "%*d" .n 1}}`, "", len("%!(BADWIDTH)1")},
	"doubling in one pipe":          {"a pipe of functions that each make text longer", 3, `{{.big | printf "%s%s" .big | printf "%s%s" .big | printf "%[1]s%[1]s%[1]s" | len}}`, ": printf that could give more than 16777216 bytes", 0},
	"doubling in many variables":    {"a chain of variables, each twice the one before", 3, doublingVariables(60), ": printf that could give more than 16777216 bytes", 0},
	"growing by html":               {"five bytes of one, again and again", 3, `{{$x := "&"}}` + strings.Repeat(`{{$x = html $x $x}}`, 100), ": a function is given more than 1048576 bytes", 0},
	"growing by js":                 {"six bytes of one", 3, `{{$x := "<<<<"}}` + strings.Repeat(`{{$x = js $x $x}}`, 100), ": a function is given more than 1048576 bytes", 0},
	"growing by urlquery":           {"three bytes of one", 3, `{{$x := "%%%%"}}` + strings.Repeat(`{{$x = urlquery $x $x}}`, 100), ": a function is given more than 1048576 bytes", 0},
	"long chain of comparisons":     {"ten thousand arguments are few beside a loop", 3, `{{eq .n` + strings.Repeat(" .big", 10_000) + ` .n}}`, "", 4},
	"long pipe":                     {"ten thousand functions, one after the other", 3, `{{.n` + strings.Repeat(" | print", 10_000) + `}}`, "", 1},
	"long number":                   {"a constant of a hundred thousand digits", 3, `{{1.` + strings.Repeat("9", 100_000) + `}}`, "", 1},
	"long chain of fields":          {"a property has no fields, also of a variable", 3, `{{$x := .n}}{{$x` + strings.Repeat(".n", 3) + `}}`, `:1:16: executing "edge1/ConfigMap(cfg).data.x" at <$x.n.n.n>: can't evaluate field n in type string`, 0},
	"many variables":                {"every use looks at all of them, on every round", 900, declarationsOf(201) + `{{range .}}{{range $}}{{if $a0}}{{end}}{{end}}{{end}}`, ": declares variables in more than 200 places", 0},
	"many variables, allowed":       {"up to the bound it is fine, loops included", 300, declarationsOf(199) + `{{range $k, $v := .}}{{range $}}{{if $a0}}{{end}}{{end}}{{end}}`, "", 0},
	"long source":                   {"a template is no longer than what it may give", 3, "{{.n}}" + strings.Repeat(" ", maxOutput), ": longer than 1048576 bytes", 0},
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

func doublingVariables(n int) string {
	var b strings.Builder
	b.WriteString(`{{$x0 := "ab"}}`)
	for i := range n {
		fmt.Fprintf(&b, `{{$x%d := printf "%%s%%s" $x%d $x%d}}`, i+1, i, i)
	}
	return b.String()
}

func declarationsOf(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "{{$a%d := 1}}", i)
	}
	return b.String()
}

func TestGuards(t *testing.T) {
	testenv.Long(t, "inputs at the bounds")
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
