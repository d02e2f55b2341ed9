package searchreplace

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// visit looks at every value at and below n, in document order. It skips annotations of the orchestrator, which are not
// part of a file.
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
	annotations := m == c.Object.Lookup("metadata", "annotations")
	defer c.Enter(m)()
	for key, value := range krm.Fields(m) {
		if annotations && krm.IsOrchestration(key.Value) {
			continue
		}
		p, at := c.path.field(p, key.Value), edit.Child(at, key.Value)
		if krm.IsList(value) {
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
