// Package limits says how large one value may be that comes from a cluster, or out of an expression, into
// an object that we write.
//
// Shape: two numbers, and a look at JSON text before anybody takes it apart. All who make such values keep
// to these: package status for what stands in results, package reports for what agents report as JSON.
//
// Whatever is written must be readable again, by us and by others. Files are read up to 200 levels deep and
// 64 MiB long, API servers take 10,000 levels and 1.5 MiB. Depth is far below either, also for a value that
// stands some levels down in its object. It bounds how YAML grows, too: there each level indents by two, so
// a megabyte of JSON becomes at most Depth and some megabytes. What people define and report stays far
// below: of whole CustomResourceDefinitions with their schemas, large ones are 25 levels deep.
//
// Cost: one pass over the text. Errors: none.
package limits

const (
	// Depth is how many lists and maps may stand inside each other in one value.
	Depth = 50
	// Bytes is how long the JSON text of one value may be.
	Bytes = 1 << 20
)

// TooDeep reports whether more than Depth lists and maps are open at some place in a JSON text. Of what is
// no JSON it may say either.
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
