package krm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm/comments"
	"github.com/waybill-dev/waybill/pkg/krm/encode"
	"github.com/waybill-dev/waybill/pkg/krm/lazy"
	"github.com/waybill-dev/waybill/pkg/krm/plain"
)

// document is one part of a stream, the one-based line it begins on, and its place there.
type document struct {
	data []byte
	line int
	at   int
	last int // where its lazy field begins in data; 0 if that is not known
}

var separator = []byte("\n---")

// splitDocuments cuts at lines that begin with "---" and are followed by white space or the end,
// as kpt's reader does, so that a comment belongs to the same document. The line itself is removed, unless
// it holds more than blanks.
func splitDocuments(data []byte) []document {
	if !lazy.AnyLineBegins(data, '-') {
		return []document{{data: data, line: 1}}
	}
	var out []document
	line, start := 1, 0
	for from := 0; ; {
		i := bytes.Index(data[from:], separator)
		if i < 0 {
			return append(out, document{data: data[start:], line: line, at: start})
		}
		at := from + i + 1
		from = at + 3
		if from < len(data) && !strings.ContainsRune(" \t\r\n", rune(data[from])) {
			continue
		}
		out = append(out, document{data: data[start:at], line: line, at: start})
		line += bytes.Count(data[start:at], []byte("\n"))
		start = at
		if rest, _, ended := bytes.Cut(data[from:], []byte("\n")); ended && len(bytes.Trim(rest, " \t\r")) == 0 {
			start, line = from+len(rest)+1, line+1
			from = start - 1 // this line's end may begin the next separator
		}
	}
}

// badText finds the first byte of data that no YAML file may hold.
func badText(data []byte) (at int, reason string) {
	for i := 0; ; {
		if i += plain.Printable(data[i:]); i == len(data) {
			return 0, ""
		}
		b := data[i]
		if b == '\t' || b == '\r' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case b == 0:
			return i, "holds a NUL byte; only UTF-8 text is read"
		case r == utf8.RuneError && size == 1:
			return i, "is not UTF-8 text"
		case r < 0xa0 && r != 0x85 || r == 0xfffe || r == 0xffff:
			return i, fmt.Sprintf("holds the control character %U", r)
		}
		i += size
	}
}

// readDocument returns the object of d, nil when d is empty, and how many bytes aliases add to it.
func readDocument(d document, l Limits) (o *Object, aliased int, bad *ParseError) {
	defer func() {
		if p := recover(); p != nil { // so the parser reports limits of its own
			o, bad = nil, &ParseError{Line: d.line, Reason: fmt.Sprintf("not valid YAML: the parser gave up: %v", p)}
		}
	}()
	marks := Marks(d.data)
	if reason := tooMany(marks, l); reason != "" {
		return nil, 0, &ParseError{Line: d.line, Reason: reason}
	}
	l.Budget.alone(marks, func() { o, aliased, bad = parseDocument(d, l) })
	return o, aliased, bad
}

func parseDocument(d document, l Limits) (o *Object, aliased int, bad *ParseError) {
	doc, err := decodeOne(d)
	if doc == nil || err != nil {
		return nil, 0, err
	}
	root := doc.Content[0]
	at := func(n *yaml.Node, reason string) *ParseError {
		return &ParseError{Line: d.line + n.Line - 1, Reason: reason}
	}
	if root.Kind != yaml.MappingNode {
		return nil, 0, at(root, "is not an object (a mapping of fields)")
	}
	c := &checker{limits: l}
	e := c.document(doc)
	if c.node != nil {
		return nil, 0, at(c.node, c.reason)
	}
	if err := l.Budget.Take(e.nodes); err != nil {
		return nil, 0, at(root, err.Error())
	}
	comments.Normalise(doc, d.data)
	wide := yaml.DeriveSeqIndentStyle(string(d.data)) == string(yaml.WideSequenceStyle)
	o = newObject(doc)
	o.WideSequences, o.Source.Line, o.aliased, o.values = wide, d.line+root.Line-1, e.aliased, e.nodes
	o.anchorless = c.known == nil
	return o, e.aliased, nil
}

var twoMarks = []byte("\ufeff\ufeff")

// decodeOne parses d, which must hold at most one document; nil when that is empty or null.
func decodeOne(d document) (*yaml.Node, *ParseError) {
	if bytes.HasPrefix(d.data, twoMarks) { // the parser would leave out the first letter of each line
		return nil, &ParseError{Line: d.line, Reason: "begins with two byte order marks (U+FEFF); keep one at most"}
	}
	if doc := plainDocument(d.data); doc != nil {
		return doc, nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(d.data))
	doc, more := &yaml.Node{}, yaml.Node{}
	err := dec.Decode(doc)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err == nil {
		if err = dec.Decode(&more); err == nil { // after a line "..."
			return nil, &ParseError{Line: d.line + more.Line - 1, Reason: "a second object without a \"---\" line before it"}
		}
	}
	if !errors.Is(err, io.EOF) {
		line, reason := encode.SyntaxError(err)
		return nil, &ParseError{Line: d.line + line, Reason: reason}
	}
	if yaml.IsYNodeEmptyDoc(doc) {
		return nil, nil
	}
	return doc, nil
}
