// Package limits bounds one value that comes from a cluster or from an expression, and goes into an object that we write.
//
// Shape: two numbers, and a check of JSON text before it is parsed. Package status keeps to them for values in results, and
// package reports for values that agents report as JSON.
// Whatever is written must be readable again, by us and by others. Files are read up to 200 levels deep and 64 MiB long; API
// servers take 10,000 levels and 1.5 MiB. Depth is far below either, also for a value some levels down in its object. It
// bounds how much YAML grows, too: each level indents by two, so a megabyte of JSON becomes at most Depth and some megabytes.
// Real values are far below: large CustomResourceDefinitions with their schemas are 25 levels deep.
// Cost: one pass over the text. Errors: none.
package limits

const (
	// Depth is how many lists and maps may be inside each other in one value.
	Depth = 50
	// Bytes is how long a value may be as JSON.
	Bytes = 1 << 20
)

// TooDeep reports whether more than Depth lists and maps are open somewhere in a JSON text. For text that is no JSON it may
// return either.
func TooDeep(json string) bool {
	open, quoted := 0, false
	for i := 0; i < len(json); i++ {
		switch c := json[i]; {
		case quoted && c == '\\':
			i++ // what follows does not end the text
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			if open++; open > Depth {
				return true
			}
		case c == ']' || c == '}':
			open--
		}
	}
	return false
}
