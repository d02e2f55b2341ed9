package secret

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// copyNames are parts of the names of annotations in which tools store a copy of the applied object: kubectl and tools like it,
// kapp, Rancher.
var copyNames = []string{"last-applied", "lastApplied", "last_applied", "kapp.k14s.io/original", "objectset.rio.cattle.io/applied"}

func isCopy(annotation string) bool {
	return slices.ContainsFunc(copyNames, func(name string) bool { return strings.Contains(annotation, name) })
}

// secretKind matches the kind in YAML, in JSON, and in JSON inside a string.
var secretKind = lazyregexp.New(`kind\\*["']?\s*:\s*\\*["']?Secret`)

// isPrivate reports whether the value of a field, in the mapping called in, is an annotation with a copy of an object (by its
// name) or with the text of a Secret.
func isPrivate(in, name, value string) bool {
	return strings.HasSuffix(in, "nnotations") && (isCopy(name) || strings.Contains(value, "Secret") && secretKind.MatchString(value))
}

// HidesAnnotation reports whether the value of a field, in the mapping called in, must be hidden in an object of any kind.
func HidesAnnotation(in, name string, value *yaml.Node) bool {
	value = krm.Deref(value)
	return value != nil && isPrivate(in, name, value.Value)
}

// Contains reports whether n, the value of the field with that name, contains a Secret or an annotation that HidesAnnotation
// hides.
func Contains(name string, n *yaml.Node) bool {
	n = krm.Deref(n)
	if n == nil {
		return false
	}
	if Is(n) {
		return true
	}
	if n.Kind != yaml.MappingNode {
		return slices.ContainsFunc(n.Content, func(item *yaml.Node) bool { return Contains("", item) })
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		field := n.Content[i].Value
		if HidesAnnotation(name, field, n.Content[i+1]) || Contains(field, n.Content[i+1]) {
			return true
		}
	}
	return false
}
