package krm

import (
	"bytes"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Write encodes objects as one YAML file, documents separated by "---", exactly as kpt's writer
// would: two blanks of indent, sequences compact or wide as the object's
// seqindent annotation, else WideSequences, says. Orchestration
// annotations are not written. The objects stay unchanged. No objects are no bytes.
func Write(objects []*Object) ([]byte, error) {
	if len(objects) == 0 {
		return nil, nil
	}
	if out, ok := writePlain(objects); ok {
		return out, nil
	}
	var buf bytes.Buffer
	enc := yaml.NewEncoder(&buf)
	for _, o := range objects {
		if o.wide() {
			enc.DefaultSeqIndent()
		} else {
			enc.CompactSeqIndent()
		}
		if err := enc.Encode(SelfContained(o.withoutOrchestration().document())); err != nil {
			return nil, err
		}
	}
	if err := enc.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// writePlain is Write for objects of which all are plain enough to do without the YAML library.
func writePlain(objects []*Object) (out []byte, ok bool) {
	for i, o := range objects {
		if i > 0 {
			out = append(out, "---\n"...)
		}
		if out, ok = o.withoutOrchestration().appendPlain(out, o.wide()); !ok {
			return nil, false
		}
	}
	return out, true
}

func (o *Object) appendPlain(dst []byte, wide bool) ([]byte, bool) {
	if !o.deferred() || wide {
		return appendPlain(dst, o.document(), wide)
	}
	dst, ok := appendPlain(dst, o.doc, wide)
	if !ok {
		return dst, false
	}
	dst, err := o.rest.value.AppendText(dst)
	return dst, err == nil
}

// wide reports whether lists of o are indented below their key: what its seqindent annotation says,
// else as in the file it was read from.
func (o *Object) wide() bool {
	if style := o.Annotation(SeqIndentAnnotation); style != "" {
		return style == string(yaml.WideSequenceStyle)
	}
	return o.WideSequences
}

// WithoutOrchestration returns o as it belongs in a file: without the annotations that only
// travel between orchestrator and functions. It is o itself when there are none, and else shares
// with o what it does not lack: it is for reading.
func (o *Object) WithoutOrchestration() *Object { return o.withoutOrchestration() }

func (o *Object) withoutOrchestration() *Object {
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

// withOwnAnnotations is a copy of o that shares everything but the way to its annotations; nil when
// something on that way is an alias or stands for one, which a copy of a part would break.
func (o *Object) withOwnAnnotations() *Object {
	c := *o
	doc := *o.doc
	if o.deferred() {
		c.rest = &rest{name: o.rest.name, value: o.rest.value}
	} else {
		c.rest, doc = nil, *o.document()
	}
	root := copyWay(doc.Content[0], "metadata", "annotations")
	if root == nil {
		return nil
	}
	doc.Content = []*yaml.Node{root}
	c.doc = &doc
	return &c
}

// copyWay copies the mappings from m to the one at path, and nothing beside them. Those that are
// missing it makes.
func copyWay(m *yaml.Node, path ...string) *yaml.Node {
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
	if c.Content[i+1] = copyWay(c.Content[i+1], path[1:]...); c.Content[i+1] == nil {
		return nil
	}
	return &c
}

// WriteRaw encodes one object with every annotation it carries, for the ResourceList protocol and
// for comparison.
func WriteRaw(o *Object) ([]byte, error) {
	if out, ok := o.appendPlain(nil, false); ok {
		return out, nil
	}
	var buf bytes.Buffer
	enc := yaml.NewEncoder(&buf)
	enc.CompactSeqIndent()
	if err := enc.Encode(SelfContained(o.document())); err != nil {
		return nil, err
	}
	err := enc.Close()
	return buf.Bytes(), err
}
