package bundling

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/template/expansion"
)

// leaf is a string that a template fills in: where it stands, as indices of Content from the root,
// which of the template's values it gets, and the size of the template in JSON. With these an
// expanded object is measured by looking at what changed.
type leaf struct {
	path  []int
	value int
	size  int
}

// leavesOf lists the strings of an object that t fills in, in the order of the document.
func leavesOf(t *expansion.Template, root *yaml.Node) (out []leaf) {
	for i, path := range t.Places() {
		out = append(out, leaf{path: path, value: i, size: textSize(at(root, path).Value)})
	}
	slices.SortFunc(out, func(a, b leaf) int { return slices.Compare(a.path, b.path) })
	return out
}

// at is the node at path below root.
func at(root *yaml.Node, path []int) *yaml.Node {
	for _, i := range path {
		root = root.Content[i]
	}
	return root
}

// settle puts the filled-in string into normal form, in place: expansion copied it and all above it.
func (l leaf) settle(root *yaml.Node) {
	n := at(root, l.path)
	n.Style = textStyle(n.Value)
}

// growth is by how much an object's JSON grows when the string becomes value.
func (l leaf) growth(value string) int { return textSize(value) - l.size }

// decidesIdentity reports whether l stands in what an object is called or of which kind it is.
func (l leaf) decidesIdentity(root *yaml.Node) bool {
	switch l.key(root, 0) {
	case "apiVersion", "kind":
		return true
	case "metadata":
		return slices.Contains([]string{"name", "namespace"}, l.key(root.Content[l.path[0]], 1))
	}
	return false
}

// inHead reports whether l stands in what a hub looks at.
func (l leaf) inHead(root *yaml.Node) bool { return isHead(l.key(root, 0)) }

// key is the field of m, a mapping, that l stands in, m being that many steps down its path.
func (l leaf) key(m *yaml.Node, depth int) string { return m.Content[l.path[depth]-1].Value }
