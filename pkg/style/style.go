// Package style paints texts for terminals.
//
// Shape: a Style is a value, and so is a Palette, which paints a text in a Style or leaves it as it is. An output has a Palette: Of
// returns it, On gives it one. What writes a text asks its output, and holds no escape codes.
// Cost: the length of the text.
// Errors: none.
// Source: ECMA-48, "SGR - Select Graphic Rendition".
package style

import (
	"io"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// Style is how a text looks: parameters of the sequence SGR. The zero Style changes nothing.
type Style string

// The styles of texts, by what the texts mean.
const (
	Heading Style = "1"
	Added   Style = "32"
	Removed Style = "31"
	Changed Style = "33"
	High    Style = "31"
	Medium  Style = "33"
	Low     Style = "2"
	Error   Style = "1;31"
	Warning Style = "1;33"
	Passed  Style = "32"
	Quiet   Style = "2"
)

// Palette says whether texts are painted.
type Palette bool

// Paint returns text in a style.
func (p Palette) Paint(s Style, text string) string {
	if !p || s == "" || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// words are texts that judge: changes, levels of risk, and what came of an operation.
var words = map[string]Style{
	"added": Added, "create": Added, "created": Added,
	"removed": Removed, "delete": Removed, "deleted": Removed,
	"changed": Changed, "update": Changed, "updated": Changed, "modified": Changed, "moved": Changed, "format": Quiet,
	"high": High, "medium": Medium, "low": Low,
	"OK": Passed, "done": Passed, "Missing": Warning, "Skipped": Quiet, "skipped": Quiet, "unchanged": Quiet, "planned": Changed,
	"Failed": Error, "failed": Error, "refused": Error, "blocked": Warning, "kept": Warning, "not-attempted": Warning,
	"missing": Error, "stale": Warning, "unknown": Warning,
}

// Word is the style of a word that judges; zero for every other text.
func Word(word string) Style { return words[word] }

// output is an io.Writer with a palette.
type output struct {
	io.Writer
	palette Palette
}

func (o output) Palette() Palette { return o.palette }

// On returns w with a palette.
func On(w io.Writer, p Palette) io.Writer { return output{w, p} }

// Of returns the palette of w; without one, texts are not painted.
func Of(w io.Writer) Palette {
	if o, ok := w.(interface{ Palette() Palette }); ok {
		return o.Palette()
	}
	return false
}

var codes = lazyregexp.New("\x1b\\[[0-9;]*m")

// Plain returns text without what Paint adds.
func Plain(text string) string { return codes.ReplaceAllString(text, "") }
