package merge

import (
	"math"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// fullText is n on one line, however long.
func fullText(n *yaml.Node) string { return flow(n, math.MaxInt) }

// lead is how much of what two long values have in common is shown before the place where they differ.
const lead = 20

// apart are the texts of two values whose short texts are the same, from shortly before the place where
// they differ.
func apart(from, to *yaml.Node) (*string, *string) {
	a, b := []rune(fullText(from)), []rune(fullText(to))
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	cut := func(text []rune) *string {
		start := max(0, min(at, len(text))-lead)
		end := min(len(text), start+shortest)
		s := string(text[start:end])
		if start > 0 {
			s = "…" + s
		}
		if end < len(text) {
			s += "…"
		}
		return &s
	}
	return cut(a), cut(b)
}

// String is one line: what it is about, and what happened to it.
func (c Change) String() string {
	return oneLine(subject(c.File, c.Object, c.Field) + ": " + c.happened())
}

func (c Change) happened() string {
	switch {
	case c.Kind == Format:
		return "written differently, says the same"
	case c.Kind == Moved && c.Field == "":
		return "moved from " + shownAs(c.From)
	case c.Kind == Moved:
		return "order " + shownAs(c.From) + " → " + shownAs(c.To)
	case c.From == nil && c.To == nil:
		return string(c.Kind)
	case c.Kind == Added:
		return "added " + shownAs(c.To)
	case c.Kind == Removed:
		return "removed, was " + shownAs(c.From)
	case *c.From == hidden && *c.To == hidden:
		return "changed " + hidden
	}
	return shownAs(c.From) + " → " + shownAs(c.To)
}
