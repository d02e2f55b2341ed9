package bundling

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// leaf is a string that a template fills in: where it stands, as indices of Content from the root,
// and the size of the template in JSON. With these an expanded object is measured by looking at
// what changed.
type leaf struct {
	path []int
	size int
}

// templateLeaves lists the strings below n that templates fill in, n in normal form.
func templateLeaves(n *yaml.Node, path []int) (out []leaf) {
	if n.Kind == yaml.ScalarNode {
		if n.Tag == yaml.NodeTagString && strings.Contains(n.Value, "{{") {
			out = append(out, leaf{slices.Clone(path), textSize(n.Value)})
		}
		return out
	}
	for i, child := range n.Content {
		if n.Kind == yaml.SequenceNode || i%2 == 1 {
			out = append(out, templateLeaves(child, append(path, i))...)
		}
	}
	return out
}

// settle puts the filled-in string into normal form, in place: expansion copied it and all above
// it. It returns by how much the object's JSON grew.
func (l leaf) settle(root *yaml.Node) int {
	n := root
	for _, i := range l.path {
		n = n.Content[i]
	}
	n.Style = textStyle(n.Value)
	return textSize(n.Value) - l.size
}
