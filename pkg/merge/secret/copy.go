package secret

import (
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// copyNames are parts of the names of annotations in which tools keep an object as it was applied: kubectl and those that
// follow it, kapp, Rancher.
var copyNames = []string{"last-applied", "lastApplied", "last_applied", "kapp.k14s.io/original", "objectset.rio.cattle.io/applied"}

func copies(annotation string) bool {
	return slices.ContainsFunc(copyNames, func(name string) bool { return strings.Contains(annotation, name) })
}

// aSecret is how the kind is written in YAML, in JSON, and in JSON within a text.
var aSecret = regexp.MustCompile(`kind\\*["']?\s*:\s*\\*["']?Secret`)

// Repeats reports whether a value holds a whole object once more, or a Secret as text: by the name of its field, which stands
// in one called in, or by what it says.
func Repeats(in, name, value string) bool {
	return strings.HasSuffix(in, "nnotations") && (copies(name) || strings.Contains(value, "Secret") && aSecret.MatchString(value))
}

// Annotation reports whether the value of a field, in one called in, is not to be shown, whatever else the object is.
func Annotation(in, name string, value *yaml.Node) bool {
	value = krm.Deref(value)
	return value != nil && Repeats(in, name, value.Value)
}

// Within reports whether a Secret stands anywhere in n, or what repeats an object. Name is that of the field n is in.
func Within(name string, n *yaml.Node) bool {
	n = krm.Deref(n)
	if n == nil {
		return false
	}
	if Is(n) {
		return true
	}
	if n.Kind != yaml.MappingNode {
		return slices.ContainsFunc(n.Content, func(item *yaml.Node) bool { return Within("", item) })
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		field := n.Content[i].Value
		if Annotation(name, field, n.Content[i+1]) || Within(field, n.Content[i+1]) {
			return true
		}
	}
	return false
}
