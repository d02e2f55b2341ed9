package previous

import (
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Numbers say which work of a Binding holds an object on a cluster. Clusters whose works hold the same share them.
type Numbers struct{ last numbered }

// numbered is a work with its number, after the works of before.
type numbered struct {
	before  *Numbers
	number  int
	holding *holding
	copied  *Work // in place of holding, if there are copies of the work
}

func (n numbered) held() []Object {
	if n.copied != nil {
		return n.copied.Held()
	}
	return n.holding.objects(nil)
}

// Map is the number of the work that holds each object; none for a nil Numbers. If two works hold it, as after a merge, the lower
// number counts.
func (n *Numbers) Map() map[krm.ID]int {
	out := map[krm.ID]int{}
	for ; n != nil; n = n.last.before {
		for _, h := range n.last.held() {
			if number, twice := out[h.ID]; !h.HandedOver && (!twice || n.last.number < number) {
				out[h.ID] = n.last.number
			}
		}
	}
	return out
}

// Assignments are the Numbers of all clusters, by Binding: those that have an earlier work of it.
type Assignments map[owner]map[string]*Numbers

// owner is the part of an Origin that the labels of a work tell.
type owner struct{ binding, wds string }

// NewAssignments reads the names of earlier works.
func NewAssignments(earlier []*Work) Assignments {
	out, known := Assignments{}, map[numbered]*Numbers{}
	for _, w := range earlier {
		of := naming.LabelledOrigin(w.Object)
		number, numbers := of.NumberOf(w.Object)
		if !numbers {
			continue
		}
		clusters := out[owner{of.Binding, of.WDS}]
		if clusters == nil {
			clusters = map[string]*Numbers{}
			out[owner{of.Binding, of.WDS}] = clusters
		}
		cluster := w.Object.Namespace()
		next := numbered{before: clusters[cluster], number: number, holding: w.holding}
		if len(w.copies) > 0 {
			next.holding, next.copied = nil, w
		}
		if known[next] == nil {
			known[next] = &Numbers{next}
		}
		clusters[cluster] = known[next]
	}
	return out
}

// Of are the Numbers of the works of o, by cluster.
func (a Assignments) Of(o naming.Origin) map[string]*Numbers { return a[owner{o.Binding, o.WDS}] }
