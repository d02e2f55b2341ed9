package krm

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// oddFields are fields with comments in all the places where YAML takes one. A field begins with its
// key; what follows is indented as it.
var oddFields = []string{
	"K: # C\n  [\"-v\", \"1\"]", "K: # C\n  \"next line\"", "K:\n  # C\n  {a: b}", "K: | # C\n  text", "K: &A # C\n  b: c",
	"K: {a: b, # C\n  c: d} # C", "K:\n- # C\n  a: b\n-  c", "K:\n  - a\n  # C\n  - b\n  # C", "K: # C\n  # C\n  a: b",
	"K:\n  - a: b\n    # C\n# C", "K: [ \n  a, # C\n  b # C\n  ] # C", "K: \"x\" # C\n# C", "K:\n\n  # C\n\n  a: b\n\n  # C\n",
	"K: # C", "K: !!map # C\n  a: b", "? K # C\n: v # C", "K: {} # C", "K:\n  a: 1\n # C\n  b: 2", "K: >- # C\n  a\n  b\n",
	"K: a\n  b # C", "K: \"a\n  b\" # C", "K:\n  - - a # C\n    # C\n    - b\n  - - c", "K: ~ # C", "K: !x {a: b} # C",
	"K: !!str # C", "K: &A # C\n  b: # C\n    e: f", "K: &A # C\n  # C\n  b: d # C", "K:\n- &A\n  # C\n  a: b\n- !!map\n  # C\n  a: b",
	"K:\n- - &A # C\n    - f", "K: # C\n  v # C", "? |\n  K\n  line\n# C\n: v # C\n# C", "K: {a: # C\n  b}", "K: [[a # C\n ], {b: c # C\n }, # C\n d]",
	"K: |+ # C\n  a\n\n# C", "K: a\n\n# C\n", "K:\n  b: |\n    x\n\n  # C\n\n  c: 1", "K: !x # C\n  - a", "K: !!null # C", "# C\nK: v # C",
	"# C\n\nK: v\n\n# C\n\n# C\n", "K:\n- a\n\n# C\n\n- b # C\n", "K:\n- - # C\n    a: b\n- # C\n  - c", "K:\n- [a, b] # C\n- {} # C\n# C\n- {a: b}\n- !!str c # C",
	"K: &A v # C\nKa: *A # C", "K:\n- x: # C\n  - y # C\n  # C\n  z: # C\n    [1]", "K: {\n  # C\n  a: b,\n  # C\n  c: d\n  # C\n  }", "K: [a, b\n  # C\n  ]",
	"K:\n- # C\n  [a]\n- # C\n  b", "K:\n# C\n", "K:\n  b:\n  # C\n# C\n", "K:\n\n# C\n\n# C",
}

// anyFields draws an object of odd fields, at some depth.
func anyFields() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		indent := rapid.SampledFrom([]string{"", "  ", "  - ", "  - - "}).Draw(t, "indent")
		marks := 0
		var b strings.Builder
		if b.WriteString("top: v\n"); indent != "" {
			b.WriteString("in:\n")
		}
		for i := range rapid.IntRange(1, 5).Draw(t, "fields") {
			field := rapid.SampledFrom(oddFields).Draw(t, "field")
			field = strings.ReplaceAll(strings.ReplaceAll(field, "K", fmt.Sprintf("k%d", i)), "&A", fmt.Sprintf("&a%d", i))
			field = strings.ReplaceAll(field, "*A", fmt.Sprintf("*a%d", i))
			for strings.Contains(field, "C") {
				marks++
				field = strings.Replace(field, "C", fmt.Sprintf("c%d", marks), 1)
			}
			for j, line := range strings.Split(field, "\n") {
				lead := strings.Repeat(" ", len(indent))
				if i == 0 && j == 0 {
					lead = indent
				}
				if line == "" {
					lead = ""
				}
				b.WriteString(lead + line + "\n")
			}
		}
		return b.String() + rapid.SampledFrom([]string{"", "end: x\n", "# c0\n", "\n# c0\n", "# c0\nend: x # c00\n"}).Draw(t, "end")
	})
}
