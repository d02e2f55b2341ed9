package object

import "strings"

// Path is where in an object the merge is: names of fields, and items in brackets.
type Path []string

// Item is the step into a list, to the item with these values under these keys.
func Item(keys, values []string) string {
	var parts []string
	for i, v := range values {
		if len(keys) > 0 {
			v = keys[i] + "=" + v
		}
		parts = append(parts, v)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// String is the place with dots. A name that would be mistaken for several, as those of annotations are,
// stands in brackets.
func (p Path) String() string {
	var b strings.Builder
	for _, step := range p {
		switch {
		case strings.HasPrefix(step, "["):
		case strings.ContainsAny(step, "./[]"):
			step = "[" + step + "]"
		case b.Len() > 0:
			b.WriteByte('.')
		}
		b.WriteString(step)
	}
	return b.String()
}
