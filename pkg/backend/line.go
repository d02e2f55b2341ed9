package backend

import (
	"errors"
	"strings"
	"unicode"
)

// maxMessage bounds messages, in bytes.
const maxMessage = 300

// singleLine is s on one line, with nothing in it that moves a cursor, and no longer than the bound.
func singleLine(s string, longest int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > longest {
		s = strings.ToValidUTF8(s[:longest], "") + "..."
	}
	return s
}

func oneLine(err error) error { return errors.New(singleLine(err.Error(), maxMessage)) }
