package combine

import (
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// binding is what is needed of a Binding.
type binding struct {
	object       *krm.Object
	name         string
	policyUID    string // "": not known
	entries      []*entry
	destinations []string // sorted
}

// entry is one object that a Binding names.
type entry struct {
	workload.Entry
	version string
	wants   control.Modulation
	at      *field.Path // of the entry in its Binding

	object *krm.Object // nil: not in the package
	kind   string      // "": not known
}

// readBindings reads every Binding. A fault of one is an error.
func (s *summarizer) readBindings() {
	first := map[string]*krm.Object{}
	for _, o := range s.ofKind(control.KindBinding) {
		if old := first[o.Name()]; old != nil {
			s.report(sdk.Error, o, field.NewPath("metadata", "name"), "two Bindings have this name, also %s", old.Describe())
			continue
		}
		first[o.Name()] = o
		b, errs := control.DecodeBinding(o)
		if s.fault(o, sdk.Error, errs); len(errs) == 0 {
			s.bindings = append(s.bindings, newBinding(o, b))
		}
	}
}

func newBinding(o *krm.Object, b *control.Binding) binding {
	out := binding{object: o, name: b.Name, policyUID: policyUID(b)}
	at := field.NewPath("spec", "workload")
	for i, e := range b.Spec.Workload.ClusterScope {
		named := workload.Entry{Group: e.Group, Resource: e.Resource, Name: e.Name}
		out.entries = append(out.entries, &entry{Entry: named, version: e.Version, wants: e.Modulation, at: at.Child("clusterScope").Index(i)})
	}
	for i, e := range b.Spec.Workload.NamespaceScope {
		named := workload.Entry{Group: e.Group, Resource: e.Resource, Namespace: e.Namespace, Name: e.Name}
		out.entries = append(out.entries, &entry{Entry: named, version: e.Version, wants: e.Modulation, at: at.Child("namespaceScope").Index(i)})
	}
	for _, d := range b.Spec.Destinations {
		out.destinations = append(out.destinations, d.ClusterID)
	}
	slices.Sort(out.destinations)
	return out
}

// policyUID is the UID in the owner reference of the Binding.
func policyUID(b *control.Binding) string {
	for _, owner := range b.OwnerReferences {
		if owner.APIVersion == control.APIVersion && owner.Kind == control.KindBindingPolicy && owner.Name == b.Name {
			return string(owner.UID)
		}
	}
	return ""
}

// String is for messages: "deployments.apps shop/web".
func (e *entry) String() string {
	name := e.Resource
	if e.Group != "" {
		name += "." + e.Group
	}
	name += " "
	if e.Namespace != "" {
		name += e.Namespace + "/"
	}
	return name + e.Name
}
