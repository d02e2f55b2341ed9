package text

import "github.com/waybill-dev/waybill/pkg/template"

// Pattern is a regular expression of RE2 with its size.
type Pattern = template.Pattern

// CompilePattern parses a regular expression. Errors quote it.
func CompilePattern(expr string) (*Pattern, error) { return template.CompilePattern(expr) }

// regexFunctions are sprig's functions with regular expressions.
func regexFunctions() map[string]*function {
	all := map[string]*function{}
	for name := range (&template.Regexes{}).Functions() {
		all[name] = &function{make: func(b *budget) any { return (&template.Regexes{Meter: b}).Functions()[name] }}
	}
	return all
}
