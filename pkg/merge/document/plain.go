package document

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/waybill-dev/waybill/pkg/kptfile/mark"
	"github.com/waybill-dev/waybill/pkg/krm/plain"
)

// plainMark returns a file with marks, made by inserting lines into its text; false if it is not certain that parsing and writing the
// file gives the same. It knows one document in the form in which manifests are mostly written: block maps and lists on their
// own lines, indented by two blanks, with values in one line, and comments behind values or at the top. The test compares it with
// the long way.
func plainMark(data []byte) ([]byte, bool) {
	const largest = 1 << 20 // far below the limits of a document
	if len(data) > largest || plain.Printable(data) < len(data) || bytes.Contains(data, []byte("internal.")) ||
		bytes.Contains(data, []byte("config.k")) || bytes.Contains(data, []byte("kpt")) {
		return nil, false
	}
	m := plainMarks{Scanner: plain.New(data), text: data}
	if !m.read() || !isPlainName(m.name) || m.namespace != "" && !isPlainName(m.namespace) || m.apiVersion == "" || m.kind == "" {
		return nil, false
	}
	return m.marked(), true
}

// isPlainName reports whether a name without quotes is a text, and needs no quotes in a mark.
func isPlainName(s string) bool {
	return s != "" && isLetter(s[0]) && isCertainText(s) && strings.Trim(s, letters+"0123456789-.") == ""
}

// marked inserts the marks. They are those of mark.Set.
func (m *plainMarks) marked() []byte {
	group, _, ok := strings.Cut(m.apiVersion, "/")
	if !ok {
		group = ""
	}
	identity := strings.Join([]string{group, m.kind, cmp.Or(m.namespace, "default"), m.name}, "|")
	out := make([]byte, 0, len(m.text)+256)
	out = append(out, m.text[:m.metadata]...)
	out = append(out, " # kpt-merge: "+m.namespace+"/"+m.name...)
	out = append(out, m.text[m.metadata:m.annotate]...)
	if !m.annotated {
		out = append(out, "  annotations:\n"...)
	}
	out = append(out, "    "+mark.IdentityAnnotation+": '"+identity+"'\n"...)
	return append(out, m.text[m.annotate:]...)
}

// field notes the value of a field that has to do with the marks; false if it is unusual.
func (m *plainMarks) field() bool {
	if m.Depth() > 2 {
		return true
	}
	switch value := string(m.Value); {
	case m.At("apiVersion"):
		m.apiVersion = value
		return isBareWord(value) && isLetter(value[0]) && isCertainText(value) && strings.Count(value, "/") < 2
	case m.At("kind"):
		m.kind = value
		return isPlainName(value) && value != "Kptfile" && !strings.HasSuffix(value, "List")
	case m.At("metadata"):
		m.metadata = m.End - 1
		return m.Kind == plain.Below
	case m.At("metadata", "name"):
		m.name = value
	case m.At("metadata", "namespace"):
		m.namespace = value
		return value != ""
	case m.At("metadata", "annotations"):
		m.annotated = true
		return m.Kind == plain.Below
	}
	return true
}
