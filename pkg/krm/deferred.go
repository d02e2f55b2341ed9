package krm

import (
	"slices"
	"sync"
	"sync/atomic"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Deferred is a field that is usually only written: it has its text, and makes nodes for the first caller
// that needs them. So many objects that differ in a few places fit into memory.
type Deferred interface {
	// Node makes the field's value. Callers share its nodes and must not change them.
	Node() *yaml.Node
	// AppendText appends the field, name included, at the outermost level, byte for byte as
	// Write writes Node with compact lists. An error means it cannot, and Node is written.
	AppendText(dst []byte) ([]byte, error)
}

// WithDeferred is head with a last field of that name, which head does not have. Reading and changing
// metadata leaves the field deferred.
func WithDeferred(head *yaml.Node, name string, value Deferred) *Object {
	o := FromNode(head)
	o.rest = &rest{name: name, value: value}
	return o
}

// rest is the deferred field of an object.
type rest struct {
	name  string
	value Deferred
	owned bool // the object is a copy with its own nodes

	making sync.Mutex
	whole  atomic.Pointer[yaml.Node] // the document with the field, nil until first used
}

// copied is rest for a copy.
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
	doc := joined(head, r.name, value)
	r.whole.Store(doc)
	return doc
}

// joined is the document head with one more field.
func joined(head *yaml.Node, name string, value *yaml.Node) *yaml.Node {
	doc, root := *head, *head.Content[0]
	root.Content = append(slices.Clip(root.Content), StringNode(name), value)
	doc.Content = []*yaml.Node{&root}
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

// deferred reports whether o has a deferred field without nodes.
func (o *Object) deferred() bool { return o.rest != nil && o.rest.whole.Load() == nil }

// Head is the mapping of o without a deferred field that has no nodes yet.
func (o *Object) Head() *yaml.Node {
	if o.deferred() {
		return o.doc.Content[0]
	}
	return o.Node()
}

// HeadBeside is the mapping of o without the field that is deferred in p, with nodes or not. It shares nodes with o.
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
