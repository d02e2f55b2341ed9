package text

import (
	"fmt"
	"strconv"
	"strings"
	"text/template"
	"unicode/utf8"

	"github.com/Masterminds/semver/v3"
)

// printing are the functions that make text of anything.
func printing() map[string]*function {
	return map[string]*function{
		"print": is(fmt.Sprint), "println": is(fmt.Sprintln), "printf": {make: func(b *budget) any { return b.printf }},
		"html": is(template.HTMLEscaper), "js": is(template.JSEscaper), "urlquery": is(template.URLQueryEscaper),
	}
}

// grows is how many bytes a byte of an argument may become: "%+q" of a character.
const grows = 10

// printf is fmt.Sprintf within bounds.
func (b *budget) printf(format string, args ...any) (string, error) {
	e, err := b.weigh(args...)
	if err != nil {
		return "", err
	}
	f := scanFormat(format)
	if err := f.fault(args); err != nil {
		return "", err
	}
	times := 1
	if f.indexed { // an argument may be used many times
		times = max(f.verbs, 1)
	}
	if made := len(format) + f.verbs*maxPadding*f.padded + times*grows*(e.bytes+e.parts*24); made > maxTransient {
		return "", errTooLong
	}
	for i, a := range args {
		if version, is := a.(*semver.Version); is { // else some verbs write its address
			args[i] = version.String()
		}
	}
	return fmt.Sprintf(format, args...), nil
}

// format is what the text given to printf asks for.
type format struct {
	verbs, largest  int
	padded          int  // 1 where there is a width or a precision
	star            bool // an argument gives one
	indexed, places bool // arguments are named by number; an address is asked for
}

// scanFormat looks at all that printf may take for a width, a precision or an index. In a format that is wrong it sees
// more than printf does, never less.
func scanFormat(text string) (f format) {
	for {
		_, rest, found := strings.Cut(text, "%")
		if !found {
			return f
		}
		f.verbs++
		text = f.verb(rest)
	}
}

// verb reads one verb and returns what comes behind it.
func (f *format) verb(s string) string {
	for s != "" {
		switch c := s[0]; {
		case strings.IndexByte("#0+- .", c) >= 0:
			s = s[1:]
		case c == '*':
			f.star, f.padded, s = true, 1, s[1:]
		case c == '[':
			f.indexed = true
			s = s[max(1, strings.IndexByte(s, ']')+1):]
		case '1' <= c && c <= '9':
			digits := s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
			n, err := strconv.Atoi(digits)
			if err != nil {
				n = maxPadding + 1
			}
			f.largest, f.padded, s = max(f.largest, n), 1, s[len(digits):]
		default:
			f.places = f.places || c == 'p'
			_, size := utf8.DecodeRuneInString(s)
			return s[size:]
		}
	}
	return s
}

func (f *format) fault(args []any) error {
	if f.places {
		return refuse("printf writes no addresses: do not use %%p")
	}
	largest := f.largest
	for _, a := range args {
		if n, is := wholeNumber(a); f.star && is {
			largest = max(largest, n, -n)
		}
	}
	if largest > maxPadding {
		return refuse("printf with a width or precision above %d", maxPadding)
	}
	return nil
}

// wholeNumber is a number as far as it could be a width.
func wholeNumber(a any) (int, bool) {
	n, err := strconv.Atoi(fmt.Sprint(a))
	switch a.(type) {
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		if err != nil || n < -1<<30 || n > 1<<30 {
			n = 1 << 30
		}
		return n, true
	}
	return 0, false
}
