package text_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/template/text"
)

// accessor is a value with methods, or nothing.
type accessor struct{ v any }

func (a *accessor) Exists() bool { return a != nil }
func (a *accessor) String() string {
	if a == nil {
		return ""
	}
	return fmt.Sprint(a.v)
}
func (a *accessor) Plain() any {
	if a == nil {
		return nil
	}
	return a.v
}

func TestMissing(t *testing.T) {
	cases := map[string]struct {
		reason, template, want string
		missing                bool
	}{
		"Field":         {"it is not there", "a-{{ .Object.spec.missing }}", "a-", true},
		"Deep":          {"and nothing below it", "{{ .Object.a.b.c }}", "", true},
		"Null":          {"null is no text either", "{{ .Object.spec.nothing }}", "", true},
		"Literal":       {"the template may say the words", "<no value>", "<no value>", false},
		"Data":          {"data may, too", "{{ .Object.spec.no }}", "<no value>", false},
		"Both":          {"and beside a missing one", "{{ .Object.spec.no }}{{ .x }}", "<no value>", true},
		"Default":       {"default is for that", `{{ .Object.spec.missing | default "x" }}{{ default "y" .Object.spec.nothing }}`, "xy", false},
		"Coalesce":      {"coalesce, too", `{{ coalesce .Object.a.b .Object.metadata.name }}`, "orders", false},
		"If":            {"if and with see nothing", `{{ if .Object.a }}a{{ else }}b{{ end }}{{ with .Object.a }}a{{ else }}b{{ end }}{{ or .Object.a "c" }}{{ not .Object.a }}`, "bbctrue", false},
		"Ternary":       {"", `{{ ternary "a" "b" (empty .Object.a) }}{{ kindOf .Object.a }}`, "ainvalid", false},
		"Variable":      {"in a variable it is missing still", `{{ $x := .Object.a }}{{ $x }}`, "", true},
		"NotWritten":    {"in a variable it is not written yet", `{{ $x := .Object.a }}b`, "b", false},
		"Index":         {"a key that is not there", `{{ index .Object.spec "missing" }}`, "", true},
		"Nothing":       {"coalesce found nothing", `{{ coalesce .Object.a .Object.b }}`, "", true},
		"Print":         {"a function makes text of it", `{{ print .Object.a }}`, "<nil>", true},
		"Printf":        {"", `a-{{ printf "%s-%s" "b" .Object.a }}`, "a-b-%!s(<nil>)", true},
		"ToString":      {"", `{{ .Object.a | toString }}`, "<nil>", true},
		"List":          {"or holds it", `{{ list 1 .Object.a }}`, "[1 <nil>]", true},
		"Whole":         {"null within something that is written as a whole", `{{ .Object.spec }}`, "", true},
		"Join":          {"join leaves it out", `{{ join "-" (list "a" .Object.a) }}{{ cat "b" .Object.a }}{{ quote .Object.a }}`, "ab", false},
		"JoinNested":    {"but not one that is deeper", `{{ join "-" (list "a" (list .Object.a)) }}`, "a-[<nil>]", true},
		"Json":          {"in JSON null is a value", `{{ toJson .Object.spec.nothing }}`, "null", false},
		"Hash":          {"what is in no namespace has a hash", `{{ .Object.a | sha3short }} {{ sha3short "" }}`, "a7ffc6f8bf1ed76651c1 a7ffc6f8bf1ed76651c1", false},
		"SHA1":          {"of either kind", `{{ .Object.a | shortHash }}`, "da39a3ee5e6b4b0d3255", false},
		"Dot":           {"a template given nothing", `{{ define "x" }}{{ . }}{{ end }}{{ template "x" .Object.a }}`, "", true},
		"NoData":        {"a template given no argument", `{{ define "x" }}{{ . }}{{ end }}{{ template "x" }}`, "", true},
		"Accessor":      {"an accessor of nothing is written as it says", `[{{ .None }}][{{ .None.String }}]{{ .None.Exists }}{{ printf "%s" .None }}`, "[][]false", false},
		"AccessorGone":  {"functions see nothing", `{{ default "x" .None }}{{ if .None }}a{{ else }}b{{ end }}`, "xb", false},
		"AccessorThere": {"functions see what is there", `{{ add1 .Some }} {{ .Some }} {{ .Some.Exists }} {{ printf "%d" .Some }}{{ list .Some }}`, "6 5 true 5[5]", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			d := data(t)
			d["None"], d["Some"] = (*accessor)(nil), &accessor{5}
			got, err := fill(t, tc.template, d)
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if name == "Whole" {
				got.Trimmed = ""
			}
			if diff := cmp.Diff(text.Text{Trimmed: tc.want, Missing: tc.missing}, got); diff != "" {
				t.Errorf("%s: -want +got:\n%s", tc.reason, diff)
			}
		})
	}
}
