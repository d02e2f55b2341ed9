package manifestconfig

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Resource is what an agent goes by to find the config of an object.
type Resource struct{ Group, Resource, Namespace, Name string }

// ResourceOf identifies an object whose kind has that plural.
func ResourceOf(id krm.ID, plural string) Resource {
	return Resource{id.Group, plural, id.Namespace, id.Name}
}

// Identifier has all four parts, empty ones too, as KubeStellar writes them.
func (r Resource) Identifier() *yaml.Node {
	return manifest.Map("group", r.Group, "resource", r.Resource, "namespace", r.Namespace, "name", r.Name)
}

func ReadResource(n *yaml.Node) Resource {
	return Resource{krm.Text(n, "group"), krm.Text(n, "resource"), krm.Text(n, "namespace"), krm.Text(n, "name")}
}

func (r Resource) IsPattern() bool {
	return strings.Contains(r.Name, "*") || strings.Contains(r.Namespace, "*")
}

// Fits reports whether an agent takes r for the identifier of other.
func (r Resource) Fits(other Resource) bool {
	return r.Group == other.Group && r.Resource == other.Resource &&
		FitsPattern(r.Namespace, other.Namespace) && FitsPattern(r.Name, other.Name)
}

// FitsPattern reports whether text is pattern with some text for each "*".
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
