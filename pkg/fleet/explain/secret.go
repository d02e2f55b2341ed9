package explain

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/secret"
)

// hidden stands for a value that is secret.
const hidden = secret.Hidden

// hides reports whether what stands at p in an object, or in any object that it carries, is secret or holds what is.
func hides(root *yaml.Node, p Path) bool {
	n, in := krm.Deref(root), ""
	for i := range p {
		if secret.Is(n) && !secret.Open(wayOf(p[i:])...) {
			return true
		}
		above := in
		if in, n = p[i].name, p[i].from(n); n == nil {
			return false
		}
		if secret.Annotation(above, in, n) {
			return true
		}
	}
	return secret.Within(in, n)
}

func wayOf(p Path) (out []string) {
	for _, s := range p {
		out = append(out, s.name)
	}
	return out
}
