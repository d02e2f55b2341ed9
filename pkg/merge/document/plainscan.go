package document

import (
	"bytes"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm/encode"
	"github.com/waybill-dev/waybill/pkg/krm/plain"
)

// plainMarks is what the marks of a plain text say, and where they go.
type plainMarks struct {
	*plain.Scanner
	text                              []byte
	apiVersion, kind, name, namespace string
	annotated                         bool
	metadata, annotate                int
}

// read reads the text; false at the first line that a writer may write in another form.
func (m *plainMarks) read() bool {
	waits, depth, column := false, 0, 0 // for the value of a key, so deep and at that column
	for m.Next() {
		if m.Kind == plain.Comment && depth == 0 && m.Column == 0 && bytes.HasPrefix(m.Comment, []byte("# ")) { // at the top
			continue
		}
		opens := m.Column == column+2 && m.Dashes == 0 || m.Column == column && m.Dashes == 1 // a list has its dashes below the key
		if waits && (m.Depth() <= depth || !opens) || !m.isUsual() || !m.field() {
			return false
		}
		if m.Within("metadata") && (!m.annotated || m.Within("metadata", "annotations")) {
			m.annotate = m.End
		}
		waits, depth, column = m.Kind == plain.Below, m.Depth(), m.Column+2*m.Dashes
	}
	return m.Plain() && !waits && m.metadata > 0 && m.annotate > 0
}

// isUsual reports whether the line is an entry with one blank between its parts, and written as it is.
func (m *plainMarks) isUsual() bool {
	line := m.text[m.Start : m.End-1]
	switch {
	case m.Kind < plain.Below || m.Kind == plain.Block || m.Dashes > 1 || line[len(line)-1] == ' ':
		return false
	case m.Dashes == 1 && (line[m.Column+2] == ' ' || m.Comment != nil || m.Within("metadata", "annotations")): // which are a map
		return false
	case m.Comment != nil && (m.Kind != plain.Word || len(m.Comment) < 2 || m.Comment[1] != ' ' || line[len(line)-len(m.Comment)-2] == ' '):
		return false
	case m.Key != nil && (len(m.Key) > 64 || !isCertainText(string(m.Key))):
		return false
	case m.Key != nil && m.Kind != plain.Below && line[m.Column+2*m.Dashes+len(m.Key)+2] == ' ':
		return false
	}
	return m.isCertainValue(string(m.Value))
}

// isCertainValue reports whether a value in one line has one reading and is written as it is.
func (m *plainMarks) isCertainValue(v string) bool {
	switch {
	case m.Kind == plain.Below || m.Kind == plain.Empty || v == "true" || v == "false" || encode.IsDecimal(v):
		return true
	case m.Kind != plain.Word:
		return len(v) > 2 && !strings.ContainsAny(v[1:len(v)-1], `"'\`)
	case strings.Contains(v, "  "):
		return false
	case isLetter(v[0]) || v[0] == '/':
		return isCertainText(v)
	}
	return isQuantity(v)
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func isLetter(c byte) bool { return strings.IndexByte(letters, c) >= 0 }

// isCertainText reports whether a text that begins with a letter or a slash is none of the words that some reader takes for another type.
func isCertainText(v string) bool {
	return len(v) > len("false") || !slices.ContainsFunc(words, func(word string) bool { return strings.EqualFold(v, word) })
}

var words = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// isQuantity reports whether v is a number with a unit, which is a text.
func isQuantity(v string) bool {
	number := strings.TrimRight(v, letters)
	return number != "" && encode.IsDecimal(number) && slices.Contains(units, v[len(number):])
}

var units = []string{"m", "k", "M", "G", "Ki", "Mi", "Gi", "Ti", "s", "h"}
