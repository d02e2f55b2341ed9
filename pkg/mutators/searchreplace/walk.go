package searchreplace

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// walk looks at every value of the object, in document order. Annotations that belong to the
// orchestrator are passed over: they are no part of any file.
func (c *change) walk() error { return c.visit(nil, c.object.Node(), c.path.start(), nil) }

func (c *change) visit(key, n *yaml.Node, p place, at *field.Path) error {
	switch n.Kind {
	case yaml.MappingNode:
		return c.fields(n, p, at)
	case yaml.SequenceNode:
		for i, item := range n.Content {
			if err := c.visit(nil, item, c.path.item(p, i), at.Index(i)); err != nil {
				return err
			}
		}
	case yaml.ScalarNode:
		return c.scalar(key, n, p, at)
	}
	return nil
}

func (c *change) fields(m *yaml.Node, p place, at *field.Path) error {
	annotations := m == c.object.Lookup("metadata", "annotations")
	defer func(before bool) { c.secret = before }(c.secret)
	c.secret = c.secret || edit.IsSecret(m) // before anything in it is changed
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := m.Content[i], m.Content[i+1]
		if annotations && krm.IsOrchestration(key.Value) {
			continue
		}
		p, at := c.path.field(p, key.Value), edit.Child(at, key.Value)
		if value.Kind == yaml.SequenceNode {
			if err := c.list(key, value, p, at); err != nil {
				return err
			}
		}
		if err := c.visit(key, value, p, at); err != nil {
			return err
		}
	}
	return nil
}
