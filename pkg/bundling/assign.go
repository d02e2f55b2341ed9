package bundling

import (
	"slices"
	"strconv"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/bundling/bindings"
	"github.com/waybill-dev/waybill/pkg/bundling/packing"
	"github.com/waybill-dev/waybill/pkg/bundling/previous"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// sticks reports whether an earlier run decides which work holds an object. If each work holds one object, the name of the
// object decides.
func (b *bundler) sticks() bool { return b.opts.Assignment != sequential && b.opts.MaxObjects > 1 }

// assignment puts the objects of a cluster into works.
type assignment struct {
	before   *previous.Numbers // the earlier works of the Binding on the cluster
	weights  []packing.Weight
	numbers  []int              // of the work of each object
	overfull []packing.Overfull // works whose objects have outgrown a limit
}

// assigner makes the assignments of a shipment, cluster by cluster. Most of them are like the last one.
type assigner struct {
	*bundler
	shipment shipment
	last     assignment
	places   map[*previous.Numbers][]int // see placesOf
	spare    []packing.Weight            // a buffer
}

// assign assigns items, given the earlier works on their cluster.
func (a *assigner) assign(items []shippedObject, before *previous.Numbers) assignment {
	now := assignment{before: before, weights: a.spare[:0]}
	for i := range items {
		now.weights = append(now.weights, items[i].weight())
	}
	a.spare = now.weights
	if !a.shipment.renamed && a.last.before == before && slices.Equal(a.last.weights, now.weights) {
		return a.last
	}
	if !a.sticks() {
		now.numbers = a.opts.limits().Split(now.weights)
	} else {
		now.numbers = a.placesOf(items, before)
		p := packing.New(a.opts.limits(), now.weights, now.numbers)
		if a.opts.Overflow == move {
			p.Evict(func(i int) bool { return holdsState(items[i].named) }, func(i int) packing.Weight { return items[i].referenceWeight() })
		}
		now.overfull = p.Place()
	}
	a.spare, a.last = a.last.weights, now
	return now
}

// placesOf are the numbers of the earlier works that hold items, packing.NoWork where there is none. Clusters with the same earlier
// works share the search.
func (a *assigner) placesOf(items []shippedObject, before *previous.Numbers) []int {
	common := !a.shipment.renamed && len(items) == len(a.shipment.payloads)
	if found, done := a.places[before]; common && done {
		return slices.Clone(found)
	}
	numbers, byID := make([]int, len(items)), before.Map()
	for i, item := range items {
		var known bool
		if numbers[i], known = byID[item.sentID()]; !known {
			numbers[i] = packing.NoWork
		}
	}
	if common {
		a.places[before] = slices.Clone(numbers)
	}
	return numbers
}

// holdsState reports whether the deletion of o loses more than o: the objects in a namespace, the resources of a
// definition, the data of a volume, the progress of a job.
func holdsState(o *krm.Object) bool {
	switch o.Kind() {
	case "Namespace", "PersistentVolumeClaim", "PersistentVolume":
		return o.Group() == ""
	case "StatefulSet":
		return o.Group() == "apps"
	case "Job":
		return o.Group() == "batch"
	case "CustomResourceDefinition":
		return o.Group() == "apiextensions.k8s.io"
	}
	return false
}

// overflows are the works whose objects have outgrown a limit, with their clusters.
type overflows map[overflow][]string

type overflow struct {
	object *krm.Object // the Binding
	work   string
	limit  packing.Limit
}

func (o overflows) add(bd bindings.Binding, cluster string, works []packing.Overfull) {
	for _, w := range works {
		key := overflow{bd.Object, bd.ShardName(strconv.Itoa(w.Number)), w.Limit}
		o[key] = append(o[key], cluster)
	}
}

// results has one error for each work and limit, whatever the number of clusters.
func (o overflows) results() (out sdk.Results) {
	for key, clusters := range o {
		limit, remedy := key.limit.Describe()
		out = append(out, fn.NewResult(sdk.Error, key.object, nil,
			"the objects of work %q on %s have outgrown %s, and an object that moves to another work would be deleted and created again; "+
				"set overflow: move, which hands objects over to another work, or %s",
			key.work, clusterList(clusters), limit, remedy))
	}
	return byMessage(out)
}

// warnLargeWorks warns of works that are too large for client-side apply.
func (b *bundler) warnLargeWorks(works []plannedWork) {
	if b.opts.ApplyWith != anyApply {
		return
	}
	large := 0
	for _, w := range works {
		if w.body.sent()+packing.AroundWork > packing.MaxAnnotations {
			large++
		}
	}
	if large > 0 {
		b.report(sdk.Warning, nil, nil, "%d of %d works are too large for client-side apply, which puts a copy of the work into an annotation "+
			"of at most %d bytes; "+
			"apply them to the hub with server-side apply and set applyWith: server-side, or set applyWith: client-side to have smaller works",
			large, len(works), packing.MaxAnnotations)
	}
}
