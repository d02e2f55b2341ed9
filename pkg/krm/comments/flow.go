package comments

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm/encode"
)

// stabiliseFlow moves the comments inside of braces or brackets above at, the field or item that they
// belong to, unless the library keeps them all in their places.
func stabiliseFlow(n, at *yaml.Node) {
	if (n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode) || !Any(&yaml.Node{Content: n.Content}) || keepsPlaces(n) {
		return
	}
	hoistBelow(n, at)
}

// hoist moves all comments at and below n above at, in the order of the text.
func hoist(n, at *yaml.Node) {
	moveAbove(at, &n.HeadComment)
	moveAbove(at, &n.LineComment)
	hoistBelow(n, at)
	moveAbove(at, &n.FootComment)
}

// hoistBelow is hoist for the children of n. A comment below a key is below its value in the text.
func hoistBelow(n, at *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		for _, c := range n.Content {
			hoist(c, at)
		}
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		moveAbove(at, &key.HeadComment)
		moveAbove(at, &key.LineComment)
		hoist(n.Content[i+1], at)
		moveAbove(at, &key.FootComment)
	}
}

// keepsPlaces reports whether n, printed behind a key, is read with each comment in its place.
func keepsPlaces(n *yaml.Node) bool {
	v := *n
	v.HeadComment, v.FootComment = "", ""
	text, err := encode.Node(mapOf(&v), false)
	if err != nil {
		return false
	}
	doc, bad := encode.Parse(text)
	return bad == nil && doc != nil && samePlaces(&v, doc.Content[0].Content[1])
}

// samePlaces reports whether a and b have the same comments in the same places.
func samePlaces(a, b *yaml.Node) bool {
	if a.HeadComment != b.HeadComment || a.LineComment != b.LineComment || a.FootComment != b.FootComment || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !samePlaces(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

// mapOf is a map with v as its only field.
func mapOf(v *yaml.Node) *yaml.Node {
	key := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: "k"}
	return &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap, Content: []*yaml.Node{key, v}}
}
