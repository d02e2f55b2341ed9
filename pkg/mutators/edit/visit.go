package edit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Visit calls f on every node at path below n, in document order. Lists are entered without being named. Unlike AtFields, it
// accepts objects in which a field on the path is missing or of another kind.
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

// InFileOrder are items by file, and by their places in it: what a function does with one after the other does not depend on
// the order in which it gets them.
func InFileOrder(items []*krm.Object) []*krm.Object {
	return slices.SortedStableFunc(slices.Values(items), func(a, b *krm.Object) int {
		return cmp.Or(cmp.Compare(a.File(), b.File()), cmp.Compare(a.Index(), b.Index()), cmp.Compare(a.ID().String(), b.ID().String()))
	})
}

// IsText reports whether n is a scalar that is neither null nor empty.
func IsText(n *yaml.Node) bool {
	return n != nil && n.Kind == yaml.ScalarNode && n.ShortTag() != yaml.NodeTagNull && n.Value != ""
}

// IsSecret reports whether n, an object or a part of one, is a Secret or a list of them: results do not show its values. It
// must be called before n is changed.
func IsSecret(n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode {
		return false
	}
	kind := krm.Lookup(n, "kind")
	return IsText(kind) && (kind.Value == "Secret" || kind.Value == "SecretList")
}

// HoldsSecret reports whether n is a Secret, or contains one.
func HoldsSecret(n *yaml.Node) bool {
	return IsSecret(n) || slices.ContainsFunc(n.Content, HoldsSecret)
}

// mostShown is how many bytes of a value a result shows: thousands of fields may hold the same large value.
const mostShown = 200

// Quote is a value in the form of results: of a long one the beginning and the length.
func Quote(value string) string {
	if len(value) <= mostShown {
		return strconv.Quote(value)
	}
	return fmt.Sprintf("%q... (%d bytes)", strings.ToValidUTF8(value[:mostShown], ""), len(value))
}
