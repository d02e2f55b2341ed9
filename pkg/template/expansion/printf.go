package expansion

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

const (
	maxPadding = 1000 // largest width or precision in printf
	// maxGrowth is how many bytes of output one byte of an argument can become ("%+q").
	maxGrowth = 10
	// maxTransient bounds what printf may build before its result is measured.
	maxTransient = 16 << 20
)

// format is what the text given to printf asks for.
type format struct {
	bytes   int
	verbs   int
	padded  int  // verbs with a width or precision
	padding int  // largest number among these
	star    bool // an argument gives a width or precision
	indexed bool // arguments are named by number, so one may be used many times
}

// scanFormat looks at everything that printf could take for a width, a precision or an index. It
// sees a little more than printf does in malformed formats, never less.
func scanFormat(text string) format {
	f := format{bytes: len(text)}
	for {
		_, rest, ok := strings.Cut(text, "%")
		if !ok {
			return f
		}
		f.verbs++
		text = f.verb(strings.TrimLeft(rest, "#0+- "))
	}
}

// verb reads width, precision and indexes of one verb and returns what comes after them.
func (f *format) verb(s string) string {
	padded := false
	for s != "" {
		switch c := s[0]; {
		case '0' <= c && c <= '9':
			digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
			n, err := strconv.Atoi(s[:digits])
			if err != nil {
				n = maxPadding + 1
			}
			f.padding, padded, s = max(f.padding, n), true, s[digits:]
		case c == '[':
			f.indexed = true
			s = s[max(1, strings.IndexByte(s, ']')+1):]
		case c == '*':
			f.star, padded, s = true, true, s[1:]
		case c == '.':
			s = s[1:]
		default:
			if padded {
				f.padded++
			}
			if c == '%' {
				return s[1:]
			}
			return s
		}
	}
	return s
}

// fault says why the format alone is out of bounds, "" when it is not.
func (f format) fault() string {
	if f.padding > maxPadding {
		return fmt.Sprintf("printf with a width or precision above %d", maxPadding)
	}
	return ""
}

// faultWith says why the format is out of bounds with args, "" when it is not. Where an argument
// gives a width, no whole number among the arguments may be too large for one.
func (f format) faultWith(args []any) string {
	largest := 0
	for _, a := range args {
		v := reflect.ValueOf(a)
		if f.star && (v.CanInt() && (v.Int() > maxPadding || v.Int() < -maxPadding) || v.CanUint() && v.Uint() > maxPadding) {
			return fmt.Sprintf("printf with \"*\" and a number above %d", maxPadding)
		}
		largest = max(largest, sizeOf([]any{a}))
	}
	grown := maxGrowth * sizeOf(args)
	if f.indexed {
		grown = max(grown, maxGrowth*largest*f.verbs)
	}
	if f.bytes+grown+f.padded*2*maxPadding > maxTransient {
		return fmt.Sprintf("printf that could give more than %d bytes", maxTransient)
	}
	return ""
}
