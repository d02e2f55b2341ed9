package setters

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// visitor is what walk calls. What stands below a list is visited after the list, as it is then.
type visitor interface {
	// enter gets every map before anything in it, and returns what is called behind it.
	enter(m *yaml.Node) (leave func())
	// scalar gets every value that is neither map nor list, nulls included.
	scalar(n *yaml.Node, at *field.Path) error
	// list gets every list that is the value of a field, and the key of that field.
	list(key, list *yaml.Node, at *field.Path) error
}

// visit lets v see every value below n, which has no aliases, in document order, and tells it where
// the value stands: spec.containers[0].image. The first error ends it.
func visit(n *yaml.Node, at *field.Path, v visitor) error {
	switch n.Kind {
	case yaml.MappingNode:
		return visitFields(n, at, v)
	case yaml.SequenceNode:
		for i, c := range n.Content {
			if err := visit(c, at.Index(i), v); err != nil {
				return err
			}
		}
	case yaml.ScalarNode:
		return v.scalar(n, at)
	}
	return nil
}

func visitFields(m *yaml.Node, at *field.Path, v visitor) error {
	defer v.enter(m)()
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := m.Content[i], m.Content[i+1]
		at := edit.Child(at, key.Value)
		if value.Kind == yaml.SequenceNode {
			if err := v.list(key, value, at); err != nil {
				return err
			}
		}
		if err := visit(value, at, v); err != nil {
			return err
		}
	}
	return nil
}
