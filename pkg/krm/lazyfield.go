package krm

import (
	"bytes"
	"errors"
	"sync"
	"sync/atomic"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm/lazy"
	"github.com/waybill-dev/waybill/pkg/krm/plain"
)

// lazyField is a field that was read and not yet parsed.
type lazyField struct {
	file     Content
	from, to int // "name:" and all that follows, in file
	line     int
	limits   Limits
	known    atomic.Bool // a Deferred has the same text

	mu      sync.Mutex
	checked bool
	node    *yaml.Node // nil until it is parsed for a caller of Node
	bad     *ParseError
}

var errNotParsed = errors.New("its form is not known before it is parsed")

// AppendText refuses: Write may spell the same nodes in another way.
func (f *lazyField) AppendText(dst []byte) ([]byte, error) { return dst, errNotParsed }

// view calls do with the text.
func (f *lazyField) view(do func(text []byte)) {
	f.file.View(func(data []byte) { do(data[f.from:f.to:f.to]) })
}

// inMemory reports whether the text stays valid after view.
func (f *lazyField) inMemory() bool {
	_, ok := f.file.(bytesText)
	return ok
}

func (f *lazyField) Node() *yaml.Node {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.node != nil {
		return f.node
	}
	f.node, f.checked = MapNode(), true
	if o := f.parse(f.limits); o != nil {
		f.node = o.Node().Content[1]
	}
	return f.node
}

// written is the document of o for a writer. The nodes of a lazy field that nobody asked for are not kept: a function may change the
// heads of ten thousand works.
func (o *Object) written() *yaml.Node {
	f := o.lazyField()
	if f == nil || !o.deferred() {
		return o.document()
	}
	return joined(o.doc, o.rest.name, f.passing())
}

// passing is Node, not kept unless it was asked for before.
func (f *lazyField) passing() *yaml.Node {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.node != nil {
		return f.node
	}
	l := f.limits
	l.Budget = l.Budget.Unused()
	if o := f.parse(l); o != nil {
		return o.Node().Content[1]
	}
	return MapNode()
}

// parse parses the text, and sets bad if that fails.
func (f *lazyField) parse(l Limits) (o *Object) {
	f.view(func(text []byte) { o, _, f.bad = readDocument(document{data: text, line: f.line}, l) })
	return o
}

// check sets bad. It parses what only the parser can judge. What it parses is not kept, so it is within the budget by itself.
func (f *lazyField) check() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.checked {
		return
	}
	f.checked = true
	known, marks := false, 0
	f.view(func(text []byte) {
		if known = f.limits.isPlain(text); !known {
			marks = Marks(text)
		}
	})
	if l := f.limits; !known {
		l.Budget = l.Budget.Unused()
		f.limits.Budget.alone(marks, func() { f.parse(l) })
	}
}

// isPlain reports whether text, which may be in a YAML file, is plain, and therefore valid and within the limits.
func (l Limits) isPlain(text []byte) bool {
	return len(text) <= l.Nodes && plain.IsMapping(text, l.Depth-around)
}

func (f *lazyField) problem(from Source) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.bad == nil {
		return nil
	}
	at := *f.bad
	at.File, at.Doc = from.File, from.Doc+1
	return &at
}

// splitLazy is splitDocuments, without a search for separators in a lazy field at the end: all its lines are indented.
func splitLazy(data []byte, field, annotation string) []document {
	if head, _, ok := lazy.SplitLast(data, field, annotation); ok && !lazy.AnyLineBegins(head, '-') {
		return []document{{data: data, line: 1, last: len(head)}}
	}
	return splitDocuments(data)
}

// readHead is the object of d, a part of file, with field unparsed; nil when it has no such annotation, and when the start
// of the field cannot be found without parsing d.
func readHead(d document, l Limits, file Content, field, annotation string) *Object {
	head, text, ok := d.data[:d.last], d.data[d.last:], d.last > 0
	if !ok {
		head, text, ok = lazy.SplitLast(d.data, field, annotation)
	}
	if !ok {
		return nil
	}
	o, _, err := readDocument(document{data: head, line: d.line}, l)
	if o == nil || err != nil || o.Lookup(field) != nil || !o.HasAnnotation(annotation) {
		return nil
	}
	o.WideSequences = yaml.DeriveSeqIndentStyle(string(lazy.UntilFirstItem(d.data))) == string(yaml.WideSequenceStyle)
	o.rest = &rest{name: field, value: &lazyField{file: file, from: d.at + len(head), to: d.at + len(head) + len(text),
		line: d.line + bytes.Count(head, []byte("\n")), limits: l}}
	return o
}
