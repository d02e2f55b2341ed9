package document

import (
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm/encode"
)

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// plainScanner reads a document line by line. It gives up, by false, at the first line whose meaning depends on more than the
// lines above it, and at one that would be written in another form.
type plainScanner struct {
	text string
	open []plainBlock // maps and lists, the outermost first
	wait bool         // for the value of a key, on the next line

	section, sub                      string // the keys at the two outer levels
	apiVersion, kind, name, namespace string
	annotated                         bool
	metadata, annotate                int // where the two marks go
}

// plainBlock is a map or a list whose lines begin at a column.
type plainBlock struct {
	column int
	list   bool
	keys   []string
}

const (
	mostOpen = 40 // far below the limit of nesting
	mostKeys = 64 // in one map, as they are compared with each other
)

func (s *plainScanner) scan() bool {
	for at := 0; at < len(s.text); {
		end := at + strings.IndexByte(s.text[at:], '\n')
		if !s.line(s.text[at:end], end+1) {
			return false
		}
		at = end + 1
	}
	return !s.wait && s.metadata > 0 && s.annotate > 0
}

// line reads a line that ends before end.
func (s *plainScanner) line(line string, end int) bool {
	for i := range len(line) {
		if line[i] < ' ' || line[i] > '~' {
			return false
		}
	}
	rest := strings.TrimLeft(line, " ")
	column := len(line) - len(rest)
	switch {
	case rest == "" || rest[len(rest)-1] == ' ' || column%2 != 0:
		return false
	case rest[0] == '#':
		return len(s.open) == 0 && column == 0 && strings.HasPrefix(rest, "# ") // at the top
	case strings.HasPrefix(rest, "- "):
		return s.item(rest[2:], column, end)
	}
	return s.enter(column, false) && s.entry(rest, end)
}

// item reads a line that begins with a dash.
func (s *plainScanner) item(rest string, column, end int) bool {
	inAnnotations := s.section == "metadata" && s.sub == "annotations" // which are a map
	if inAnnotations || !s.enter(column, true) || strings.Contains(rest, " #") {
		return false
	}
	if _, _, ok := cutKey(rest); !ok {
		s.passed(end)
		return isCertainValue(rest)
	}
	s.open = append(s.open, plainBlock{column: column + 2})
	return s.entry(rest, end)
}

// enter closes what ends above a line, and opens the block that begins with it.
func (s *plainScanner) enter(column int, list bool) bool {
	if s.wait || len(s.open) == 0 {
		above := -2
		if len(s.open) > 0 {
			above = s.open[len(s.open)-1].column
		}
		s.wait = false
		s.open = append(s.open, plainBlock{column: column, list: list})
		if list { // with its dashes below the key
			return column == above && len(s.open) < mostOpen
		}
		return column == above+2 && len(s.open) < mostOpen
	}
	for i := len(s.open) - 1; i >= 0; i-- {
		if b := s.open[i]; b.column == column && b.list == list {
			s.open = s.open[:i+1]
			return true
		} else if b.column < column {
			return false
		}
	}
	return false
}

// entry reads a key of the innermost map, and its value.
func (s *plainScanner) entry(rest string, end int) bool {
	key, value, ok := cutKey(rest)
	block := &s.open[len(s.open)-1]
	if !ok || !isCertainKey(key) || len(block.keys) >= mostKeys || slices.Contains(block.keys, key) {
		return false
	}
	block.keys = append(block.keys, key)
	s.wait = value == ""
	value, ok = cutComment(value)
	if !ok || !s.wait && !isCertainValue(value) || !s.field(key, value, end) {
		return false
	}
	s.passed(end)
	return true
}

// cutKey cuts a line into the key and the value.
func cutKey(rest string) (key, value string, ok bool) {
	if key, ok := strings.CutSuffix(rest, ":"); ok && !strings.ContainsAny(key, `: "'`) {
		return key, "", true
	}
	key, value, ok = strings.Cut(rest, ": ")
	return key, value, ok && value != "" && !strings.ContainsAny(key, `: "'`)
}

// cutComment cuts off a comment one blank behind the value.
func cutComment(value string) (rest string, ok bool) {
	if value == "" || value[0] == '"' || value[0] == '\'' { // which may hold the sign
		return value, true
	}
	rest, comment, found := strings.Cut(value, " #")
	return rest, !found || rest != "" && rest[len(rest)-1] != ' ' && rest != "{}" && rest != "[]" && comment != "" && comment[0] == ' '
}

// isCertainKey reports whether every reader takes a key as a text, and every writer writes it as it is.
func isCertainKey(key string) bool {
	return key != "" && len(key) <= 64 && isLetter(key[0]) && isCertainText(key) && strings.Trim(key, letters+"0123456789-._/") == ""
}

// isCertainValue reports whether a value in one line has one reading and is written as it is.
func isCertainValue(v string) bool {
	switch {
	case v == "{}" || v == "[]" || v == "true" || v == "false" || encode.IsDecimal(v):
		return true
	case v != "" && (v[0] == '"' || v[0] == '\''):
		return len(v) > 2 && v[len(v)-1] == v[0] && !strings.ContainsAny(v[1:len(v)-1], `"'\`)
	case v == "" || strings.Contains(v, ": ") || strings.Contains(v, " #") || strings.Contains(v, "  ") || v[len(v)-1] == ':':
		return false
	case isLetter(v[0]) || v[0] == '/':
		return isCertainText(v)
	}
	return isQuantity(v)
}

// isCertainText reports whether a text that begins with a letter or a slash is none of the words that some reader takes for another type.
func isCertainText(v string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return strings.EqualFold(v, word) })
}

var words = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// isQuantity reports whether v is a number with a unit, which is a text.
func isQuantity(v string) bool {
	number := strings.TrimRight(v, letters)
	return number != "" && encode.IsDecimal(number) && slices.Contains(units, v[len(number):])
}

var units = []string{"m", "k", "M", "G", "Ki", "Mi", "Gi", "Ti", "s", "h"}
