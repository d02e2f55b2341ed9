package document

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/waybill-dev/waybill/pkg/kptfile/mark"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// HasMarks reports whether a file obviously, without parsing, has the marks of every object. Unusual formatting
// is not obvious.
func HasMarks(data []byte) bool {
	if bytes.ContainsAny(data, "\r\t&%") {
		return false
	}
	for _, doc := range krm.Documents(data) {
		if !documentHasMarks(string(bytes.TrimPrefix(doc, []byte("---\n")))) {
			return false
		}
	}
	return true
}

// markLines are the lines of a document that make up its marks.
type markLines struct{ apiVersion, kind, mark, identity string }

func documentHasMarks(doc string) bool {
	var seen markLines
	section, sub := "", ""
	for line := range strings.Lines(doc) {
		line = strings.TrimSuffix(line, "\n")
		switch indent := len(line) - len(strings.TrimLeft(line, " ")); {
		case line == "" || line[indent:] == "" || line[indent] == '#':
		case indent == 0:
			section, sub = line, ""
			if !seen.field(line) {
				return false
			}
		case indent == 2 && strings.HasPrefix(section, "metadata:"):
			sub = line
		case indent == 4 && strings.HasPrefix(section, "metadata:") && sub == "  annotations:":
			if value, ok := strings.CutPrefix(line, "    "+mark.IdentityAnnotation+": '"); ok {
				seen.identity = strings.TrimSuffix(value, "'")
			}
		}
	}
	return seen.agree()
}

// field reads a line without indentation; false if it is unusual.
func (m *markLines) field(line string) bool {
	switch key, value, _ := strings.Cut(line, ": "); key {
	case "apiVersion", "kind":
		if !isBareWord(value) {
			return false
		}
		if key == "kind" {
			m.kind = value
		} else {
			m.apiVersion = value
		}
	case "metadata":
		var ok bool
		m.mark, ok = strings.CutPrefix(value, "# kpt-merge: ")
		return ok
	}
	return line[0] != '-' && line[0] != '{' && line[0] != '"' && line[0] != '\''
}

func isBareWord(s string) bool {
	return s != "" && !strings.ContainsAny(s, " #'\"*!|>{}[],&")
}

// agree reports whether the annotation fits the other lines.
func (m *markLines) agree() bool {
	if m.apiVersion == "" || m.kind == "" || m.mark == "" || m.kind == "Kptfile" {
		return false
	}
	namespace, name, ok := strings.Cut(m.mark, "/")
	if !ok || name == "" || strings.ContainsAny(m.mark, " \t") {
		return false
	}
	group, _, ok := strings.Cut(m.apiVersion, "/")
	if !ok {
		group = ""
	}
	return m.identity == strings.Join([]string{group, m.kind, cmp.Or(namespace, "default"), name}, "|")
}
