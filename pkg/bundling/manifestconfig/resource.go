package manifestconfig

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Resource identifies the objects of a config. Its namespace and name may be patterns.
type Resource struct{ Group, Resource, Namespace, Name string }

// ResourceOf identifies an object whose kind has that plural.
func ResourceOf(id krm.ID, plural string) Resource {
	return Resource{id.Group, plural, id.Namespace, id.Name}
}

// Identifier is the node of r. It has all four parts, also empty ones, as KubeStellar writes them.
func (r Resource) Identifier() *yaml.Node {
	return manifest.Map("group", r.Group, "resource", r.Resource, "namespace", r.Namespace, "name", r.Name)
}

// ReadResource reads the identifier in a work.
func ReadResource(n *yaml.Node) Resource {
	return Resource{krm.Text(n, "group"), krm.Text(n, "resource"), krm.Text(n, "namespace"), krm.Text(n, "name")}
}

// IsPattern reports whether r may match several objects.
func (r Resource) IsPattern() bool {
	return strings.Contains(r.Name, "*") || strings.Contains(r.Namespace, "*")
}

// Fits reports whether r matches other for an agent.
func (r Resource) Fits(other Resource) bool {
	return r.Group == other.Group && r.Resource == other.Resource &&
		FitsPattern(r.Namespace, other.Namespace) && FitsPattern(r.Name, other.Name)
}

// FitsPattern reports whether text matches pattern, in which "*" matches any text.
func FitsPattern(pattern, text string) bool {
	head, rest, wild := strings.Cut(pattern, "*")
	if !wild {
		return pattern == text
	}
	text, begins := strings.CutPrefix(text, head)
	if !begins {
		return false
	}
	for {
		var part string
		if part, rest, wild = strings.Cut(rest, "*"); !wild {
			return strings.HasSuffix(text, part)
		}
		_, after, found := strings.Cut(text, part) // the first place leaves most for the rest
		if !found {
			return false
		}
		text = after
	}
}
