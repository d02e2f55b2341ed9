package bindings

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Binding is what the bundler needs of a Binding.
type Binding struct {
	naming.Origin
	Object       *krm.Object // for results
	Entries      []Entry     // in the order in which they ship
	Destinations []string
	Propagation  string // the propagation policy for its objects; "" when it does not say
}

// Entry is one object that a Binding names. Namespace is "" if it is cluster-scoped.
type Entry struct {
	workload.Entry
	version    string
	Digest     string // "" when the Binding does not track versions
	CreateOnly bool
	At         *field.Path // in the Binding
}

// Read returns every valid Binding among items, by name. All that is wrong with one is an error result, and so are
// all Bindings that share a name.
func Read(items []*krm.Object, wds string) (out []Binding, results sdk.Results) {
	named := map[string][]*krm.Object{}
	for _, o := range items {
		if !o.Is(control.Group, control.KindBinding) {
			continue
		}
		b, errs := control.DecodeBinding(o)
		if b != nil {
			errs = append(errs, checkNames(b)...)
		}
		policy, invalid := workload.PropagationPolicyOf(o, workload.PropagationPolicies...)
		if invalid != nil {
			errs = append(errs, invalid)
		}
		results = append(results, workload.RefuseAnnotations(o)...)
		for _, err := range errs {
			results = append(results, fn.NewResult(sdk.Error, o, FieldPath(err), "%v", err))
		}
		named[o.Name()] = append(named[o.Name()], o)
		if len(errs) == 0 {
			out = append(out, newBinding(o, b, wds, policy))
		}
	}
	slices.SortFunc(out, func(a, b Binding) int { return cmp.Compare(a.Binding, b.Binding) })
	for name, same := range named {
		for _, o := range same {
			if len(same) > 1 {
				results = append(results, fn.NewResult(sdk.Error, o, field.NewPath("metadata", "name"),
					"%d Bindings are called %q; their works would overwrite each other", len(same), name))
			}
		}
	}
	return out, results
}

// checkNames checks a Binding's name as a label value and part of the names of works, and its clusters as namespaces.
// With the check of wdsName this keeps the name of a work below the 188 characters that an agent takes.
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

func newBinding(o *krm.Object, b *control.Binding, wds, policy string) Binding {
	out := Binding{Object: o, Propagation: policy, Origin: naming.Origin{
		Binding: b.Name, WDS: wds, Generation: strconv.FormatInt(b.Generation, 10), Source: o.ID().String(),
	}}
	at := field.NewPath("spec", "workload")
	for i, e := range b.Spec.Workload.ClusterScope {
		named := workload.Entry{Group: e.Group, Resource: e.Resource, Name: e.Name}
		out.Entries = append(out.Entries, Entry{named, e.Version, e.ResourceVersion, e.CreateOnly, at.Child("clusterScope").Index(i)})
	}
	for i, e := range b.Spec.Workload.NamespaceScope {
		named := workload.Entry{Group: e.Group, Resource: e.Resource, Namespace: e.Namespace, Name: e.Name}
		out.Entries = append(out.Entries, Entry{named, e.Version, e.ResourceVersion, e.CreateOnly, at.Child("namespaceScope").Index(i)})
	}
	for _, d := range b.Spec.Destinations {
		out.Destinations = append(out.Destinations, d.ClusterID)
	}
	return out
}

// String names the object of an entry: "deployments.apps shop/web".
func (e Entry) String() string {
	return schema.GroupResource{Group: e.Group, Resource: e.Resource}.String() + " " + strings.TrimPrefix(e.Namespace+"/"+e.Name, "/")
}

// FieldPath is the path of err; nil if it has none.
func FieldPath(err *field.Error) *field.Path {
	if err.Field == "" {
		return nil
	}
	return field.NewPath(err.Field)
}
