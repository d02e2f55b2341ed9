package threeway

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func mapOrNil(n *yaml.Node) *yaml.Node {
	if krm.IsMap(n) {
		return n
	}
	return nil
}

// fieldIndex finds fields by name: it searches small maps and indexes large ones.
type fieldIndex struct {
	node  *yaml.Node
	index map[string]*yaml.Node
}

const smallMap = 12

// fieldsOf prepares a map for many look-ups of its fields.
func fieldsOf(m *yaml.Node) fieldIndex {
	f := fieldIndex{node: m}
	if m == nil || len(m.Content) <= 2*smallMap {
		return f
	}
	f.index = make(map[string]*yaml.Node, len(m.Content)/2)
	for i := len(m.Content) - 2; i >= 0; i -= 2 { // the first of duplicate fields counts, as in a search
		f.index[m.Content[i].Value] = m.Content[i+1]
	}
	return f
}

// Get is the value of a field; nil when it is missing.
func (f fieldIndex) Get(name string) *yaml.Node {
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

// sameData reports whether a and b are equal as JSON, in whatever spelling.
func sameData(a, b *yaml.Node) bool { return sameBy(krm.Deref(a), krm.Deref(b), sameData) }

// sameBy compares a and b: their content by same.
func sameBy(a, b *yaml.Node, same func(a, b *yaml.Node) bool) bool {
	switch {
	case a == nil || b == nil || a.Kind != b.Kind:
		return a == b
	case a.Kind == yaml.ScalarNode:
		return sameScalar(a, b)
	case len(a.Content) != len(b.Content):
		return false
	case a.Kind == yaml.SequenceNode:
		return slices.EqualFunc(a.Content, b.Content, same)
	}
	inB := fieldsOf(b)
	for i := 0; i+1 < len(a.Content); i += 2 {
		if other := inB.Get(a.Content[i].Value); other == nil || !same(a.Content[i+1], other) {
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
	if !hasManySpellings(ta) || !hasManySpellings(tb) || isDecimal(a.Value) && isDecimal(b.Value) {
		return false
	}
	ja, erra := krm.CanonicalJSON(a)
	jb, errb := krm.CanonicalJSON(b)
	return erra == nil && errb == nil && string(ja) == string(jb)
}

// hasManySpellings reports whether values of that tag have several spellings.
func hasManySpellings(tag string) bool {
	return tag == yaml.NodeTagInt || tag == yaml.NodeTagFloat || tag == yaml.NodeTagBool
}

// isDecimal reports whether s is a whole number in its JSON spelling.
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

// Contains reports whether have contains everything in want; it may have more. Hashed says that want holds hashes in place of
// values.
func Contains(have, want *yaml.Node, hashed bool) bool {
	have, want = krm.Deref(have), krm.Deref(want)
	switch {
	case have == nil:
		return false
	case krm.IsMap(want) && krm.IsMap(have):
		fields := fieldsOf(have)
		for i := 0; i+1 < len(want.Content); i += 2 {
			if !Contains(fields.Get(want.Content[i].Value), want.Content[i+1], hashed) {
				return false
			}
		}
		return true
	case krm.IsList(want) && krm.IsList(have):
		return slices.EqualFunc(have.Content, want.Content, func(h, w *yaml.Node) bool { return Contains(h, w, hashed) })
	case hashed && have.Kind == yaml.ScalarNode:
		return want.Value == hash(have)
	}
	return sameData(have, want)
}

// PlainCopy copies n without anchors, with aliases expanded.
func PlainCopy(n *yaml.Node) *yaml.Node {
	n = krm.Deref(n)
	c := *n
	c.Anchor, c.Alias, c.Line, c.Column = "", nil, 0, 0
	if n.Content != nil {
		c.Content = make([]*yaml.Node, len(n.Content))
		for i, child := range n.Content {
			c.Content[i] = PlainCopy(child)
		}
	}
	return &c
}

// ScalarText is the text of a scalar that is not null; "" otherwise.
func ScalarText(n *yaml.Node) string {
	if n = krm.Deref(n); n == nil || n.Kind != yaml.ScalarNode || n.ShortTag() == yaml.NodeTagNull {
		return ""
	}
	return n.Value
}
