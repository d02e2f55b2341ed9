package template

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"unicode/utf8"
)

// Printers are the functions of text/template that make text of any value: at most a few bytes for each byte of their
// arguments. For printf, see Format.
func Printers() map[string]func(...any) string {
	return map[string]func(...any) string{
		"print": fmt.Sprint, "println": fmt.Sprintln,
		"html": template.HTMLEscaper, "js": template.JSEscaper, "urlquery": template.URLQueryEscaper,
	}
}

const (
	// MaxPadding is the largest width and precision of printf.
	MaxPadding = 1000
	// MaxGrowth is how many bytes printf may write for a byte of an argument: "%+q" of a character.
	MaxGrowth = 10
)

// Format is the analysis of a format of printf.
type Format struct {
	Verbs   int
	Padded  int  // verbs with a width or precision
	Padding int  // the largest number among these
	Star    bool // an argument gives a width or precision
	Indexed bool // arguments are named by number, so that one may be used many times
	Address bool // a verb writes an address
}

// ScanFormat finds everything that printf may read as a width, a precision or an index. In an invalid format it finds a
// little more than printf does, never less. The characters of skipped are no verbs: "." and, to be stricter than printf,
// flags.
func ScanFormat(text, skipped string) (f Format) {
	for {
		_, rest, found := strings.Cut(text, "%")
		if !found {
			return f
		}
		f.Verbs++
		text = f.verb(strings.TrimLeft(rest, "#0+- "), skipped)
	}
}

// verb reads width, precision and indexes of one verb, and returns the rest.
func (f *Format) verb(s, skipped string) string {
	padded := f.Padded + 1
	for s != "" {
		switch c := s[0]; {
		case strings.IndexByte(skipped, c) >= 0:
			s = s[1:]
		case c == '*':
			f.Star, f.Padded, s = true, padded, s[1:]
		case c == '[':
			f.Indexed = true
			s = s[max(1, strings.IndexByte(s, ']')+1):]
		case '0' <= c && c <= '9':
			rest := strings.TrimLeft(s, "0123456789")
			n, err := strconv.Atoi(s[:len(s)-len(rest)])
			if err != nil {
				n = MaxPadding + 1
			}
			f.Padding, f.Padded, s = max(f.Padding, n), padded, rest
		default:
			f.Address = f.Address || c == 'p'
			_, size := utf8.DecodeRuneInString(s)
			return s[size:]
		}
	}
	return s
}

// CheckPrintf refuses a call of printf that writes an address, or too much. The arguments have so many parts and bytes.
func CheckPrintf(format string, args []any, parts, bytes int) error {
	f := ScanFormat(format, "#0+- .")
	switch {
	case f.Address:
		return Refuse("printf writes no addresses: do not use %%p")
	case f.Padding > MaxPadding, f.Star && Widest(args) > MaxPadding:
		return Refuse("printf with a width or precision above %d", MaxPadding)
	}
	times := 1
	if f.Indexed { // an argument may occur many times
		times = max(f.Verbs, 1)
	}
	padding := f.Verbs * MaxPadding * min(f.Padded, 1)
	if len(format)+padding+times*MaxGrowth*(bytes+parts*24) > MaxTransient {
		return TooLong(MaxTransient)
	}
	return nil
}

// Widest is the largest whole number among args, of any sign, up to a limit that matters for a width.
func Widest(args []any) (widest int) {
	const far = 1 << 30
	for _, a := range args {
		switch v := reflect.ValueOf(a); {
		case v.CanInt():
			n := min(max(v.Int(), -far), far)
			widest = max(widest, int(n), int(-n))
		case v.CanUint():
			widest = max(widest, int(min(v.Uint(), far)))
		}
	}
	return widest
}

// Keys are the keys of dicts, those of each in order.
func Keys(dicts ...map[string]any) []string {
	all := []string{}
	for _, d := range dicts {
		all = append(all, slices.Sorted(maps.Keys(d))...)
	}
	return all
}

// Values are the values of a dict, in the order of their keys.
func Values(dict map[string]any) []any {
	all := []any{}
	for _, key := range slices.Sorted(maps.Keys(dict)) {
		all = append(all, dict[key])
	}
	return all
}
