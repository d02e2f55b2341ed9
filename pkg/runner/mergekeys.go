package runner

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// mergeKeys knows which lists are matched by key, from the schemas that kyaml has of Kubernetes' own
// kinds. They are asked only about lists that have comments to copy: reading them takes a while.
type mergeKeys struct {
	kinds map[yaml.TypeMeta]*shape
}

// shape is what a schema says of one field, and of those below it that were asked for. A nil shape
// is of a field that no schema knows.
type shape struct {
	schema *openapi.ResourceSchema
	fields map[string]*shape
	item   *shape
	asked  bool // item is known
}

func newShape(s *openapi.ResourceSchema) *shape {
	if s == nil {
		return nil
	}
	return &shape{schema: s}
}

func (s *shape) field(key string) *shape {
	if s == nil {
		return nil
	}
	known, ok := s.fields[key]
	if !ok {
		if s.fields == nil {
			s.fields = map[string]*shape{}
		}
		known = newShape(s.schema.Field(key))
		s.fields[key] = known
	}
	return known
}

func (s *shape) items() *shape {
	if s == nil {
		return nil
	}
	if !s.asked {
		s.item, s.asked = newShape(s.schema.Elements()), true
	}
	return s.item
}

// keys are the fields that tell the items of a list apart, none for a list of texts; false for a list
// whose items only their place tells apart.
func (s *shape) keys() ([]string, bool) {
	if s == nil {
		return nil, false
	}
	strategy, keys := s.schema.PatchStrategyAndKeyList()
	return keys, slices.Contains(strings.Split(strategy, ","), "merge")
}

// place is where two nodes stand: below a field or, without a name, a list. One without up stands
// alone: nothing above it says what it is.
type place struct {
	up       *place
	field    string
	item     bool
	from, to *yaml.Node
	known    bool
	shape    *shape
}

// shapeAt is what is known of a place: what the schema above it says, else what the object that
// begins there says it is.
func (m *mergeKeys) shapeAt(p *place) *shape {
	if p.known {
		return p.shape
	}
	p.known = true
	if p.up != nil {
		if up := m.shapeAt(p.up); p.item {
			p.shape = up.items()
		} else {
			p.shape = up.field(p.field)
		}
	}
	for _, n := range []*yaml.Node{p.from, p.to} {
		if p.shape == nil && !isNull(n) {
			p.shape = m.kindOf(n)
		}
	}
	return p.shape
}

func (m *mergeKeys) kindOf(n *yaml.Node) *shape {
	t := yaml.TypeMeta{APIVersion: textOf(n, "apiVersion"), Kind: textOf(n, "kind")}
	if t.APIVersion == "" || t.Kind == "" {
		return nil
	}
	known, ok := m.kinds[t]
	if !ok {
		if m.kinds == nil {
			m.kinds = map[yaml.TypeMeta]*shape{}
		}
		known = newShape(openapi.SchemaForResourceType(t))
		m.kinds[t] = known
	}
	return known
}

// textOf is the text of a field, "" when it is absent or null.
func textOf(n *yaml.Node, key string) string {
	if v := fieldOf(n, key); v != nil && !isNull(v) {
		return v.Value
	}
	return ""
}
