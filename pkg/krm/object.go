package krm

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm/comments"
	"github.com/waybill-dev/waybill/pkg/krm/encode"
)

// Source is where an Object was read: file (slash path or other name), zero-based document and one-based
// line of its first key. It is for messages, and is not written to files.
type Source struct {
	File string
	Doc  int
	Line int
}

func (s Source) String() string {
	if s.File == "" {
		return ""
	}
	return fmt.Sprintf("%s: document %d, line %d", s.File, s.Doc+1, s.Line)
}

// Object is one KRM object: a YAML mapping inside its document node, which has the comments before
// and after it.
type Object struct {
	doc    *yaml.Node
	Source Source
	// WideSequences: the file it was read from indents list items below their key.
	WideSequences bool

	aliased    int    // bytes of its aliases, as copies, when it was read
	values     int    // how many it held when it was read
	anchorless bool   // it was read, and has no aliases
	index      int    // its place among the objects of the file it was read from
	origin     Origin // that of its original, when it is a copy
	copied     bool
	rest       *rest     // a deferred field, not in doc before its first use; nil for most objects
	known      *identity // nil if it has to be looked up
}

// Origin tells an object and its copies from all others. It does not keep them in memory.
type Origin *struct{ _ byte }

// FromNode wraps a mapping node. The node is handed over.
func FromNode(n *yaml.Node) *Object {
	return newObject(&yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{n}})
}

func newObject(doc *yaml.Node) *Object { return &Object{doc: doc, origin: new(struct{ _ byte })} }

// Node is the mapping, shared with the Object.
func (o *Object) Node() *yaml.Node { return o.document().Content[0] }

// Lookup returns the node at path, following aliases, or nil when there is none.
func (o *Object) Lookup(path ...string) *yaml.Node {
	if o.deferred() && len(path) > 0 && path[0] != o.rest.name {
		return Lookup(o.Head(), path...)
	}
	return Lookup(o.Node(), path...)
}

// String returns the scalar text at path; "" when it is absent, null or not a scalar.
func (o *Object) String(path ...string) string {
	if n := o.Lookup(path...); n != nil && n.Kind == yaml.ScalarNode && !IsNull(n) {
		return n.Value
	}
	return ""
}

// File is the package path of o: its path annotation, else where it was read.
func (o *Object) File() string {
	if p := o.Annotation(PathAnnotation); p != "" {
		return p
	}
	if p := o.Annotation(LegacyPathAnnotation); p != "" {
		return p
	}
	return o.Source.File
}

// DeepCopy returns an Object that shares nothing with o but its Origin.
func (o *Object) DeepCopy() *Object {
	c := *o
	c.copied, c.known = true, nil
	if o.deferred() {
		c.doc, c.rest = CopyNode(o.doc), o.rest.copied()
	} else {
		c.doc, c.rest = CopyNode(o.document()), nil
	}
	return &c
}

// WithRoot is o, a copy, with another mapping, which is handed over. The comments before and after the mapping
// stay.
func (o *Object) WithRoot(root *yaml.Node) *Object {
	c, doc := *o, *o.document()
	doc.Content = []*yaml.Node{root}
	c.doc, c.rest, c.known, c.anchorless = &doc, nil, nil, false
	return &c
}

// Origin is that of the object o was copied from, through any number of copies; its own when it is no
// copy. It distinguishes an edited object from a new one without a mark.
func (o *Object) Origin() Origin { return o.origin }

// Copied reports whether o is a copy, edited or not.
func (o *Object) Copied() bool { return o.copied }

// Same reports whether a and b would be written as the same text: content, order, style, comments.
func Same(a, b *Object) bool { return a == b || SameNode(a.document(), b.document()) }

// ContinueFrom makes o, which was read again, an edited copy of old: its origin, its source, and
// the comments before and after it in its file, unless it has its own.
func (o *Object) ContinueFrom(old *Object) {
	o.origin, o.copied = old.origin, true
	o.index, o.Source, o.WideSequences = old.index, old.Source, old.WideSequences
	if root := o.Head(); root.HeadComment == "" {
		root.HeadComment = old.Head().HeadComment
	}
	if doc := o.outside(); doc.FootComment == "" {
		doc.FootComment = old.outside().FootComment
	}
	comments.DropRepeatedTrailing(o.outside(), old.outside())
}

// SequenceStyle is the value of the seqindent annotation for o: "wide" or "compact".
func (o *Object) SequenceStyle() string {
	if o.WideSequences {
		return string(yaml.WideSequenceStyle)
	}
	return string(yaml.CompactSequenceStyle)
}

// Comments returns every comment line of o, in document order.
func (o *Object) Comments() (lines []string) {
	encode.EachComment(o.document(), func(comment string) {
		if comment != "" {
			lines = append(lines, strings.Split(comment, "\n")...)
		}
	})
	return lines
}

// StabiliseComments moves the comments of o, which is changed, to places where they stay when it is written
// and read. Read does so too; other code calls it after copying comments between objects.
func (o *Object) StabiliseComments() { comments.Stabilise(o.outside()) }
