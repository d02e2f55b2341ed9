package diff

import (
	"math"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/merge/object"
)

// fullText is n on one line, however long.
func fullText(n *yaml.Node) string { return object.Flow(n, math.MaxInt) }

// contextLength is how much of the common start of two long values is shown.
const contextLength = 20

// differingParts are the texts of two values whose short texts are equal, from shortly before the first
// difference.
func differingParts(from, to *yaml.Node) (*string, *string) {
	a, b := []rune(fullText(from)), []rune(fullText(to))
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	cut := func(text []rune) *string {
		start := max(0, min(at, len(text))-contextLength)
		end := min(len(text), start+object.MaxText)
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

// String is one line: the subject, and what happened to it.
func (c Change) String() string {
	return object.OneLine(object.Subject(c.File, c.Object, c.Field) + ": " + c.description())
}

func (c Change) description() string {
	switch {
	case c.Kind == Format:
		return "written differently, says the same"
	case c.Kind == Moved && c.Field == "":
		return "moved from " + object.Show(c.From)
	case c.Kind == Moved:
		return "order " + object.Show(c.From) + " → " + object.Show(c.To)
	case c.From == nil && c.To == nil:
		return string(c.Kind)
	case c.Kind == Added:
		return "added " + object.Show(c.To)
	case c.Kind == Removed:
		return "removed, was " + object.Show(c.From)
	case *c.From == object.Hidden && *c.To == object.Hidden:
		return "changed " + object.Hidden
	}
	return object.Show(c.From) + " → " + object.Show(c.To)
}
