package bundling

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/bundling/bindings"
	"github.com/waybill-dev/waybill/pkg/bundling/guard"
	"github.com/waybill-dev/waybill/pkg/bundling/previous"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/template/expansion"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// shipment is a Binding with what it ships.
type shipment struct {
	bindings.Binding
	*workNodes
	payloads   []*payload
	customized bool                         // some payload differs from cluster to cluster
	broken     map[krm.ID]bool              // objects that failed for an earlier cluster: reported once
	renamed    bool                         // the identity of some payload differs from cluster to cluster
	before     map[string]*previous.Numbers // by cluster, the works that hold objects already
}

// bundle makes the works of every Binding. They are valid only if nothing failed.
func (b *bundler) bundle(items []*krm.Object) (works []plannedWork) {
	b.add(workload.Misspelt(items, control.GroupKind(control.KindBinding), control.GroupKind(control.KindCustomTransform)))
	if !b.opts.AllowEmptySelection {
		b.add(guard.Emptied(items, b.inventory))
	}
	b.add(guard.Renamed(items, b.bindings, b.inventory))
	b.add(guard.Unreadable(b.earlier))
	shipments, assignments := make([]shipment, len(b.bindings)), previous.NewAssignments(b.earlier)
	for i, bd := range b.bindings {
		shipments[i] = b.collect(bd)
		if b.sticks() {
			shipments[i].before = assignments.Of(bd.Origin)
		}
	}
	duplicates, overflows, around := newDuplicates(shipments), overflows{}, newDeletedAround(shipments)
	for i, s := range shipments {
		b.warnDeletedAround(&shipments[i], around)
		works = append(works, b.works(s, duplicates, overflows)...)
	}
	b.add(duplicates.results())
	b.add(overflows.results())
	b.warnUnknownKinds("updateStrategies", "Job.batch", b.strategies, shipments)
	b.warnUnknownKinds("propagationPolicies", "Job.batch", b.policies, shipments)
	works = b.handOver(works, shipments, items)
	b.warnLargeWorks(works)
	return works
}

// collect finds the objects of a Binding and reports those that cannot ship.
func (b *bundler) collect(bd bindings.Binding) shipment {
	s := shipment{Binding: bd, workNodes: newWorkNodes(bd.Origin), broken: map[krm.ID]bool{}}
	taken := map[*krm.Object]bindings.Entry{}
	for _, e := range bd.Entries {
		p, err := b.payload(bd, e)
		if err != nil {
			b.report(sdk.Error, bd.Object, e.At, "%v", err)
			continue
		}
		if other, twice := taken[p.source]; twice {
			b.report(sdk.Error, bd.Object, e.At, "%s is the same object as that of %s", e, other.At)
		}
		taken[p.source] = e
		s.payloads, s.customized, s.renamed = append(s.payloads, p), s.customized || p.customized(), s.renamed || p.renamed
	}
	return s
}

// works are those of one Binding, cluster by cluster.
func (b *bundler) works(s shipment, duplicates *duplicates, overflows overflows) (works []plannedWork) {
	var items []shippedObject
	var made []*body
	divided, assigner := divisions{}, assigner{bundler: b, shipment: s, places: map[*previous.Numbers][]int{}}
	for i, cluster := range s.Destinations {
		b.warnUnknownCluster(s, i)
		if i == 0 || s.customized {
			items = b.payloadsFor(s, cluster, items)
		}
		duplicates.add(cluster, s.Binding, items)
		if made == nil || s.customized || b.sticks() {
			now := assigner.assign(items, s.before[cluster])
			overflows.add(s.Binding, cluster, now.overfull)
			made = divided.bodies(items, now.numbers)
			b.refusePatterns(made)
		}
		for _, body := range made {
			works = append(works, s.plan(cluster, body, b.opts.MaxObjects == 1))
		}
	}
	return works
}

// warnUnknownCluster warns of a destination that is not in the inventory. Its works are written all the
// same, as KubeStellar does, because the Binding may be newer than the inventory. But templates see no
// labels or properties of it, and a hub without that namespace refuses its works.
func (b *bundler) warnUnknownCluster(s shipment, i int) {
	if b.inventory == nil || len(b.inventory.Clusters) == 0 {
		return // allowed to be empty, or reported already
	}
	if _, known := b.inventory.Get(s.Destinations[i]); !known {
		at := field.NewPath("spec", "destinations").Index(i).Child("clusterId")
		b.report(sdk.Warning, s.Object, at, "cluster %q is not in the inventory; its works are written, "+
			"but it has no labels or properties for templates", s.Destinations[i])
	}
}

// payloadsFor expands every payload of s for one cluster. An object that fails is reported for its first cluster only. earlier are those
// for another cluster, which the result overwrites: an object that is the same for all clusters stays.
func (b *bundler) payloadsFor(s shipment, cluster string, earlier []shippedObject) []shippedObject {
	var properties map[string]string
	if s.customized {
		properties = b.propertiesOf(cluster)
	}
	out, complete := earlier[:0], len(earlier) == len(s.payloads) && len(s.broken) == 0
	for i, p := range s.payloads {
		switch {
		case complete && !p.customized():
			out = append(out, earlier[i])
			continue
		case s.broken[p.id], p.customized() && b.allowance.Spent():
			continue
		}
		item, errs := p.expand(b.allowance, cluster, properties)
		for _, err := range errs {
			b.fail(p.source, err)
			s.broken[p.id] = true
		}
		b.refuseTooLarge(s, &item)
		out = append(out, item)
	}
	if s.renamed {
		b.instructRenamed(s, out)
	}
	return out
}

// propertiesOf is what templates see of a cluster, computed once for all Bindings.
func (b *bundler) propertiesOf(cluster string) map[string]string {
	if p, done := b.properties[cluster]; done {
		return p
	}
	c, _ := b.inventory.Get(cluster)
	p, err := expansion.Properties(cluster, c.Labels, c.Annotations, c.Data, c.BinaryData)
	if err != nil {
		b.report(sdk.Error, c.Object, nil, "%v", err)
	}
	b.properties[cluster] = p
	return p
}
