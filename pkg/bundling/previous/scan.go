package previous

import (
	"bytes"
	"strings"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// scanIDs reads what the manifests of a work are called out of the text of its spec, as this function
// writes it; false when it is written in another way, and a parser has to read it. A fleet has very many works,
// and of most nothing else is of interest.
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

// manifestScan is a manifest that is being scanned, and those before it.
type manifestScan struct {
	ids        []krm.ID
	apiVersion string
	id         krm.ID
	open       bool
	inMetadata bool
	listAt     int // the column where items of a list may stand, the value of the field before; 0 for none
}

const (
	itemStart   = "    - "
	fieldIndent = len(itemStart)
	innerIndent = fieldIndent + 2
)

// read takes the next line in; false when it cannot tell what the line means.
func (s *manifestScan) read(line []byte) bool {
	switch indent := len(line) - len(bytes.TrimLeft(line, " ")); {
	case len(line) == 1, indent > innerIndent:
		return true
	case bytes.HasPrefix(line, []byte(itemStart)):
		if !s.close() {
			return false
		}
		s.open = true
		return s.field(string(line[fieldIndent:]))
	case bytes.HasPrefix(line[indent:], []byte("- ")) && (indent == fieldIndent || indent == innerIndent && s.inMetadata):
		return s.listAt == indent
	case indent == fieldIndent && s.open:
		return s.field(string(line[fieldIndent:]))
	case indent == innerIndent && s.inMetadata:
		return s.inner(string(line[innerIndent:]))
	case indent == innerIndent && s.open, indent == fieldIndent+1 && s.open && !s.inMetadata:
		return true
	}
	return false
}

// field takes in a field of the object.
func (s *manifestScan) field(text string) bool {
	key, value, found := strings.Cut(strings.TrimSuffix(text, "\n"), ":")
	s.inMetadata = key == "metadata"
	s.listAt = 0
	if value == "" && !s.inMetadata {
		s.listAt = fieldIndent
	}
	switch key {
	case "apiVersion":
		return found && scanValue(value, &s.apiVersion)
	case "kind":
		return found && scanValue(value, &s.id.Kind)
	case "metadata":
		return found && value == ""
	}
	return found && isWord(key)
}

// inner takes in a field of the metadata.
func (s *manifestScan) inner(text string) bool {
	key, value, found := strings.Cut(strings.TrimSuffix(text, "\n"), ":")
	s.listAt = 0
	if value == "" {
		s.listAt = innerIndent
	}
	switch key {
	case "name":
		return found && scanValue(value, &s.id.Name)
	case "namespace":
		return found && scanValue(value, &s.id.Namespace)
	}
	return found && isWord(key)
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
	s.ids = append(s.ids, s.id)
	*s = manifestScan{ids: s.ids}
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

// isWord reports whether text is what names are made of, and nothing that YAML has a use for.
func isWord(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool {
		plain := r == '-' || r == '.' || r == '/' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		return !plain
	}) < 0
}
