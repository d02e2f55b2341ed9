package document

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/waybill-dev/waybill/pkg/kptfile/mark"
)

// plainMark returns a file with marks, made by inserting lines into its text; false if it is not certain that parsing and writing the
// file gives the same. It knows one document in the form in which manifests are mostly written: block maps and lists on their
// own lines, indented by two blanks, with values in one line, and comments behind values or at the top. The test compares it with
// the long way.
func plainMark(data []byte) ([]byte, bool) {
	const largest = 1 << 20 // far below the limits of a document
	if len(data) == 0 || len(data) > largest || data[len(data)-1] != '\n' || bytes.Contains(data, []byte("internal.")) ||
		bytes.Contains(data, []byte("config.k")) || bytes.Contains(data, []byte("kpt")) {
		return nil, false
	}
	s := plainScanner{text: string(data)}
	if !s.scan() || !isPlainName(s.name) || s.namespace != "" && !isPlainName(s.namespace) || s.apiVersion == "" || s.kind == "" {
		return nil, false
	}
	return s.marked(), true
}

// isPlainName reports whether a name without quotes is a text, and needs no quotes in a mark.
func isPlainName(s string) bool {
	return s != "" && isLetter(s[0]) && isCertainText(s) && strings.Trim(s, letters+"0123456789-.") == ""
}

// marked inserts the marks. They are those of mark.Set.
func (s *plainScanner) marked() []byte {
	group, _, ok := strings.Cut(s.apiVersion, "/")
	if !ok {
		group = ""
	}
	identity := strings.Join([]string{group, s.kind, cmp.Or(s.namespace, "default"), s.name}, "|")
	out := make([]byte, 0, len(s.text)+256)
	out = append(out, s.text[:s.metadata]...)
	out = append(out, " # kpt-merge: "+s.namespace+"/"+s.name...)
	out = append(out, s.text[s.metadata:s.annotate]...)
	if !s.annotated {
		out = append(out, "  annotations:\n"...)
	}
	out = append(out, "    "+mark.IdentityAnnotation+": '"+identity+"'\n"...)
	return append(out, s.text[s.annotate:]...)
}

// field looks at a key outside of lists, with the keys above it.
func (s *plainScanner) field(key, value string, end int) bool {
	switch {
	case len(s.open) == 1:
		s.section = key
		switch key {
		case "apiVersion":
			s.apiVersion = value
			return isBareWord(value) && isLetter(value[0]) && isCertainText(value) && strings.Count(value, "/") < 2
		case "kind":
			s.kind = value
			return isPlainName(value) && value != "Kptfile" && !strings.HasSuffix(value, "List")
		case "metadata":
			s.metadata = end - 1
			return value == ""
		}
	case len(s.open) == 2 && s.section == "metadata":
		switch s.sub = key; key {
		case "name":
			s.name = value
		case "namespace":
			s.namespace = value
			return value != ""
		case "annotations":
			s.annotated = true
			return value == ""
		}
	}
	return true
}

// passed remembers where metadata, or its annotations, end: behind this line.
func (s *plainScanner) passed(end int) {
	if s.section == "metadata" && (!s.annotated || s.sub == "annotations") {
		s.annotate = end
	}
}
