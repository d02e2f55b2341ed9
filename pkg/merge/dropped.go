package merge

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/merge/schema"
)

// droppedMap merges a map that one side dropped; either u or l is nil. What the other did not touch
// goes; what it added to a map of plain values stays; anything else is a conflict.
func (m *merger) droppedMap(t *schema.Type, o, u, l *yaml.Node) *yaml.Node {
	left := u
	if u == nil {
		left = l
	}
	if equal(left, o) {
		return nil
	}
	rest := func() *yaml.Node { return m.rest(t, o, u, l) }
	if onlyAdds(o, left) {
		return m.take(rest())
	}
	return m.conflict(o, u, l, rest)
}

// rest merges field by field, and is nothing when that leaves nothing.
func (m *merger) rest(t *schema.Type, o, u, l *yaml.Node) *yaml.Node {
	if u == nil {
		u = &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	}
	if l == nil {
		l = &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, HeadComment: u.HeadComment}
	}
	if r := m.fields(t, o, u, l); len(r.Content) > 0 {
		return r
	}
	return nil
}

// onlyAdds reports whether left is o and more fields, all of them plain values.
func onlyAdds(o, left *yaml.Node) bool {
	in := lookIn(o)
	found := 0
	for i := 0; i+1 < len(left.Content); i += 2 {
		if left.Content[i+1].Kind != yaml.ScalarNode {
			return false
		}
		if key, v := in.field(left.Content[i].Value, i); key != nil {
			if found += 2; !equal(v, left.Content[i+1]) {
				return false
			}
		}
	}
	return found == len(o.Content)
}

// droppedList is for a list that l dropped: nothing if u did not touch it, and otherwise a conflict of
// which kpt keeps what u changed.
func (m *merger) droppedList(t *schema.Type, o, u *yaml.Node) *yaml.Node {
	if equal(u, o) {
		return nil
	}
	return m.conflict(o, u, nil, func() *yaml.Node {
		by := m.keysFor(t, o, u)
		if by == nil {
			return u
		}
		l := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
		if r := m.items(t.Items(), by, o, u, l); len(r.Content) > 0 {
			return r
		}
		return nil
	})
}
