package object

import "strings"

// Path is a place in an object: names of fields, and items in brackets.
type Path []string

// Item is the step to the item of a list with these values for these keys.
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

// String is the path with dots. A name with dots, as of annotations, is in brackets.
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
