package fntest

import (
	"regexp"
	"strings"
)

// Example is the YAML that a function's README shows below "## Example". A block "yaml in FILE" is a file of a package,
// "yaml out FILE" a file of the rendered package; Fragments are the others: a part of a Kptfile, or options of the
// function's own kind.
type Example struct {
	In, Out   map[string][]byte
	Fragments []string
}

// fence matches a block of YAML: the text behind the language, and the block.
var fence = regexp.MustCompile("(?ms)^```yaml ?(.*?)\\n(.*?)^```$")

// ReadExample returns the example of a README; its maps are empty when there is none.
func ReadExample(readme string) Example {
	e := Example{In: map[string][]byte{}, Out: map[string][]byte{}}
	_, text, _ := strings.Cut(readme, "\n## Example\n")
	for _, m := range fence.FindAllStringSubmatch(text, -1) {
		switch how, file, _ := strings.Cut(m[1], " "); how {
		case "in":
			e.In[file] = []byte(m[2])
		case "out":
			e.Out[file] = []byte(m[2])
		default:
			e.Fragments = append(e.Fragments, m[2])
		}
	}
	return e
}
