package correspond

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func isMap(n *yaml.Node) bool  { return n != nil && n.Kind == yaml.MappingNode }
func isList(n *yaml.Node) bool { return n != nil && n.Kind == yaml.SequenceNode }

func isNull(n *yaml.Node) bool {
	return n != nil && n.Kind == yaml.ScalarNode && n.ShortTag() == yaml.NodeTagNull
}

func mapOrNil(n *yaml.Node) *yaml.Node {
	if isMap(n) {
		return n
	}
	return nil
}

// fieldIndex looks fields up by name: small maps are searched, large ones indexed.
type fieldIndex struct {
	node  *yaml.Node
	index map[string]*yaml.Node
}

const smallMap = 12

func fieldsOf(m *yaml.Node) fieldIndex {
	f := fieldIndex{node: m}
	if m == nil || len(m.Content) <= 2*smallMap {
		return f
	}
	f.index = make(map[string]*yaml.Node, len(m.Content)/2)
	for i := len(m.Content) - 2; i >= 0; i -= 2 { // of two of one name the first counts, as in a search
		f.index[m.Content[i].Value] = m.Content[i+1]
	}
	return f
}

// get is the value of a field, nil when there is none.
func (f fieldIndex) get(name string) *yaml.Node {
	if f.node == nil {
		return nil
	}
	if f.index != nil {
		return f.index[name]
	}
	for i := 0; i+1 < len(f.node.Content); i += 2 {
		if f.node.Content[i].Value == name {
			return f.node.Content[i+1]
		}
	}
	return nil
}

// sameData reports whether a and b are the same to JSON, however they are spelled.
func sameData(a, b *yaml.Node) bool { return sameBy(krm.Deref(a), krm.Deref(b), sameData, sameScalar) }

// sameBy compares a and b, what is in them by same, and scalars by scalar.
func sameBy(a, b *yaml.Node, same, scalar func(a, b *yaml.Node) bool) bool {
	switch {
	case a == nil || b == nil || a.Kind != b.Kind:
		return a == b
	case a.Kind == yaml.ScalarNode:
		return scalar(a, b)
	case len(a.Content) != len(b.Content):
		return false
	case a.Kind == yaml.SequenceNode:
		return slices.EqualFunc(a.Content, b.Content, same)
	}
	inB := fieldsOf(b)
	for i := 0; i+1 < len(a.Content); i += 2 {
		if other := inB.get(a.Content[i].Value); other == nil || !same(a.Content[i+1], other) {
			return false
		}
	}
	return true
}

func sameScalar(a, b *yaml.Node) bool {
	ta, tb := a.ShortTag(), b.ShortTag()
	if ta == tb && (a.Value == b.Value || ta == yaml.NodeTagNull) {
		return true
	}
	if !otherSpellings(ta) || !otherSpellings(tb) || isDecimal(a.Value) && isDecimal(b.Value) {
		return false
	}
	ja, erra := krm.CanonicalJSON(a)
	jb, errb := krm.CanonicalJSON(b)
	return erra == nil && errb == nil && string(ja) == string(jb)
}

// otherSpellings reports whether values of that tag may be spelled in several ways.
func otherSpellings(tag string) bool {
	return tag == yaml.NodeTagInt || tag == yaml.NodeTagFloat || tag == yaml.NodeTagBool
}

// isDecimal reports whether s is a whole number spelled in the one way that JSON knows.
func isDecimal(s string) bool {
	digits := s
	if len(s) > 1 && s[0] == '-' {
		digits = s[1:]
	}
	if digits == "" || digits[0] == '0' && len(s) > 1 {
		return false
	}
	return !slices.ContainsFunc([]byte(digits), func(c byte) bool { return c < '0' || c > '9' })
}

// plainCopy copies n without anchors; what aliases stand for is written out.
func plainCopy(n *yaml.Node) *yaml.Node {
	n = krm.Deref(n)
	c := *n
	c.Anchor, c.Alias, c.Line, c.Column = "", nil, 0, 0
	if n.Content != nil {
		c.Content = make([]*yaml.Node, len(n.Content))
		for i, child := range n.Content {
			c.Content[i] = plainCopy(child)
		}
	}
	return &c
}
