package workload

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// addManaged adds a ManagedCluster.
func (r *inventoryReader) addManaged(o *krm.Object) {
	at := field.NewPath("metadata")
	r.add(Cluster{
		Name:        o.Name(),
		Labels:      r.texts(o, o.Lookup("metadata", "labels"), at.Child("labels"), labelRules),
		Annotations: r.texts(o, o.Lookup("metadata", "annotations"), at.Child("annotations"), annotationRules),
		Object:      o,
	}, at.Child("name"))
}

// addInventory adds the clusters of an Inventory.
func (r *inventoryReader) addInventory(o *krm.Object) {
	if o.Version() != fn.ConfigVersion {
		r.fail(o, field.NewPath("apiVersion"), "want %s/%s", fn.ConfigGroup, fn.ConfigVersion)
		return
	}
	r.failUnknown(o, o.Node(), nil, "move clusters below spec", "apiVersion", "kind", "metadata", "spec")
	at, spec := field.NewPath("spec"), o.Lookup("spec")
	switch {
	case spec == nil:
		r.fail(o, at, "an Inventory needs a spec with clusters")
		return
	case spec.Kind != yaml.MappingNode:
		r.failAll(o, at, krm.DecodeNode(spec, at, &map[string]any{}))
		return
	}
	r.failUnknown(o, spec, at, "", "clusters")
	at = at.Child("clusters")
	clusters := krm.Lookup(spec, "clusters")
	switch {
	case clusters == nil || krm.IsNull(clusters):
		r.fail(o, at, "it has no field clusters; write [] if there are none, or remove the Inventory")
	case clusters.Kind != yaml.SequenceNode:
		r.failAll(o, at, krm.DecodeNode(clusters, at, &[]any{}))
	default:
		for i, n := range clusters.Content {
			r.addCluster(o, krm.Deref(n), at.Index(i))
		}
	}
}

// addCluster adds a cluster of an Inventory. An error in one of its fields does not hide errors in others.
func (r *inventoryReader) addCluster(o *krm.Object, n *yaml.Node, at *field.Path) {
	if n.Kind != yaml.MappingNode {
		r.fail(o, at, "%v", field.TypeInvalid(at, field.OmitValueType{}, "want a map with the name of a cluster"))
		return
	}
	r.failUnknown(o, n, at, "", "name", "labels", "annotations", "properties")
	name := krm.Lookup(n, "name")
	c := Cluster{
		Labels:      r.texts(o, krm.Lookup(n, "labels"), at.Child("labels"), labelRules),
		Annotations: r.texts(o, krm.Lookup(n, "annotations"), at.Child("annotations"), annotationRules),
		Data:        r.texts(o, krm.Lookup(n, "properties"), at.Child("properties"), nil),
		Object:      o,
	}
	if name != nil {
		if err := krm.DecodeNode(name, at.Child("name"), &c.Name); err != nil {
			r.failAll(o, at.Child("name"), err)
			return
		}
	}
	r.add(c, at.Child("name"))
}

// failUnknown reports the fields of m, whose path is at, that are not among known.
func (r *inventoryReader) failUnknown(o *krm.Object, m *yaml.Node, at *field.Path, hint string, known ...string) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if key := m.Content[i].Value; !slices.Contains(known, key) {
			what := "unknown field"
			if hint != "" {
				what += "; " + hint
			}
			r.fail(o, at.Child(key), "%v", field.Forbidden(at.Child(key), what))
		}
	}
}
