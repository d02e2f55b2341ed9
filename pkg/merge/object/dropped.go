package object

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/merge/schema"
)

// mergeDeletedMap merges a map that one side deleted; u or l is nil. If the other side did not change it, it is
// deleted, as it is if the other side only removed some of its fields; if the other side only added plain values, these stay;
// anything else is a conflict.
func (m *Merger) mergeDeletedMap(t *schema.Type, o, u, l *yaml.Node) *yaml.Node {
	left := u
	if u == nil {
		left = l
	}
	if Equal(left, o) || len(left.Content) > 0 && onlyAdds(left, o) {
		return nil
	}
	rest := func() *yaml.Node { return m.mergeRest(t, o, u, l) }
	if onlyAdds(o, left) {
		return m.takeTheirs(rest())
	}
	return m.Conflict(o, u, l, rest)
}

// mergeRest merges field by field; nil if no field is left.
func (m *Merger) mergeRest(t *schema.Type, o, u, l *yaml.Node) *yaml.Node {
	if u == nil {
		u = &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	}
	if l == nil {
		l = &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, HeadComment: u.HeadComment}
	}
	if r := m.Fields(t, o, u, l); r != nil && len(r.Content) > 0 {
		return r
	}
	return nil
}

// onlyAdds reports whether left is o and more fields, all of them plain values.
func onlyAdds(o, left *yaml.Node) bool {
	in := IndexFields(o)
	found := 0
	for i := 0; i+1 < len(left.Content); i += 2 {
		if left.Content[i+1].Kind != yaml.ScalarNode {
			return false
		}
		if key, v := in.Field(left.Content[i].Value, i); key != nil {
			if found += 2; !Equal(v, left.Content[i+1]) {
				return false
			}
		}
	}
	return found == len(o.Content)
}

// mergeDeletedList merges a list that l deleted: nil if u did not change it, otherwise a conflict, in which kpt
// keeps what u changed.
func (m *Merger) mergeDeletedList(t *schema.Type, o, u *yaml.Node) *yaml.Node {
	if Equal(u, o) {
		return nil
	}
	return m.Conflict(o, u, nil, func() *yaml.Node {
		by := m.KeysFor(t, o, u)
		if by == nil {
			return u
		}
		l := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
		if r := m.items(t.Items(), by, o, u, l); r != nil && len(r.Content) > 0 {
			return r
		}
		return nil
	})
}
