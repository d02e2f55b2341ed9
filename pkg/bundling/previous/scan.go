package previous

import (
	"bytes"
	"strings"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// scanIDs reads the identities of the manifests of a work from the text of its spec as this function writes it. It returns false if the
// text has another form, which needs a parser. A fleet has very many works, and of most only the identities matter.
func scanIDs(spec []byte) (ids []krm.ID, ok bool) {
	text, ok := bytes.CutPrefix(spec, []byte(manifest.ManifestsHead))
	if !ok {
		return nil, false
	}
	var s manifestScan
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte("    ")) && len(line) > 1 {
			break // the next field
		}
		if !s.read(line) {
			return nil, false
		}
	}
	return s.ids, s.close()
}

// manifestScan is the state of a scan: the current manifest, and the identities of those before it.
type manifestScan struct {
	ids        []krm.ID
	apiVersion string
	id         krm.ID
	open       bool
	inMetadata bool
	listAt     int // the column where items of a list may be: the value of the previous field; 0 for none
}

const (
	itemStart   = "    - "
	fieldIndent = len(itemStart)
	innerIndent = fieldIndent + 2
)

// read reads the next line; false if it does not know what the line means.
func (s *manifestScan) read(line []byte) bool {
	switch indent := len(line) - len(bytes.TrimLeft(line, " ")); {
	case len(line) == 1, indent > innerIndent:
		return true
	case bytes.HasPrefix(line, []byte(itemStart)):
		if !s.close() {
			return false
		}
		s.open = true
		return s.field(string(line[fieldIndent:]), fieldIndent)
	case bytes.HasPrefix(line[indent:], []byte("- ")) && (indent == fieldIndent || indent == innerIndent && s.inMetadata):
		return s.listAt == indent
	case indent == fieldIndent && s.open, indent == innerIndent && s.inMetadata:
		return s.field(string(line[indent:]), indent)
	case indent == innerIndent && s.open, indent == fieldIndent+1 && s.open && !s.inMetadata:
		return true
	}
	return false
}

// field reads a field of the object, or of its metadata.
func (s *manifestScan) field(text string, column int) bool {
	key, value, found := strings.Cut(strings.TrimSuffix(text, "\n"), ":")
	inner := column == innerIndent
	s.inMetadata = inner || key == "metadata"
	s.listAt = 0
	if value == "" && (inner || !s.inMetadata) {
		s.listAt = column
	}
	switch {
	case !found || !isWord(key):
		return false
	case !inner && key == "metadata":
		return value == ""
	case !inner && key == "apiVersion":
		return scanValue(value, &s.apiVersion)
	case !inner && key == "kind":
		return scanValue(value, &s.id.Kind)
	case inner && key == "name":
		return scanValue(value, &s.id.Name)
	case inner && key == "namespace":
		return scanValue(value, &s.id.Namespace)
	}
	return true
}

// close ends a manifest.
func (s *manifestScan) close() bool {
	if !s.open {
		return true
	}
	if s.apiVersion == "" || s.id.Kind == "" || s.id.Name == "" {
		return false
	}
	if group, _, grouped := strings.Cut(s.apiVersion, "/"); grouped {
		s.id.Group = group
	}
	*s = manifestScan{ids: append(s.ids, s.id)}
	return true
}

// scanValue reads a value that is a word, with or without quotes.
func scanValue(text string, into *string) bool {
	text, blank := strings.CutPrefix(text, " ")
	if quoted := len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"'; quoted {
		text = text[1 : len(text)-1]
	} else if strings.EqualFold(text, "null") {
		return false
	}
	*into = text
	return blank && isWord(text)
}

// isWord reports whether text has only the characters of names, and none with a meaning in YAML.
func isWord(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool {
		plain := r == '-' || r == '.' || r == '/' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		return !plain
	}) < 0
}
