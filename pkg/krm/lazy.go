package krm

import (
	"bytes"
	"errors"
	"sync"
	"sync/atomic"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm/comments"
	"github.com/waybill-dev/waybill/pkg/krm/lazy"
)

// ReadLazy is Read for large objects that are rarely used. In an object with that annotation the last field stays text
// until a caller asks for it, if it is called field: a lazy field. Text that is invalid, or beyond a limit, reads as an
// empty map until Check reports it. An object in an unusual form is parsed at once.
func ReadLazy(file string, data []byte, limits Limits, field, annotation string) ([]*Object, error) {
	return readAll(file, data, limits, func(d document, l Limits) (*Object, int, *ParseError) {
		if o := readHead(d, l, field, annotation); o != nil {
			return o, 0, nil
		}
		return readDocument(d, l)
	})
}

// IsLazy reports whether o has a lazy field, even if it was parsed since.
func (o *Object) IsLazy() bool { return o.lazyField() != nil }

// LazyText is the text of a lazy field that is not parsed yet, with its key; false when there is none. Callers must not change it.
func (o *Object) LazyText() ([]byte, bool) {
	f := o.lazyField()
	if f == nil || !o.deferred() {
		return nil, false
	}
	return f.text, true
}

// LazyView calls view with LazyText, which is valid until view returns. It returns false if there is none.
func (o *Object) LazyView(view func(text []byte)) bool {
	text, ok := o.LazyText()
	if ok {
		view(text)
	}
	return ok
}

func (o *Object) lazyField() *lazyField {
	if o.rest == nil {
		return nil
	}
	f, _ := o.rest.value.(*lazyField)
	return f
}

// Check parses the lazy field, unless its text was found equal to that of a Deferred, and returns its error.
func (o *Object) Check() error {
	f := o.lazyField()
	if f == nil || f.known.Load() {
		return nil
	}
	f.Node()
	return f.problem(o.Source)
}

// Fault is the error of a lazy field that was parsed since.
func (o *Object) Fault() error {
	if f := o.lazyField(); f != nil {
		return f.problem(o.Source)
	}
	return nil
}

// SameData reports whether o and p hold the same data. If both have a field that is not parsed, it
// compares their texts where that is enough: equal texts are the same, texts with other words are not.
// In such a field, a text that has quotes in p only is not the same: p quotes texts that other readers
// read as another type.
func (o *Object) SameData(p *Object) bool {
	if f := o.lazyField(); f != nil && o.deferred() && p.deferred() && o.rest.name == p.rest.name {
		if !Equivalent(o.Head(), p.Head()) {
			return false
		}
		if same, sure := f.equals(p.rest.value); sure {
			return same
		}
	}
	if !Equivalent(o.Node(), p.Node()) {
		return false
	}
	return p.rest == nil || !lacksQuotes(o.Lookup(p.rest.name), p.Lookup(p.rest.name))
}

// lacksQuotes reports whether a, which holds the same data as b, has a text without quotes that has
// quotes in b: other readers may read it as another type.
func lacksQuotes(a, b *yaml.Node) bool {
	a, b = Deref(a), Deref(b)
	quoted := yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle
	switch a.Kind {
	case yaml.ScalarNode:
		return b.Style&quoted != 0 && a.Style&(quoted|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	case yaml.MappingNode:
		for key, value := range Fields(a) {
			if lacksQuotes(value, Lookup(b, key.Value)) {
				return true
			}
		}
	case yaml.SequenceNode:
		for i := range a.Content {
			if lacksQuotes(a.Content[i], b.Content[i]) {
				return true
			}
		}
	}
	return false
}

// equals reports whether f and value hold the same data, and whether their texts are enough to decide.
func (f *lazyField) equals(value Deferred) (same, sure bool) {
	buf := textBuffers.Get().(*[]byte)
	defer textBuffers.Put(buf)
	text, err := value.AppendText((*buf)[:0])
	*buf = text
	switch {
	case err != nil:
		return false, false
	case bytes.Equal(text, f.text):
		f.known.Store(true)
		return true, true
	}
	return false, bytes.IndexByte(f.text, '#') < 0 && !lazy.SameText(text, f.text)
}

// textBuffers holds buffers for text that is only compared.
var textBuffers = sync.Pool{New: func() any { return new([]byte) }}

// Uncommented reports whether o has no comment. Of a lazy field it searches only the text, if that is enough.
func (o *Object) Uncommented() bool {
	if f := o.lazyField(); f != nil && o.deferred() && bytes.IndexByte(f.text, '#') < 0 {
		return !comments.Any(o.doc)
	}
	return !comments.Any(o.document())
}

// lazyField is a field that was read and not yet parsed.
type lazyField struct {
	text   []byte // "spec:" and all that follows
	line   int
	limits Limits
	known  atomic.Bool // a Deferred has the same text

	once sync.Once
	node *yaml.Node
	bad  *ParseError
}

var errNotParsed = errors.New("its form is not known before it is parsed")

// AppendText refuses: Write may spell the same nodes in another way.
func (f *lazyField) AppendText(dst []byte) ([]byte, error) { return dst, errNotParsed }

func (f *lazyField) Node() *yaml.Node {
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

func (f *lazyField) problem(from Source) error {
	if f.bad == nil {
		return nil
	}
	at := *f.bad
	at.File, at.Doc = from.File, from.Doc+1
	return &at
}

// readHead is the object of d with field unparsed; nil when it has no such annotation, and when the start
// of the field cannot be found without parsing d.
func readHead(d document, l Limits, field, annotation string) *Object {
	head, text, ok := lazy.SplitLast(d.data, field, annotation)
	if !ok {
		return nil
	}
	o, _, err := readDocument(document{head, d.line}, l)
	if o == nil || err != nil || o.Lookup(field) != nil || !o.HasAnnotation(annotation) {
		return nil
	}
	o.WideSequences = yaml.DeriveSeqIndentStyle(string(lazy.UntilFirstItem(d.data))) == string(yaml.WideSequenceStyle)
	o.rest = &rest{name: field, value: &lazyField{text: text, line: d.line + bytes.Count(head, []byte("\n")), limits: l}}
	return o
}
