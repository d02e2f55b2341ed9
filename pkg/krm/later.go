package krm

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// ReadLater is Read for files in which somebody wrote much that nobody may look at: an object that
// when accepts, judging by all of it but its last field, keeps that field's text and parses it when
// it is asked for. Text that turns out to be no YAML, or out of bounds, reads as an empty map until
// Check says so. An object that is not written in the plain way is parsed at once.
func ReadLater(file string, data []byte, limits Limits, field string, when func(*Object) bool) ([]*Object, error) {
	return readAll(file, data, limits, func(d document, l Limits) (*Object, int, *ParseError) {
		if o := readHead(d, l, field); o != nil && when(o) {
			return o, 0, nil
		}
		return readDocument(d, l)
	})
}

// Late reports whether o has a field that ReadLater left.
func (o *Object) Late() bool {
	if o.rest == nil {
		return false
	}
	_, is := o.rest.value.(*later)
	return is
}

// Check parses what ReadLater left, unless o was found to be what somebody else wrote, and reports
// what is wrong with it.
func (o *Object) Check() error {
	if o.rest == nil {
		return nil
	}
	if f, ok := o.rest.value.(*later); ok && !f.known {
		f.Node()
		return f.problem(o.Source)
	}
	return nil
}

// Fault is what is wrong with a field that ReadLater left and somebody asked for since.
func (o *Object) Fault() error {
	if o.rest == nil {
		return nil
	}
	if f, ok := o.rest.value.(*later); ok && f.bad != nil {
		return f.problem(o.Source)
	}
	return nil
}

// SameText reports whether o, as ReadLater left it, is written as p would be, so that neither has to
// be taken apart to see that they are the same. False may also mean that it takes a closer look.
func (o *Object) SameText(p *Object) bool {
	if !o.deferred() || !p.deferred() || o.rest.name != p.rest.name {
		return false
	}
	f, ok := o.rest.value.(*later)
	if !ok || !Equivalent(o.head(), p.head()) {
		return false
	}
	buf := scratch.Get().(*[]byte)
	defer scratch.Put(buf)
	text, err := p.rest.value.AppendText((*buf)[:0])
	*buf = text
	f.known = f.known || err == nil && bytes.Equal(text, f.text)
	return f.known
}

// scratch is room for text that is only compared.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// later is a field that was read and not yet parsed.
type later struct {
	text   []byte // "spec:" and all that follows
	line   int
	limits Limits
	known  bool // somebody wrote the same from nodes

	once sync.Once
	node *yaml.Node
	bad  *ParseError
}

var errNotYetParsed = errors.New("its form is not known before it is parsed")

// AppendText refuses: other text may stand for the same nodes.
func (f *later) AppendText(dst []byte) ([]byte, error) { return dst, errNotYetParsed }

func (f *later) Node() *yaml.Node {
	f.once.Do(func() {
		f.node = MapNode()
		o, _, err := readDocument(document{f.text, f.line}, f.limits)
		if err != nil {
			f.bad = err
			return
		}
		f.node = o.Node().Content[1]
	})
	return f.node
}

func (f *later) problem(from Source) error {
	if f.bad == nil {
		return nil
	}
	at := *f.bad
	at.File, at.Doc = from.File, from.Doc+1
	return &at
}

// readHead is the object of d with field left for later; nil when d is not written so that its end
// could be told apart without parsing it.
func readHead(d document, l Limits, field string) *Object {
	cut := bytes.Index(d.data, fmt.Appendf(nil, "\n%s:\n", field)) + 1
	if cut == 0 || !endsIndented(d.data[:cut]) || bytes.ContainsAny(d.data[:cut], "&*") {
		return nil
	}
	text := d.data[cut:]
	if !onlyIndented(text[len(field)+2:]) {
		return nil
	}
	o, _, err := readDocument(document{d.data[:cut], d.line}, l)
	if o == nil || err != nil || o.Lookup(field) != nil {
		return nil
	}
	o.WideSequences = yaml.DeriveSeqIndentStyle(string(untilFirstItem(d.data))) == string(yaml.WideSequenceStyle)
	o.rest = &rest{name: field, value: &later{text: text, line: d.line + bytes.Count(d.data[:cut], []byte("\n")), limits: l}}
	return o
}

// endsIndented reports whether the last line of text belongs to the field above it.
func endsIndented(text []byte) bool {
	last := text[bytes.LastIndexByte(text[:len(text)-1], '\n')+1:]
	return last[0] == ' ' && bytes.TrimLeft(last, " ")[0] != '#'
}

// onlyIndented reports whether text is lines that all begin with a blank, and at least one.
func onlyIndented(text []byte) bool {
	if len(text) == 0 || text[len(text)-1] != '\n' {
		return false
	}
	for len(text) > 0 {
		if text[0] != ' ' {
			return false
		}
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	return true
}

// untilFirstItem is text up to the first item of a list, which decides on the style of them all.
func untilFirstItem(text []byte) []byte {
	end := 0
	for end < len(text) {
		line := text[end:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		end += len(line)
		if bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("- ")) {
			break
		}
	}
	return text[:end]
}
