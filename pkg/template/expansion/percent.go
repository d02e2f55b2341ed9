package expansion

import (
	"strconv"
	"strings"
)

// escaped is the name under which a template is parsed. text/template makes its errors' formats out of
// names, so a key with a % in it would garble them.
func escaped(name string) string { return strings.ReplaceAll(name, "%", "%%") }

// unescaped is an error's text with the template's own name, wherever text/template passed the
// escaped one through: plain or quoted.
func unescaped(text, name string) string {
	if !strings.Contains(name, "%") {
		return text
	}
	return strings.NewReplacer(escaped(name), name, strconv.Quote(escaped(name)), strconv.Quote(name)).Replace(text)
}
