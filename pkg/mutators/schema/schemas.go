package schema

import (
	"encoding/json"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// kind is a kind of objects in one version.
type kind struct{ apiVersion, kind string }

// schemaOf is the schema of a kind.
type schemaOf struct {
	*spec.Schema
	size int // of one from the package, 0 of Kubernetes' own
}

// schema is that of o, nil when it is not known.
func (r *run) schema(o *krm.Object) *schemaOf {
	if s := r.known[kind{o.APIVersion(), o.Kind()}]; s != nil {
		return s
	}
	if s := openapi.SchemaForResourceType(yaml.TypeMeta{APIVersion: o.APIVersion(), Kind: o.Kind()}); s != nil {
		return &schemaOf{Schema: s.Schema}
	}
	return nil
}

// learn adds the schemas of a CustomResourceDefinition, one for every version.
func (r *run) learn(crd *krm.Object) {
	group, name := crd.String("spec", "group"), crd.String("spec", "names", "kind")
	versions := crd.Lookup("spec", "versions")
	if group == "" || name == "" || versions == nil || versions.Kind != yaml.SequenceNode {
		return // its own schema reports that
	}
	for i, v := range versions.Content {
		n, version := krm.Lookup(v, "schema", "openAPIV3Schema"), krm.Lookup(v, "name")
		if n == nil || version == nil {
			continue
		}
		at := field.NewPath("spec", "versions").Index(i).Child("schema", "openAPIV3Schema")
		s, err := readSchema(n)
		if err != nil {
			r.out.Report(sdk.Error, crd, at, "%v", err)
			continue
		}
		r.known[kind{group + "/" + version.Value, name}] = &schemaOf{s, size(n)}
	}
}

func readSchema(n *yaml.Node) (*spec.Schema, error) {
	if refers(n, false) {
		return nil, errRefers
	}
	data, err := krm.CanonicalJSON(n)
	if err != nil {
		return nil, err
	}
	s := &spec.Schema{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, errUnreadable
	}
	return s, checkPatterns(s)
}

// refers reports whether a schema has a $ref, which custom ones may not have. Below properties, $ref is
// the name of a field.
func refers(n *yaml.Node, names bool) bool {
	n = krm.Deref(n)
	for i, c := range n.Content {
		switch {
		case n.Kind != yaml.MappingNode:
			if refers(c, false) {
				return true
			}
		case i%2 == 0:
			if c.Value == "$ref" && !names {
				return true
			}
		case refers(c, n.Content[i-1].Value == "properties" && !names):
			return true
		}
	}
	return false
}

func size(n *yaml.Node) int {
	n = krm.Deref(n)
	total := 1
	for _, c := range n.Content {
		total += size(c)
	}
	return total
}

// resolve follows references in Kubernetes' own schemas. Quantities and ports are texts there, but API
// servers accept numbers too.
func resolve(s *spec.Schema) *spec.Schema {
	for range 10 {
		ref := s.Ref.String()
		if ref == "" {
			return s
		}
		if strings.HasSuffix(ref, ".api.resource.Quantity") || strings.HasSuffix(ref, ".util.intstr.IntOrString") {
			return &spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"string", "integer", "number"}}}
		}
		next, err := openapi.Resolve(&s.Ref, openapi.Schema())
		if err != nil {
			break
		}
		s = next
	}
	return &spec.Schema{} // any value is valid
}
