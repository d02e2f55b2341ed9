package runner

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// mergeKeys finds the lists that are matched by key, in kyaml's schemas of the kinds of
// Kubernetes. It looks up only lists that have comments to copy, since loading the schemas takes time.
type mergeKeys struct {
	kinds map[yaml.TypeMeta]*schemaNode
}

// schemaNode is the schema of one field, and of the fields below it that were looked up. A nil schemaNode
// is that of a field without a schema.
type schemaNode struct {
	schema *openapi.ResourceSchema
	fields map[string]*schemaNode
	item   *schemaNode
	asked  bool // item was looked up
}

func newSchemaNode(s *openapi.ResourceSchema) *schemaNode {
	if s == nil {
		return nil
	}
	return &schemaNode{schema: s}
}

func (s *schemaNode) field(key string) *schemaNode {
	if s == nil {
		return nil
	}
	known, ok := s.fields[key]
	if !ok {
		if s.fields == nil {
			s.fields = map[string]*schemaNode{}
		}
		known = newSchemaNode(s.schema.Field(key))
		s.fields[key] = known
	}
	return known
}

func (s *schemaNode) items() *schemaNode {
	if s == nil {
		return nil
	}
	if !s.asked {
		s.item, s.asked = newSchemaNode(s.schema.Elements()), true
	}
	return s.item
}

// keys are the fields that identify the items of a list, none for a list of texts; false for a list
// whose items are identified by their position.
func (s *schemaNode) keys() ([]string, bool) {
	if s == nil {
		return nil, false
	}
	strategy, keys := s.schema.PatchStrategyAndKeyList()
	return keys, slices.Contains(strings.Split(strategy, ","), "merge")
}

// place is the position of two nodes: below a field or, if item is set, in a list. Without up there is no
// schema above it.
type place struct {
	up         *place
	field      string
	item       bool
	from, to   *yaml.Node
	known      bool
	schemaNode *schemaNode
}

// schemaAt is the schema of a place: from the schema above it, or else from the apiVersion and kind of
// the object that begins there.
func (m *mergeKeys) schemaAt(p *place) *schemaNode {
	if p.known {
		return p.schemaNode
	}
	p.known = true
	if p.up != nil {
		if up := m.schemaAt(p.up); p.item {
			p.schemaNode = up.items()
		} else {
			p.schemaNode = up.field(p.field)
		}
	}
	for _, n := range []*yaml.Node{p.from, p.to} {
		if p.schemaNode == nil && !isNull(n) {
			p.schemaNode = m.kindOf(n)
		}
	}
	return p.schemaNode
}

func (m *mergeKeys) kindOf(n *yaml.Node) *schemaNode {
	t := yaml.TypeMeta{APIVersion: textOf(n, "apiVersion"), Kind: textOf(n, "kind")}
	if t.APIVersion == "" || t.Kind == "" {
		return nil
	}
	known, ok := m.kinds[t]
	if !ok {
		if m.kinds == nil {
			m.kinds = map[yaml.TypeMeta]*schemaNode{}
		}
		known = newSchemaNode(openapi.SchemaForResourceType(t))
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
