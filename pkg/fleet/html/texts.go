package html

import (
	"encoding/json"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// encodeTexts encodes the texts of each object: the commonest text whole, and of the others the lines that differ from it.
// Texts beyond most bytes are null; the commonest text of each object comes before all others.
func encodeTexts(objects []index.Object, most int) [][]json.RawMessage {
	out := make([][]json.RawMessage, len(objects))
	null := json.RawMessage("null")
	take := func(text json.RawMessage) json.RawMessage {
		if len(text) > most {
			return null
		}
		most -= len(text)
		return text
	}
	for i, o := range objects {
		out[i] = make([]json.RawMessage, len(o.Texts))
		if len(o.Texts) > 0 {
			out[i][0] = take(raw(safetext.VisibleLines(o.Texts[0])))
		}
	}
	for i, o := range objects {
		if len(o.Texts) < 2 {
			continue
		}
		first := strings.Split(safetext.VisibleLines(o.Texts[0]), "\n")
		whole := string(out[i][0]) != "null"
		for n, text := range o.Texts[1:] {
			if out[i][n+1] = null; whole {
				out[i][n+1] = take(raw(edits(first, strings.Split(safetext.VisibleLines(text), "\n"))))
			}
		}
	}
	return out
}

// edits turn first into own: triples of a line of first, how many lines to remove, and the text to insert.
func edits(first, own []string) (out []any) {
	if len(first) != len(own) {
		return oneEdit(first, own)
	}
	for at := 0; at < len(own); at++ {
		from := at
		for at < len(own) && first[at] != own[at] {
			at++
		}
		if at > from {
			out = append(out, from, at-from, joined(own[from:at]))
		}
	}
	return out
}

// oneEdit replaces everything between the common beginning and the common end.
func oneEdit(first, own []string) []any {
	most := min(len(first), len(own))
	before := 0
	for before < most && first[before] == own[before] {
		before++
	}
	after := 0
	for after < most-before && first[len(first)-1-after] == own[len(own)-1-after] {
		after++
	}
	return []any{before, len(first) - before - after, joined(own[before : len(own)-after])}
}

func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}
