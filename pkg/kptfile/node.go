package kptfile

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// RootOrder is the order in which kpt writes the fields of a Kptfile.
var RootOrder = []string{"apiVersion", "kind", "metadata", "upstream", "upstreamLock", "info", "pipeline", "inventory", "status"}

// Other field orders of kpt, used to insert new fields.
var (
	metadataOrder = []string{"name", "namespace", "labels", "annotations"}
	pipelineOrder = []string{string(Mutators), string(Validators)}
	statusOrder   = []string{"conditions", "renderStatus"}
)

// insertField sets key of m to value; a new key goes before the first key that follows it in order.
func insertField(m *yaml.Node, key string, value *yaml.Node, order []string) {
	if len(m.Content) == 0 {
		m.Style &^= yaml.FlowStyle // "{}" becomes a block
	}
	if krm.Lookup(m, key) != nil {
		krm.SetField(m, key, value)
		return
	}
	rank := slices.Index(order, key)
	at := len(m.Content)
	for i := 0; rank >= 0 && i+1 < len(m.Content); i += 2 {
		if slices.Index(order, m.Content[i].Value) > rank {
			at = i
			break
		}
	}
	m.Content = slices.Insert(m.Content, at, krm.StringNode(key), value)
}

// childMap returns the mapping at key of m and creates it in its place if missing or null.
func childMap(m *yaml.Node, key string, order []string) *yaml.Node {
	if have := krm.Lookup(m, key); have != nil && have.Kind == yaml.MappingNode {
		return have
	}
	made := krm.MapNode()
	insertField(m, key, made, order)
	return made
}

// conform returns a node with the value of want that reuses the nodes of have: what is already right
// keeps its node with comments, order and style.
func conform(have, want *yaml.Node) *yaml.Node {
	switch {
	case have == nil:
		return want
	case krm.Equivalent(have, want):
		return have
	case have.Kind == yaml.MappingNode && want.Kind == yaml.MappingNode:
		conformMap(have, want)
		return have
	case have.Kind == yaml.ScalarNode && want.Kind == yaml.ScalarNode:
		have.Value, have.Tag = want.Value, want.Tag
		if have.Style == 0 {
			have.Style = want.Style
		}
		return have
	}
	want.HeadComment, want.LineComment, want.FootComment = have.HeadComment, have.LineComment, have.FootComment
	return want
}

func conformMap(have, want *yaml.Node) {
	for i := len(have.Content) - 2; i >= 0; i -= 2 {
		if krm.Lookup(want, have.Content[i].Value) == nil {
			have.Content = slices.Delete(have.Content, i, i+2)
		}
	}
	var order []string
	for i := 0; i < len(want.Content); i += 2 {
		order = append(order, want.Content[i].Value)
	}
	for i := 0; i < len(want.Content); i += 2 {
		key := want.Content[i].Value
		insertField(have, key, conform(krm.Lookup(have, key), want.Content[i+1]), order)
	}
}

// rebuild returns the items of want, each conformed with the item of have that has the same value at
// key, if any.
func rebuild(have, want []*yaml.Node, key string) []*yaml.Node {
	rest := slices.Clone(have)
	out := make([]*yaml.Node, len(want))
	for i, w := range want {
		at := slices.IndexFunc(rest, func(h *yaml.Node) bool { return sameKey(h, w, key) })
		if at < 0 {
			out[i] = w
			continue
		}
		out[i] = conform(rest[at], w)
		rest = slices.Delete(rest, at, at+1)
	}
	return out
}

func sameKey(a, b *yaml.Node, key string) bool {
	x, y := krm.Lookup(a, key), krm.Lookup(b, key)
	return x != nil && y != nil && x.Value == y.Value
}
