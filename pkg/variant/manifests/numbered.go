package manifests

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// textRevision is a revision as older releases of Porch, and its tutorials, write it.
var textRevision = lazyregexp.New(`^v[1-9][0-9]{0,8}$`)

// numbered returns a variant or set whose spec.upstream.revision is a number: "v1", as older releases of Porch have it, is
// read as 1, with a warning. Other objects and values come back as they are.
func numbered(o *krm.Object) (*krm.Object, string) {
	if o.Kind() == porchconfig.KindRepository {
		return o, ""
	}
	n := krm.Deref(o.Lookup("spec", "upstream", "revision"))
	if n == nil || n.Kind != yaml.ScalarNode || !textRevision.MatchString(n.Value) {
		return o, ""
	}
	warning := fmt.Sprintf("%s: %s: spec.upstream.revision: %q is read as %s; write the number", o.Source, describe(o), n.Value, n.Value[1:])
	c := o.DeepCopy()
	n = krm.Deref(c.Lookup("spec", "upstream", "revision"))
	n.Value, n.Tag, n.Style = n.Value[1:], "!!int", 0
	return c, warning
}
