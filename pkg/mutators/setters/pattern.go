package setters

import (
	"fmt"
	"slices"
	"strings"
)

// mark begins the comments with the pattern of a field.
const mark = "# kpt-set: "

// pattern is the content of such a comment: texts with the name of a setter between each two of them.
// There is one text more than names.
type pattern struct{ texts, names []string }

// parsePattern reads a comment, and reports whether it is marked.
func parsePattern(comment string) (p pattern, ok bool) {
	rest, ok := strings.CutPrefix(comment, mark)
	rest = strings.TrimSpace(rest)
	if !ok || rest == "" {
		return p, false
	}
	for {
		text, name, after, found := cutSetter(rest)
		p.texts = append(p.texts, text)
		if !found {
			return p, true
		}
		p.names, rest = append(p.names, name), after
	}
}

// cutSetter cuts s around its first ${name}.
func cutSetter(s string) (before, name, after string, found bool) {
	before, rest, open := strings.Cut(s, "${")
	name, after, closed := strings.Cut(rest, "}")
	if !open || !closed {
		return s, "", "", false
	}
	return before, name, after, true
}

// uses reports whether any setter of p has a value.
func (p pattern) uses(values map[string]string) bool {
	return slices.ContainsFunc(p.names, func(name string) bool { _, ok := values[name]; return ok })
}

// isOneSetter reports whether p is ${name} and nothing else.
func (p pattern) isOneSetter() bool {
	return len(p.names) == 1 && p.texts[0] == "" && p.texts[1] == ""
}

// fill returns the pieces of the text for p. A setter without a value keeps its part of current. A
// current that has the values already stays: ${a}-${b} with b = x-y would else read 1-x-y as 1-x and y,
// and grow with every run.
func (p pattern) fill(values map[string]string, current string) ([]string, error) {
	if rest := p.with(values); len(rest.names) < len(p.names) && len(rest.names) > 0 {
		if pieces, missing := rest.pieces(rest.derive(current)); len(missing) == 0 && strings.Join(pieces, "") == current {
			return pieces, nil
		}
	}
	all := values
	if !p.knows(values) {
		all = p.derive(current)
		for _, name := range p.names {
			if value, ok := values[name]; ok {
				all[name] = value
			}
		}
	}
	pieces, missing := p.pieces(all)
	if len(missing) > 0 {
		return nil, fmt.Errorf("values for setters %v must be provided", missing)
	}
	return pieces, nil
}

// with is p with the setters that have values made text.
func (p pattern) with(values map[string]string) (out pattern) {
	var text strings.Builder
	text.WriteString(p.texts[0])
	for i, name := range p.names {
		value, ok := values[name]
		if !ok {
			out.texts, out.names = append(out.texts, text.String()), append(out.names, name)
			text.Reset()
		}
		text.WriteString(value)
		text.WriteString(p.texts[i+1])
	}
	out.texts = append(out.texts, text.String())
	return out
}

// knows reports whether every setter of p has a value.
func (p pattern) knows(values map[string]string) bool {
	return !slices.ContainsFunc(p.names, func(name string) bool { _, ok := values[name]; return !ok })
}

// pieces are the texts and values that p is made of, and the setters that have none.
func (p pattern) pieces(values map[string]string) (pieces, missing []string) {
	pieces = append(pieces, p.texts[0])
	for i, name := range p.names {
		value, ok := values[name]
		if !ok {
			missing = append(missing, "${"+name+"}")
		}
		pieces = append(pieces, value, p.texts[i+1])
	}
	return pieces, missing
}

// derive splits text along p and returns the parts of the setters, nothing when text does not match or
// a part is empty. Of several ways to split it, the one with the longest earlier parts is taken, as
// (.*) in a regular expression does, without its cost.
func (p pattern) derive(text string) map[string]string {
	for line := range strings.SplitSeq(text, "\n") {
		if places, fits := p.places(line); fits {
			return p.named(places)
		}
	}
	return map[string]string{}
}

// places are the parts of line between the texts of p.
func (p pattern) places(line string) (places []string, fits bool) {
	_, line, fits = strings.Cut(line, p.texts[0])
	ends, left := make([]int, len(p.names)), line
	for i := len(p.names) - 1; i >= 0 && fits; i-- { // every text as far right as it goes
		ends[i] = strings.LastIndex(left, p.texts[i+1])
		fits = ends[i] >= 0
		left = left[:max(0, ends[i])]
	}
	if !fits {
		return nil, false
	}
	start := 0
	for i, end := range ends {
		places = append(places, line[start:end])
		start = end + len(p.texts[i+1])
	}
	return places, true
}

func (p pattern) named(places []string) map[string]string {
	values := make(map[string]string, len(places))
	for i, value := range places {
		if value == "" {
			return map[string]string{}
		}
		values[p.names[i]] = value
	}
	return values
}
