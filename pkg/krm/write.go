package krm

import (
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm/comments"
	"github.com/waybill-dev/waybill/pkg/krm/encode"
)

// Write encodes objects as one YAML file, documents separated by "---", exactly as kpt's writer
// would: two blanks of indent, sequences compact or wide by the object's seqindent annotation, else by
// WideSequences. Orchestration annotations are not written. The objects stay unchanged. No objects are no
// bytes. Read gives the same data with the same comments, some of them above a field in place of behind
// it; an object that cannot be written so is an error.
func Write(objects []*Object) (out []byte, err error) { return AppendFile(nil, objects) }

// AppendFile appends what Write returns.
func AppendFile(out []byte, objects []*Object) (_ []byte, err error) {
	for i, o := range objects {
		if i > 0 {
			out = append(out, "---\n"...)
		}
		if out, err = o.WithoutOrchestration().appendText(out, o.wide()); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// appendText appends o as one document, by the YAML library when encode.Append cannot.
func (o *Object) appendText(dst []byte, wide bool) ([]byte, error) {
	start := len(dst)
	if out, ok := o.appendPlain(dst, wide); ok {
		return out, nil
	}
	text, err := byLibrary(o.written(), wide)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", o.Describe(), err)
	}
	return append(dst[:start], text...), nil
}

func (o *Object) appendPlain(dst []byte, wide bool) ([]byte, bool) {
	if !o.deferred() || wide || o.lazyField() != nil {
		return encode.Append(dst, o.written(), wide)
	}
	dst, ok := encode.Append(dst, o.doc, wide)
	if !ok {
		return dst, false
	}
	dst, err := o.rest.value.AppendText(dst)
	return dst, err == nil
}

// wide reports whether lists of o are indented below their key: by its seqindent annotation, else as in
// the file it was read from.
func (o *Object) wide() bool {
	if style := o.Annotation(SeqIndentAnnotation); style != "" {
		return style == string(yaml.WideSequenceStyle)
	}
	return o.WideSequences
}

// WithoutOrchestration returns o without the annotations that are only for functions, as it is in a file.
// It is o itself when there are none, and else shares nodes with o: it is for reading.
func (o *Object) WithoutOrchestration() *Object {
	if !anyKey(o.Lookup("metadata", "annotations"), IsOrchestration) {
		return o
	}
	c := o.withOwnAnnotations()
	if c == nil {
		c = o.DeepCopy()
	}
	c.RemoveAnnotations(IsOrchestration)
	return c
}

// withOwnAnnotations is a copy of o that shares everything but its annotations and their parents; nil
// when one of those is an alias or has an anchor, which a copy of a part would break.
func (o *Object) withOwnAnnotations() *Object {
	c, doc := *o, *o.doc
	c.known = nil
	if o.deferred() {
		c.rest = &rest{name: o.rest.name, value: o.rest.value}
	} else {
		c.rest, doc = nil, *o.document()
	}
	root := copyPath(doc.Content[0], "metadata", "annotations")
	if root == nil {
		return nil
	}
	doc.Content = []*yaml.Node{root}
	c.doc = &doc
	return &c
}

// copyPath copies the mappings from m to the one at path, without their other children, and makes missing
// ones.
func copyPath(m *yaml.Node, path ...string) *yaml.Node {
	if m.Kind != yaml.MappingNode || m.Anchor != "" {
		return nil
	}
	c := *m
	c.Content = slices.Clone(m.Content)
	if len(path) == 0 {
		return &c
	}
	i := fieldIndex(m, path[0])
	if i < 0 {
		i = len(c.Content)
		c.Content = append(c.Content, StringNode(path[0]), MapNode())
	}
	if c.Content[i+1] = copyPath(c.Content[i+1], path[1:]...); c.Content[i+1] == nil {
		return nil
	}
	return &c
}

// WriteRaw encodes one object with every annotation it carries, for the ResourceList protocol and
// for comparison. The text has the properties of that of Write.
func WriteRaw(o *Object) ([]byte, error) { return o.appendText(nil, false) }

// byLibrary has the YAML library write a document, and verifies that the text has the same data and every
// comment. The library prints some comments where they change the data or make it invalid, and some texts
// as invalid blocks.
func byLibrary(doc *yaml.Node, wide bool) (text []byte, err error) {
	n := CopyNode(SelfContained(doc))
	err = comments.Place(n, func() error {
		if text, err = encode.Node(n, wide); err != nil {
			return err
		}
		return encode.Verify(text, n)
	})
	return text, err
}

// WithAnnotations is o with annotations that it does not have, given as keys and values. It shares
// nodes with o: it is for reading.
func (o *Object) WithAnnotations(pairs ...string) *Object {
	c := o.withOwnAnnotations()
	for i := 0; i < len(pairs) && c != nil; i += 2 {
		if o.HasAnnotation(pairs[i]) {
			c = nil
		}
	}
	if c == nil {
		c = o.DeepCopy()
	}
	for i := 0; i < len(pairs); i += 2 {
		c.SetAnnotation(pairs[i], pairs[i+1])
	}
	return c
}
