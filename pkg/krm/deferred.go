package krm

import (
	"slices"
	"sync"
	"sync/atomic"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Deferred is a field that may only ever be written: it knows its text, and becomes nodes when a
// caller asks for them. A fleet's worth of objects that differ in a few places fits into memory this way.
type Deferred interface {
	// Node makes the field's value. Callers share its nodes and must not change them.
	Node() *yaml.Node
	// AppendText appends the field, name included, at the outermost level, byte for byte as
	// Write writes Node with compact lists. An error means it cannot, and Node is written.
	AppendText(dst []byte) ([]byte, error)
}

// WithDeferred is the object that head becomes with a last field of that name, which head does not
// have. Looking at metadata, and changing it, leaves the field as it is.
func WithDeferred(head *yaml.Node, name string, value Deferred) *Object {
	o := FromNode(head)
	o.rest = &rest{name: name, value: value}
	return o
}

// rest is the deferred field of one object.
type rest struct {
	name  string
	value Deferred
	owned bool // the object is a copy: its nodes are its own

	making sync.Mutex
	whole  atomic.Pointer[yaml.Node] // the document with the field, nil until first used
}

// copied is the rest of a copy.
func (r *rest) copied() *rest { return &rest{name: r.name, value: r.value, owned: true} }

// join returns head's document with the field in it.
func (r *rest) join(head *yaml.Node) *yaml.Node {
	r.making.Lock()
	defer r.making.Unlock()
	if whole := r.whole.Load(); whole != nil {
		return whole
	}
	value := r.value.Node()
	if r.owned {
		value = CopyNode(value)
	}
	doc, root := *head, *head.Content[0]
	root.Content = append(slices.Clip(root.Content), StringNode(r.name), value)
	doc.Content = []*yaml.Node{&root}
	r.whole.Store(&doc)
	return &doc
}

// document is all of o.
func (o *Object) document() *yaml.Node {
	if o.rest == nil {
		return o.doc
	}
	if whole := o.rest.whole.Load(); whole != nil {
		return whole
	}
	return o.rest.join(o.doc)
}

// deferred reports whether o has a field that no caller has asked for yet.
func (o *Object) deferred() bool { return o.rest != nil && o.rest.whole.Load() == nil }

// Head is the mapping of o without a deferred field that no caller has asked for yet.
func (o *Object) Head() *yaml.Node {
	if o.deferred() {
		return o.doc.Content[0]
	}
	return o.Node()
}

// HeadBeside is the mapping of o without the field that p defers or has deferred. It shares nodes with o.
func (o *Object) HeadBeside(p *Object) *yaml.Node {
	return withFields(o.Head(), func(field string) bool { return p.rest == nil || field != p.rest.name })
}

// outside is the document node of o, which may lack a deferred field.
func (o *Object) outside() *yaml.Node {
	if o.deferred() {
		return o.doc
	}
	return o.document()
}
