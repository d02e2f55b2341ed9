package searchreplace

import (
	"errors"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

var (
	errOnTheWay = errors.New("a field on the path is not a map")
	errNoScalar = errors.New("is a map or a list, which is not replaced by a value")
)

// create makes the field that the path names, and its missing parents.
func (c *change) create() error {
	m, last := c.Object.Node(), len(c.path)-1
	for _, s := range c.path[:last] {
		c.At = edit.Child(c.At, s.name)
		next := krm.Lookup(m, s.name)
		if next == nil || next.ShortTag() == yaml.NodeTagNull {
			next = krm.MapNode()
			put(m, s.name, next)
		}
		if m = next; m.Kind != yaml.MappingNode {
			return errOnTheWay
		}
	}
	name := c.path[last].name
	c.At = edit.Child(c.At, name)
	if krm.Lookup(m, name) != nil {
		return errNoScalar
	}
	value := edit.NewScalar(c.PutValue)
	if c.PutComment != "" {
		c.comment(value, c.PutComment)
	}
	put(m, name, value)
	c.Changed = true
	return c.Note(c.At, strings.TrimSpace(value.Value+" "+value.LineComment))
}

// put sets a field of m. An empty map had to have braces, and does without them now.
func put(m *yaml.Node, name string, value *yaml.Node) {
	if len(m.Content) == 0 {
		m.Style &^= yaml.FlowStyle
	}
	krm.SetField(m, name, value)
}
