package explain

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// hidden stands for a value that is secret.
const hidden = "(hidden)"

// open are the fields of a Secret that hold no secret.
var open = []string{"apiVersion", "kind", "metadata", "type", "immutable"}

// lastApplied is an annotation that holds all of an object once more.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// hides reports whether what stands at p in an object, or in any object that it carries, is secret or holds what is.
func hides(root *yaml.Node, p Path) bool {
	n := krm.Deref(root)
	for i := range p {
		if isSecret(n) && !isOpen(p[i:]) {
			return true
		}
		if n = p[i].from(n); n == nil {
			return false
		}
	}
	return isSecret(n) || holdsSecret(n)
}

// isOpen reports whether a way into a Secret leads to what is not secret.
func isOpen(p Path) bool {
	if !slices.Contains(open, p[0].name) {
		return false
	}
	if p[0].name != "metadata" {
		return true
	}
	annotations := len(p) > 1 && p[1].name == "annotations"
	return len(p) > 1 && (!annotations || len(p) > 2 && p[2].name != lastApplied)
}

// holdsSecret reports whether a Secret stands anywhere in n.
func holdsSecret(n *yaml.Node) bool {
	n = krm.Deref(n)
	return isSecret(n) || slices.ContainsFunc(n.Content, holdsSecret)
}

// isSecret reports whether n is a Secret or several, and no mere reference to one.
func isSecret(n *yaml.Node) bool {
	kind, _ := keyOf(n, "kind")
	has := func(field string) bool { return krm.Lookup(n, field) != nil }
	switch kind {
	case "Secret":
		return has("data") || has("stringData") || has("metadata")
	case "SecretList":
		return has("items")
	}
	return false
}
