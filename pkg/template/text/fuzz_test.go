package text_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/template/text"
)

// FuzzTemplate runs any template: it ends soon, it gives the same twice, data stay as they are, and no error tells
// a value.
func FuzzTemplate(f *testing.F) {
	for _, tc := range hostile {
		f.Add(tc.template)
	}
	for _, template := range []string{
		"", "{{ . }}", "{{ .Object.spec }}", `{{ $x := list 1 2 }}{{ range $i, $v := $x }}{{ $i }}{{ $v }}{{ end }}`, `{{ set .Object "a" . | len }}`,
		`{{ define "t" }}x{{ end }}`, `{{ define "x" }}{{ template "t" }}{{ end }}{{ template "x" }}`, `{{ "secret" | fail }}`, `{{ .Some.Plain }}{{ .None.String }}`,
		`{{ printf "%[3]*.[2]*[1]f" 12.0 2 6 }}`, `{{ (semver "1.2.3").IncMajor }}`, `{{ with $x := semver "1.2.3" }}{{ list $x | printf "%d%p%v" $x }}{{ end }}`,
	} {
		f.Add(template)
	}
	f.Fuzz(func(t *testing.T, template string) {
		compiled, err := text.Compile("template", template)
		if err != nil {
			return
		}
		d, untouched := fuzzData(), fuzzData()
		began := time.Now()
		first, err := compiled.Execute(t.Context(), d)
		if took := time.Since(began); took > patience {
			t.Fatalf("it took %v", took)
		}
		second, again := compiled.Execute(t.Context(), d)
		switch {
		case (err == nil) != (again == nil) || first != second:
			t.Errorf("first %v, %v, then %v, %v", first, err, second, again)
		case err != nil && strings.Contains(err.Error(), "s3cr3t"):
			t.Errorf("a value in %v", err)
		case !utf8.ValidString(first.Trimmed) || strings.TrimSpace(first.Trimmed) != first.Trimmed:
			t.Errorf("%q is no trimmed text", first.Trimmed)
		case strings.Contains(first.Trimmed, "0xc0"):
			t.Errorf("%q may be an address", first.Trimmed)
		case !cmp.Equal(untouched["Object"], d["Object"]):
			t.Errorf("data were changed:\n%s", cmp.Diff(untouched["Object"], d["Object"]))
		}
	})
}

func fuzzData() map[string]any {
	v, _ := text.Decode([]byte(`{"spec": {"a": "s3cr3t", "n": 9007199254740993, "l": ["s3cr3t", null, {"b": 1.5}]}}`))
	return map[string]any{"Object": v, "None": (*accessor)(nil), "Some": &accessor{"s3cr3t"}}
}

// FuzzPattern replaces any pattern by any text.
func FuzzPattern(f *testing.F) {
	f.Add(`^(.+)\.public$`, "shop.public", "$1.internal")
	f.Add(`(x+x+)+y`, strings.Repeat("x", 100), "$1x")
	f.Add(``, "abc", "${0}$$")
	f.Add(`((a{10}){10}){10}`, "a", "")
	f.Fuzz(func(t *testing.T, expr, s, replacement string) {
		p, err := text.CompilePattern(expr)
		if err != nil {
			return
		}
		began := time.Now()
		made, matched, err := p.Replace(text.NewAllowance(), s, replacement)
		if took := time.Since(began); took > patience {
			t.Errorf("it took %v", took)
		}
		if err == nil && !matched && made != s {
			t.Errorf("nothing matches, and %q became %q", s, made)
		}
	})
}
