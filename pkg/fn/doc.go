package fn

import (
	"fmt"
	"strings"
)

// Doc is the documentation of a function, taken from its README.
type Doc struct {
	Short  string // one sentence
	Long   string // the whole text without the title and the short text
	README string // the file as it is
}

// MustDoc parses a README: a title line that must be "# <name>", then the part between the
// markers mdtogo:Short, then the part between the markers mdtogo:Long, as in the function
// catalogue. It panics when a part is missing, which a test of every function catches.
func MustDoc(readme, name string) Doc {
	if !strings.HasPrefix(readme, "# "+name+"\n") {
		panic(fmt.Sprintf("README of %s does not begin with %q", name, "# "+name))
	}
	return Doc{Short: section(readme, name, "Short"), Long: section(readme, name, "Long"), README: readme}
}

func section(readme, name, which string) string {
	_, rest, ok := strings.Cut(readme, "<!--mdtogo:"+which+"-->")
	text, _, closed := strings.Cut(rest, "<!--mdtogo-->")
	if !ok || !closed || strings.TrimSpace(text) == "" {
		panic(fmt.Sprintf("README of %s has no section mdtogo:%s", name, which))
	}
	return strings.TrimSpace(text)
}
