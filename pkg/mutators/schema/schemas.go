package schema

import (
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/schema/kubernetes"
)

// schemaOf is the schema of a kind.
type schemaOf struct {
	*spec.Schema
	size    int                             // of one from the package, 0 of Kubernetes' own
	resolve func(*spec.Schema) *spec.Schema // follows references
}

// schema is that of o, nil when it is not known.
func (r *run) schema(o *krm.Object) *schemaOf {
	kind := kubernetes.Kind{APIVersion: o.APIVersion(), Name: o.Kind()}
	if s := r.known[kind]; s != nil {
		return s
	}
	if s, ok := kubernetes.Find(kind, r.KubernetesVersion); ok {
		return &schemaOf{Schema: s.Schema, resolve: func(below *spec.Schema) *spec.Schema { return resolve(s, below) }}
	}
	return nil
}

// missing says why there is no schema for o, and what to do.
func (r *run) missing(o *krm.Object) string {
	if !kubernetes.IsOwn(o.APIVersion()) {
		return fmt.Sprintf("no schema for %s %s; add its CustomResourceDefinition to the package, or set ignore_missing_schemas or skip_kinds",
			o.APIVersion(), o.Kind())
	}
	releases := r.KubernetesVersion
	if releases == "" {
		minors := kubernetes.Minors()
		releases = minors[0] + " to " + minors[len(minors)-1]
	}
	text := fmt.Sprintf("Kubernetes %s does not serve %s %s", releases, o.APIVersion(), o.Kind())
	if served := kubernetes.Served(o.Kind(), r.KubernetesVersion); len(served) > 0 {
		return text + "; it serves this kind as " + strings.Join(served, ", ")
	}
	return text + "; correct apiVersion or kind, or set ignore_missing_schemas or skip_kinds"
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
		r.known[kubernetes.Kind{APIVersion: group + "/" + version.Value, Name: name}] = &schemaOf{s, size(n), itself}
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

// itself is a schema without references, as custom ones are.
func itself(s *spec.Schema) *spec.Schema { return s }

// resolve follows references below a schema of Kubernetes. Quantities and ports are texts there, but API servers accept
// numbers too.
func resolve(in kubernetes.Schema, s *spec.Schema) *spec.Schema {
	for range 10 {
		ref := s.Ref.String()
		if ref == "" {
			return s
		}
		if strings.HasSuffix(ref, ".api.resource.Quantity") || strings.HasSuffix(ref, ".util.intstr.IntOrString") {
			return &spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"string", "integer", "number"}}}
		}
		if s = in.Resolve(ref); s == nil {
			break
		}
	}
	return &spec.Schema{} // any value is valid
}
