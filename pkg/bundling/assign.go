package bundling

import (
	"github.com/waybill-dev/waybill/pkg/bundling/packing"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// sticks reports whether an earlier run decides which work holds an object. If each work holds one object, the name of the
// object decides.
func (b *bundler) sticks() bool { return b.opts.Assignment != sequential && b.opts.MaxObjects > 1 }

// assign returns the number of the work of each object. before has the numbers of the earlier works of the same Binding
// and cluster. overfull are the works whose objects have outgrown a limit.
func (b *bundler) assign(items []shippedObject, before map[krm.ID]int) (numbers []int, overfull []packing.Overfull) {
	limits, weights := b.opts.limits(), make([]packing.Weight, len(items))
	for i, s := range items {
		weights[i] = s.weight()
	}
	if !b.sticks() {
		return limits.Split(weights), nil
	}
	numbers = make([]int, len(items))
	for i, s := range items {
		var known bool
		if numbers[i], known = before[s.named.ID()]; !known {
			numbers[i] = packing.NoWork
		}
	}
	p := packing.New(limits, weights, numbers)
	if b.opts.Overflow == move {
		p.Evict(func(i int) bool { return holdsState(items[i].named) }, func(i int) packing.Weight { return items[i].referenceWeight() })
	}
	return numbers, p.Place()
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
