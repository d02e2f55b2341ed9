package krm

import (
	"bytes"

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
	var buf bytes.Buffer
	enc := yaml.NewEncoder(&buf)
	for _, o := range objects {
		if o.wide() {
			enc.DefaultSeqIndent()
		} else {
			enc.CompactSeqIndent()
		}
		if err := enc.Encode(SelfContained(o.withoutOrchestration().doc)); err != nil {
			return nil, err
		}
	}
	if err := enc.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
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
// travel between orchestrator and functions. It is o itself when there are none.
func (o *Object) WithoutOrchestration() *Object { return o.withoutOrchestration() }

func (o *Object) withoutOrchestration() *Object {
	for key := range o.Annotations() {
		if IsOrchestration(key) {
			c := o.DeepCopy()
			c.RemoveAnnotations(IsOrchestration)
			return c
		}
	}
	return o
}

// WriteRaw encodes one object with every annotation it carries, for the ResourceList protocol and
// for comparison.
func WriteRaw(o *Object) ([]byte, error) {
	var buf bytes.Buffer
	enc := yaml.NewEncoder(&buf)
	enc.CompactSeqIndent()
	if err := enc.Encode(SelfContained(o.doc)); err != nil {
		return nil, err
	}
	err := enc.Close()
	return buf.Bytes(), err
}
