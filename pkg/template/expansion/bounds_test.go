package expansion

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestExpandBoundsTheWholeObject is about what each string is allowed and all together are not.
func TestExpandBoundsTheWholeObject(t *testing.T) {
	testenv.Long(t, "inputs at the bounds")
	const at = "template: edge1/ConfigMap(shop/cfg)"
	const tooMuchWork = "the templates of this object take too much work; use fewer or smaller loops"
	cases := map[string]struct {
		reason, text string
		strings      int
		props        int
		errors       int
		last         string
	}{
		"Output":         {"a million bytes each, reported once", "{{.big}}{{.big}}{{.big}}{{.big}}{{.big}}", 40, 3, 1, at + ".data[16]: the templates of this object give more than 16777216 bytes together"},
		"OutputRefused":  {"what each string refuses was written all the same", "{{.big}}{{.big}}{{.big}}{{.big}}{{.big}}{{.big}}", 10_000, 3, 67, at + ".data[66]: " + tooMuchWork},
		"AllProperties":  {"printed whole, and then too long", "{{.}}{{.}}{{.}}", 10_000, 900, 66, at + ".data[65]: " + tooMuchWork},
		"QuotedValues":   {"an error quotes the value", "{{range .big}}{{end}}", 10_000, 3, 400, at + ".data[399]: " + tooMuchWork},
		"GivenTooMuch":   {"measuring takes time even when it ends in a refusal", "{{print .big .big .big .big .big .big}}", 10_000, 3, 67, at + ".data[66]: " + tooMuchWork},
		"PrintfTooMuch":  {"printf makes what is then too long", `{{printf "%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s" .big}}`, 10_000, 3, 58, at + ".data[57]: " + tooMuchWork},
		"TooManyErrors":  {"ten thousand errors are not listed one by one", "{{." + strings.Repeat("x", 350) + "}}", 10_000, 3, 1258, at + ": more errors than can be listed; the rest was not tried"},
		"QuickTemplates": {"ten thousand are no trouble when they are short", "{{.n}}{{if .n}}{{.n}}{{end}}", 10_000, 3, 0, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o := read(t, optedIn+"data:\n"+strings.Repeat("- '"+tc.text+"'\n", tc.strings))
			began := time.Now()
			_, errs := mustCompile(t, o).Expand("edge1", manyProps(tc.props))
			checkPatience(t, began)
			last := ""
			if len(errs) > 0 {
				last = errs[len(errs)-1].Error()
			}
			if d := cmp.Diff(tc.last, last); d != "" {
				t.Errorf("%s: last error (-want +got):\n%s", tc.reason, d)
			}
			if d := cmp.Diff(tc.errors, len(errs)); d != "" {
				t.Errorf("%s: how many errors (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}

// TestCompileRefuses is about objects that no cluster needs to be known for.
func TestCompileRefuses(t *testing.T) {
	const tooLarge = "template: ConfigMap(shop/cfg): more than the 10000 templates, or the 4194304 bytes of them with their paths, that one object may have"
	longKey := "data:\n  ? " + strings.Repeat("k", 1<<20) + "\n  :\n"
	cases := map[string]struct{ reason, in, want string }{
		"TooMany":   {"more than real objects have", optedIn + "data:\n" + strings.Repeat("- '{{.n}}'\n", maxLeaves+1), tooLarge},
		"AsMany":    {"the bound itself is allowed", optedIn + "data:\n" + strings.Repeat("- '{{.n}}'\n", maxLeaves), ""},
		"TooLong":   {"five strings of a million bytes", optedIn + "data:\n" + strings.Repeat("- '{{.n}}"+strings.Repeat(" ", 1_000_000)+"'\n", 5), tooLarge},
		"LongPaths": {"a long key is part of the path of all templates below it", optedIn + longKey + strings.Repeat("  - '{{.n}}'\n", 5000), tooLarge},
		"LongKey":   {"below it, what is no template takes no memory for its path", optedIn + longKey + strings.Repeat("  - a\n", 50_000), ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o := read(t, tc.in)
			began := time.Now()
			tmpl, err := Compile(o, Ref(o))
			checkPatience(t, began)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if d := cmp.Diff(tc.want, got); d != "" || err != nil && tmpl != nil {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}
