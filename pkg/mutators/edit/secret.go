package edit

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

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
