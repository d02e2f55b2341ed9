package krm

import (
	"bytes"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm/comments"
	"github.com/waybill-dev/waybill/pkg/krm/lazy"
)

// ReadLazy is Read for large objects that are rarely used. In an object with that annotation the last field stays text
// until a caller asks for it, if it is called field: a lazy field. Text that is invalid, or beyond a limit, reads as an
// empty map until Check reports it. An object in an unusual form is parsed at once.
func ReadLazy(file string, data []byte, limits Limits, field, annotation string) ([]*Object, error) {
	return ReadLazyText(file, bytesText(data), limits, field, annotation)
}

// Content is the content of a file, which is the same each time, but need not be in memory between two calls.
type Content interface {
	// View calls do with the content, which do must not change or keep.
	View(do func(data []byte))
}

// ReadLazyText is ReadLazy for a text that objects get again when they need it: lazy fields do not keep it in memory.
func ReadLazyText(file string, text Content, limits Limits, field, annotation string) (objs []*Object, err error) {
	text.View(func(data []byte) {
		lines := unixLines(data)
		if len(lines) != len(data) {
			text = bytesText(lines)
		}
		split := func(data []byte) []document { return splitLazy(data, field, annotation) }
		objs, err = readAll(file, data, limits, split, func(d document, l Limits) (*Object, int, *ParseError) {
			if o := readHead(d, l, text, field, annotation); o != nil {
				return o, 0, nil
			}
			return readDocument(d, l)
		})
	})
	return objs, err
}

// bytesText is a Content in memory.
type bytesText []byte

func (t bytesText) View(do func([]byte)) { do(t) }

// IsLazy reports whether o has a lazy field, even if it was parsed since.
func (o *Object) IsLazy() bool { return o.lazyField() != nil }

// LazyText is the text of a lazy field that is not parsed yet, with its key; false when there is none. Callers must not change it. It
// may be a new copy each time: see LazyView.
func (o *Object) LazyText() (text []byte, ok bool) {
	ok = o.LazyView(func(own []byte) {
		if text = own; !o.lazyField().inMemory() {
			text = bytes.Clone(own)
		}
	})
	return text, ok
}

// LazyView calls do with the text of LazyText, which do must not change or keep; false when there is none.
func (o *Object) LazyView(do func(text []byte)) bool {
	f := o.lazyField()
	if f == nil || !o.deferred() {
		return false
	}
	f.view(do)
	return true
}

func (o *Object) lazyField() *lazyField {
	if o.rest == nil {
		return nil
	}
	f, _ := o.rest.value.(*lazyField)
	return f
}

// Check returns the error of the lazy field, unless its text was found equal to that of a Deferred. It parses the field, if it must, and
// does not keep the result.
func (o *Object) Check() error {
	f := o.lazyField()
	if f == nil || f.known.Load() {
		return nil
	}
	f.check()
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
	if *buf = text; err != nil {
		return false, false
	}
	f.view(func(own []byte) {
		if same = bytes.Equal(text, own); !same {
			sure = bytes.IndexByte(own, '#') < 0 && !lazy.SameText(text, own)
		}
	})
	if same {
		f.known.Store(true)
	}
	return same, same || sure
}

// textBuffers holds buffers for text that is only compared.
var textBuffers = sync.Pool{New: func() any { return new([]byte) }}

// Uncommented reports whether o has no comment. Of a lazy field it searches only the text, if that is enough.
func (o *Object) Uncommented() bool {
	plain := false
	if o.LazyView(func(text []byte) { plain = bytes.IndexByte(text, '#') < 0 }) && plain {
		return !comments.Any(o.doc)
	}
	return !comments.Any(o.document())
}
