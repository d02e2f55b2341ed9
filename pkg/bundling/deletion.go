package bundling

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/bundling/bindings"
	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// deletion is what agents do with an object that its work no longer holds.
type deletion struct {
	rule     *manifestconfig.Rule // the object stays; nil if the agent deletes it
	explicit bool                 // the agent deletes it because an annotation says so: by the options alone it would stay
}

// policyFor is what happens to an object of that kind when works no longer hold it: Foreground or Orphan. own is the annotation of
// the object, ofBinding that of the Binding; "" for none.
func (b *bundler) policyFor(kind schema.GroupKind, own, ofBinding string) string {
	base := cmp.Or(ofBinding, b.opts.PropagationPolicy)
	if base == workload.SelectivelyOrphan {
		base = workload.Foreground
		if workload.HoldsData(kind) {
			base = workload.Orphan
		}
	}
	return cmp.Or(own, b.policies[kind], base)
}

// deletionOf decides for sent, the object source of a Binding as it ships. Agents do not own what they only read.
func (b *bundler) deletionOf(bd bindings.Binding, source, sent *krm.Object, strategy, plural string) (d deletion, err error) {
	kind := schema.GroupKind{Group: sent.Group(), Kind: sent.Kind()}
	own, invalid := workload.PropagationPolicyOf(source, workload.Foreground, workload.Orphan)
	switch {
	case invalid != nil:
		return d, invalid
	case strategy == manifestconfig.ReadOnly:
	case b.policyFor(kind, own, bd.Propagation) == workload.Orphan:
		d.rule, err = manifestconfig.NewRule(manifestconfig.ResourceOf(sent.ID(), plural))
	default:
		d.explicit = b.policyFor(kind, "", "") == workload.Orphan
	}
	return d, err
}

// deleteOption is that of the work. A work that deletes what would stay by the options alone says so: the next run must be able to
// tell it from works of earlier releases, which said nothing.
func (b *body) deleteOption() (option manifestconfig.DeleteOption) {
	all, explicit := true, false
	for _, s := range b.batch {
		if s.rule != nil {
			option.Rules = append(option.Rules, s.rule)
		}
		all = all && (s.rule != nil || s.settings.Strategy == manifestconfig.ReadOnly)
		explicit = explicit || s.explicit
	}
	if all && len(option.Rules) > 0 {
		return manifestconfig.DeleteOption{Policy: workload.Orphan}
	}
	for _, e := range b.entries {
		if e.rule != nil {
			option.Rules = append(option.Rules, e.rule)
		}
	}
	switch {
	case len(option.Rules) > 0:
		option.Policy = workload.SelectivelyOrphan
	case explicit:
		option.Policy = workload.Foreground
	}
	return option
}

// deletedAround are the Namespaces and the definitions of kinds that works delete, with the shipments that hold them.
type deletedAround struct {
	namespaces map[string][]*shipment
	kinds      map[schema.GroupKind][]*shipment
}

func newDeletedAround(shipments []shipment) deletedAround {
	d := deletedAround{map[string][]*shipment{}, map[schema.GroupKind][]*shipment{}}
	for i := range shipments {
		s := &shipments[i]
		for _, p := range s.payloads {
			switch {
			case p.renamed || p.instructions.rule != nil || p.instructions.settings.Strategy == manifestconfig.ReadOnly:
			case p.object.Is("", "Namespace"):
				d.namespaces[p.id.Name] = append(d.namespaces[p.id.Name], s)
			case p.object.Is("apiextensions.k8s.io", "CustomResourceDefinition"):
				spec := p.object.Lookup("spec")
				kind := schema.GroupKind{Group: krm.Text(spec, "group"), Kind: krm.Text(spec, "names", "kind")}
				d.kinds[kind] = append(d.kinds[kind], s)
			}
		}
	}
	return d
}

// warnDeletedAround warns of objects of a Binding that are to stay on clusters while their Namespace, or the definition of their
// kind, is to be deleted there, also by another Binding: they go with it.
func (b *bundler) warnDeletedAround(s *shipment, around deletedAround) {
	found, sharing := map[string]*objectCount{}, map[*shipment]bool{s: true}
	add := func(by []*shipment, what string, id krm.ID) bool {
		for _, other := range by {
			if _, known := sharing[other]; !known {
				sharing[other] = s.sharesCluster(other)
			}
			if !sharing[other] {
				continue
			}
			if other != s {
				what += fmt.Sprintf(" (of Binding %q)", other.Binding.Binding)
			}
			if found[what] == nil {
				found[what] = &objectCount{}
			}
			found[what].add("", id)
			return true
		}
		return false
	}
	for _, p := range s.payloads {
		if p.instructions.rule != nil && !add(around.namespaces[p.id.Namespace], "their Namespace", p.id) {
			kind := schema.GroupKind{Group: p.object.Group(), Kind: p.object.Kind()}
			add(around.kinds[kind], "the CustomResourceDefinition of their kind", p.id)
		}
	}
	for _, with := range slices.Backward(slices.Sorted(maps.Keys(found))) { // Namespaces first
		b.report(sdk.Warning, s.Object, nil, "%s to stay on clusters (propagation policy Orphan), and %s is to be deleted: they would "+
			"be deleted with it; give it the same policy", found[with].describe("", "is", "are"), with)
	}
}

func (s *shipment) sharesCluster(other *shipment) bool {
	to := sets.New(s.Destinations...)
	return slices.ContainsFunc(other.Destinations, to.Has)
}
