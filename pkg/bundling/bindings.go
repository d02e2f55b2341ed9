package bundling

import (
	"cmp"
	"slices"
	"strconv"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// binding is a Binding as the bundler needs it.
type binding struct {
	naming.Origin
	object       *krm.Object // for reports
	entries      []entry     // in the order in which they ship
	destinations []string
}

// entry is one object that a Binding names. namespace is "" for a cluster-scoped one.
type entry struct {
	group, version, resource, namespace, name string

	digest     string // "" when the Binding does not track versions
	createOnly bool
	at         *field.Path // of the entry in its Binding
}

// readBindings returns every Binding among items, by name. Whatever is wrong with one, and two of
// the same name, is an error result.
func readBindings(items []*krm.Object, wds string) (out []binding, results sdk.Results) {
	named := map[string][]*krm.Object{}
	for _, o := range items {
		if !o.Is(control.Group, control.KindBinding) {
			continue
		}
		b, errs := control.DecodeBinding(o)
		if b != nil {
			errs = append(errs, checkNames(b)...)
		}
		for _, err := range errs {
			results = append(results, fn.NewResult(sdk.Error, o, fieldPath(err), "%v", err))
		}
		named[o.Name()] = append(named[o.Name()], o)
		if len(errs) == 0 {
			out = append(out, newBinding(o, b, wds))
		}
	}
	slices.SortFunc(out, func(a, b binding) int { return cmp.Compare(a.Binding, b.Binding) })
	return out, append(results, twins(named)...)
}

// twins blames every Binding that shares its name, so that the order of items does not show.
func twins(named map[string][]*krm.Object) (results sdk.Results) {
	for name, same := range named {
		for _, o := range same {
			if len(same) > 1 {
				results = append(results, fn.NewResult(sdk.Error, o, field.NewPath("metadata", "name"),
					"%d Bindings are called %q; their works would overwrite each other", len(same), name))
			}
		}
	}
	return results
}

// checkNames holds a Binding's name and its clusters against what they become: a label value and
// part of the name of works, and namespaces. Together with the check of wdsName this keeps the
// name of a work below the 188 characters an agent takes.
func checkNames(b *control.Binding) (errs field.ErrorList) {
	for _, why := range validation.IsValidLabelValue(b.Name) {
		errs = append(errs, field.Invalid(field.NewPath("metadata", "name"), b.Name, "becomes a label of works: "+why))
	}
	at := field.NewPath("spec", "destinations")
	for i, d := range b.Spec.Destinations {
		for _, why := range validation.IsDNS1123Label(d.ClusterID) {
			errs = append(errs, field.Invalid(at.Index(i).Child("clusterId"), d.ClusterID, "is a cluster's namespace on the hub: "+why))
		}
	}
	return errs
}

func newBinding(o *krm.Object, b *control.Binding, wds string) binding {
	out := binding{object: o, Origin: naming.Origin{
		Binding: b.Name, WDS: wds, Generation: strconv.FormatInt(b.Generation, 10), Source: o.ID().String(),
	}}
	at := field.NewPath("spec", "workload")
	for i, e := range b.Spec.Workload.ClusterScope {
		out.entries = append(out.entries, entry{e.Group, e.Version, e.Resource, "", e.Name,
			e.ResourceVersion, e.CreateOnly, at.Child("clusterScope").Index(i)})
	}
	for i, e := range b.Spec.Workload.NamespaceScope {
		out.entries = append(out.entries, entry{e.Group, e.Version, e.Resource, e.Namespace, e.Name,
			e.ResourceVersion, e.CreateOnly, at.Child("namespaceScope").Index(i)})
	}
	for _, d := range b.Spec.Destinations {
		out.destinations = append(out.destinations, d.ClusterID)
	}
	return out
}

// String names what an entry looks for: "deployments.apps shop/web".
func (e entry) String() string {
	s := e.resource
	if e.group != "" {
		s += "." + e.group
	}
	s += " "
	if e.namespace != "" {
		s += e.namespace + "/"
	}
	return s + e.name
}

// namesOf are the names of Bindings, and of the clusters that they ship to.
func namesOf(bindings []binding) (names, destinations map[string]bool) {
	names, destinations = map[string]bool{}, map[string]bool{}
	for _, b := range bindings {
		names[b.Binding] = true
		for _, cluster := range b.destinations {
			destinations[cluster] = true
		}
	}
	return names, destinations
}

// fieldPath is where err is, nil when it says nothing.
func fieldPath(err *field.Error) *field.Path {
	if err.Field == "" {
		return nil
	}
	return field.NewPath(err.Field)
}
