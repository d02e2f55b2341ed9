package previous

import (
	"bytes"
	"strings"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// scanItem reads the identity of the manifest that text begins with, and how long its text is, as this function writes it. It returns
// false if the text has another form, which needs a parser. A fleet has very many works, and of most only the identities matter.
func scanItem(text []byte) (id krm.ID, length int, ok bool) {
	var s itemScan
	for line := range bytes.Lines(text) {
		if length > 0 && beginsOther(line) {
			break
		}
		if !s.read(line) {
			return id, 0, false
		}
		length += len(line)
	}
	id, ok = s.identity()
	return id, length, ok
}

// beginsOther reports whether text, which follows a manifest, does not belong to it.
func beginsOther(text []byte) bool {
	rest := bytes.TrimLeft(text, " ")
	return bytes.HasPrefix(text, []byte(itemStart)) || len(text)-len(rest) < len("    ") && !bytes.HasPrefix(rest, []byte("\n"))
}

// isAfterManifests reports whether text begins a field that this function writes after the manifests of a work, or is empty. Other text,
// such as a comment, may have more manifests below it.
func isAfterManifests(text []byte) bool {
	return len(text) == 0 || bytes.HasPrefix(text, []byte(manifest.ConfigsHead)) ||
		bytes.HasPrefix(text, []byte("  "+manifest.DeleteOptionField+":\n"))
}

// manifestsIn cuts the text of the spec of a work before the manifests.
func manifestsIn(spec []byte) ([]byte, bool) {
	return bytes.CutPrefix(spec, []byte(manifest.ManifestsHead))
}

// itemScan is the state of the scan of a manifest.
type itemScan struct {
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
func (s *itemScan) read(line []byte) bool {
	switch indent := len(line) - len(bytes.TrimLeft(line, " ")); {
	case len(line) == 1, indent > innerIndent:
		return s.open
	case bytes.HasPrefix(line, []byte(itemStart)):
		s.open = true
		return s.field(line[fieldIndent:], fieldIndent)
	case bytes.HasPrefix(line[indent:], []byte("- ")) && (indent == fieldIndent || indent == innerIndent && s.inMetadata):
		return s.listAt == indent
	case indent == fieldIndent && s.open, indent == innerIndent && s.inMetadata:
		return s.field(line[indent:], indent)
	case indent == innerIndent && s.open, indent == fieldIndent+1 && s.open && !s.inMetadata:
		return true
	}
	return false
}

// field reads a field of the object, or of its metadata.
func (s *itemScan) field(text []byte, column int) bool {
	key, value, found := bytes.Cut(bytes.TrimSuffix(text, []byte("\n")), []byte(":"))
	inner := column == innerIndent
	s.inMetadata = inner || string(key) == "metadata"
	s.listAt = 0
	if len(value) == 0 && (inner || !s.inMetadata) {
		s.listAt = column
	}
	switch {
	case !found || !isWord(key):
		return false
	case !inner && string(key) == "metadata":
		return len(value) == 0
	case !inner && string(key) == "apiVersion":
		return scanValue(value, &s.apiVersion)
	case !inner && string(key) == "kind":
		return scanValue(value, &s.id.Kind)
	case inner && string(key) == "name":
		return scanValue(value, &s.id.Name)
	case inner && string(key) == "namespace":
		return scanValue(value, &s.id.Namespace)
	}
	return true
}

// identity is that of the manifest that was read; false if it has none.
func (s *itemScan) identity() (krm.ID, bool) {
	if group, _, grouped := strings.Cut(s.apiVersion, "/"); grouped {
		s.id.Group = group
	}
	return s.id, s.apiVersion != "" && s.id.Kind != "" && s.id.Name != ""
}

// scanValue reads a value that is a word, with or without quotes.
func scanValue(text []byte, into *string) bool {
	text, blank := bytes.CutPrefix(text, []byte(" "))
	if quoted := len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"'; quoted {
		text = text[1 : len(text)-1]
	} else if bytes.EqualFold(text, []byte("null")) {
		return false
	}
	*into = string(text)
	return blank && isWord(text)
}

// isWord reports whether text has only the characters of names, and none with a meaning in YAML.
func isWord(text []byte) bool {
	for _, c := range text {
		plain := c == '-' || c == '.' || c == '/' || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !plain {
			return false
		}
	}
	return len(text) > 0
}
