package edit

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Visit calls f on every node at path below n, in document order. Lists are entered without being
// named. Where something else stands on the way, there is nothing to visit: unlike AtFields it is
// for objects of which nobody promised that they have such a field.
func Visit(n *yaml.Node, path string, f func(*yaml.Node)) {
	switch n = krm.Deref(n); {
	case n == nil:
	case n.Kind == yaml.SequenceNode:
		for _, c := range n.Content {
			Visit(c, path, f)
		}
	case path == "":
		f(n)
	default:
		step, rest, _ := strings.Cut(path, "/")
		Visit(krm.Lookup(n, step), rest, f)
	}
}

// IsText reports whether n is a text that says something.
func IsText(n *yaml.Node) bool {
	return n != nil && n.Kind == yaml.ScalarNode && n.ShortTag() != yaml.NodeTagNull && n.Value != ""
}
