package krm

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Limits are those of Read. A zero field means its default.
type Limits struct {
	Bytes     int // most bytes in one file; default 64 MiB
	Documents int // most documents in one file; default 20,000
	Depth     int // deepest nesting; default 200
	Nodes     int // most nodes in one document, aliases counted as copies; default 500,000
	Aliased   int // most bytes of all aliases of one file, as copies; default AliasedIn(its bytes)

	Budget *Budget // of the values of all files that are read together; nil is unlimited
}

// DefaultLimits are those of a zero Limits; Aliased depends on the file.
var DefaultLimits = Limits{Bytes: 64 << 20, Documents: 20_000, Depth: 200, Nodes: 500_000}

// AliasedIn is how many bytes the aliases in so many bytes of text may have as copies: a few times the text, and more in a
// short file. A value counts as its text, comments and indentation, and 16 bytes more.
func AliasedIn(size int) int { return 8*size + 64<<10 }

// withDefaults is l for a file of that size.
func (l Limits) withDefaults(size int) Limits {
	l.Bytes, l.Documents = cmp.Or(l.Bytes, DefaultLimits.Bytes), cmp.Or(l.Documents, DefaultLimits.Documents)
	l.Depth, l.Nodes = cmp.Or(l.Depth, DefaultLimits.Depth), cmp.Or(l.Nodes, DefaultLimits.Nodes)
	l.Aliased = cmp.Or(l.Aliased, AliasedIn(size))
	return l
}

// ParseError is why and where a file was refused. Line and document are one-based; 0 is unknown.
type ParseError struct {
	File   string
	Doc    int
	Line   int
	Reason string
}

func (e *ParseError) Error() string {
	var where []string
	if e.Doc > 0 {
		where = append(where, "document "+strconv.Itoa(e.Doc))
	}
	if e.Line > 0 {
		where = append(where, "line "+strconv.Itoa(e.Line))
	}
	if len(where) == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Reason)
	}
	return fmt.Sprintf("%s: %s: %s", e.File, strings.Join(where, ", "), e.Reason)
}

// Read parses every document of a YAML or JSON file. file names it in errors and in
// Object.Source. Empty and comment-only documents are skipped but counted. A document that is
// not a mapping is an error, and so is text that is not UTF-8. A comment in a place where it would not
// stay when the object is written and read again is moved, as by StabiliseComments.
func Read(file string, data []byte, limits Limits) ([]*Object, error) {
	return readAll(file, data, limits, splitDocuments, readDocument)
}

type (
	documentSplitter func(data []byte) []document
	documentReader   func(document, Limits) (o *Object, aliased int, bad *ParseError)
)

func readAll(file string, data []byte, limits Limits, split documentSplitter, one documentReader) ([]*Object, error) {
	l := limits.withDefaults(len(data))
	if len(data) > l.Bytes {
		return nil, &ParseError{File: file, Reason: fmt.Sprintf("is %d bytes, more than the %d allowed", len(data), l.Bytes)}
	}
	if at, reason := badText(data); reason != "" {
		return nil, &ParseError{File: file, Line: 1 + bytes.Count(data[:at], []byte("\n")), Reason: reason}
	}
	var out []*Object
	for i, d := range split(unixLines(data)) {
		if i >= l.Documents {
			return nil, &ParseError{File: file, Line: d.line, Reason: fmt.Sprintf("more than %d documents", l.Documents)}
		}
		o, aliased, err := one(d, l)
		if err != nil {
			err.File, err.Doc = file, i+1
			return nil, err
		}
		if l.Aliased -= aliased; o != nil {
			o.Source.File, o.Source.Doc, o.index = file, i, len(out)
			out = append(out, o)
		}
	}
	return out, nil
}

// Documents is the text of each document of a file that Read accepted, by the number in Object.Source, as
// it was parsed: with lines that end in "\n", and without the "---" above it, unless that line holds more
// or is the first of the file.
func Documents(data []byte) [][]byte {
	var texts [][]byte
	for _, d := range splitDocuments(unixLines(data)) {
		texts = append(texts, d.data)
	}
	return texts
}

func unixLines(data []byte) []byte {
	if bytes.IndexByte(data, '\r') < 0 {
		return data
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}
