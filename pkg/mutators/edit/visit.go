package edit

import (
	"fmt"
	"slices"
	"strconv"
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

// IsSecret reports whether n is a Secret or a list of them, on its own or inside of another object: its
// values are not shown in results. Whoever changes n asks before.
func IsSecret(n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode {
		return false
	}
	kind := krm.Lookup(n, "kind")
	return IsText(kind) && (kind.Value == "Secret" || kind.Value == "SecretList")
}

// HoldsSecret reports whether n is a Secret, or has one somewhere inside.
func HoldsSecret(n *yaml.Node) bool {
	return IsSecret(n) || slices.ContainsFunc(n.Content, HoldsSecret)
}

// mostShown is how many bytes of a value a result shows: thousands of fields may hold the same large one.
const mostShown = 200

// Quote is a value as a result shows it: the beginning of a long one, and how long it is.
func Quote(value string) string {
	if len(value) <= mostShown {
		return strconv.Quote(value)
	}
	return fmt.Sprintf("%q... (%d bytes)", strings.ToValidUTF8(value[:mostShown], ""), len(value))
}
