package bundling

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// resource is what an agent goes by to find the config of an object.
type resource struct{ group, resource, namespace, name string }

func resourceOf(o *krm.Object, plural string) resource {
	return resource{o.Group(), plural, o.Namespace(), o.Name()}
}

// identifier has all four parts, empty ones too, as KubeStellar writes them.
func (r resource) identifier() *yaml.Node {
	return manifest.Map("group", r.group, "resource", r.resource, "namespace", r.namespace, "name", r.name)
}

func readResource(n *yaml.Node) resource {
	return resource{krm.Text(n, "group"), krm.Text(n, "resource"), krm.Text(n, "namespace"), krm.Text(n, "name")}
}

func (r resource) isPattern() bool {
	return strings.Contains(r.name, "*") || strings.Contains(r.namespace, "*")
}

// fits reports whether an agent takes r for the identifier of other.
func (r resource) fits(other resource) bool {
	return r.group == other.group && r.resource == other.resource &&
		fitsPattern(r.namespace, other.namespace) && fitsPattern(r.name, other.name)
}

// fitsPattern reports whether text is pattern with some text for each "*".
func fitsPattern(pattern, text string) bool {
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
