// Package safetext makes texts of unknown origin fit for messages, pages and drawings: of bounded length, on one line, and
// with nothing hidden in them.
//
// Shape: text in, text out; what needs no change is given back as it is. Cut, Escape and SingleLine serve messages. Visible,
// VisibleLines, Short, Middle and Distinct spell out what a reader could not see; none of them halves what is spelled out.
// Cost: the length of the text.
// Errors: none.
// Source: The Unicode Standard, properties Default_Ignorable_Code_Point and Variation_Selector; what Go can print.
package safetext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cut is the start of a text that has more than most bytes, no character halved, with mark behind it.
func Cut(text string, most int, mark string) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + mark
}

var lineEnds = strings.NewReplacer("\n", `\n`, "\r", `\r`)

// Escape is a text on one line: line ends are shown as \n and \r, and invalid bytes as U+FFFD.
func Escape(text string) string { return lineEnds.Replace(strings.ToValidUTF8(text, "\uFFFD")) }

// SingleLine is a text on one line, of no more than most bytes, with nothing in it that moves a cursor.
func SingleLine(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	return Cut(strings.Join(strings.Fields(text), " "), most, "...")
}
