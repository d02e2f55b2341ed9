package object

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// ifMap is n if it is a map, else nothing.
func ifMap(n *yaml.Node) *yaml.Node {
	if krm.IsMap(n) {
		return n
	}
	return nil
}

func ifList(n *yaml.Node) *yaml.Node {
	if krm.IsList(n) {
		return n
	}
	return nil
}

// Equal reports whether a and b hold the same data, or are both nil.
func Equal(a, b *yaml.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind == yaml.ScalarNode && b.Kind == yaml.ScalarNode && a.Value == b.Value && a.Tag == b.Tag && a.Tag != "" {
		return true
	}
	if krm.IsNull(a) && krm.IsNull(b) {
		return true
	}
	return krm.Equivalent(a, b)
}

// sameText reports whether a and b are written the same.
func sameText(a, b *yaml.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return krm.SameNode(a, b)
}

func sameComments(a, b *yaml.Node) bool {
	return a.HeadComment == b.HeadComment && a.LineComment == b.LineComment && a.FootComment == b.FootComment
}

// FieldIndex finds fields of one map: by a search in a small one, by an index of a large one.
type FieldIndex struct {
	n     *yaml.Node
	index map[string]int
}

// small is how many keys and values are faster to search than to index.
const small = 32

// IndexFields prepares a map for many look-ups of its fields.
func IndexFields(n *yaml.Node) FieldIndex {
	l := FieldIndex{n: n}
	if n != nil && len(n.Content) > small {
		l.index = make(map[string]int, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			l.index[n.Content[i].Value] = i
		}
	}
	return l
}

// Field returns the key and the value of a field, nil for none. hint is where it probably is.
func (l FieldIndex) Field(name string, hint int) (key, value *yaml.Node) {
	if l.n == nil {
		return nil, nil
	}
	c := l.n.Content
	if hint+1 < len(c) && c[hint].Value == name {
		return c[hint], c[hint+1]
	}
	if l.index != nil {
		if i, ok := l.index[name]; ok {
			return c[i], c[i+1]
		}
		return nil, nil
	}
	for i := 0; i+1 < len(c); i += 2 {
		if c[i].Value == name {
			return c[i], c[i+1]
		}
	}
	return nil, nil
}
