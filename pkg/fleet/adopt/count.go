package adopt

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/bundling/previous"
	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Count is what a render makes of the works of one policy on one cluster.
type Count struct {
	Cluster string `json:"cluster"`
	Policy  string `json:"policy"`
	// Works is how many works are taken over, and Objects how many objects they hold.
	Works   int `json:"works"`
	Objects int `json:"objects"`
	// Kept is how many objects stay in their works, HandedOver how many their works release without deleting them, mostly to other
	// works, and Lost how many the cluster would lose.
	Kept       int `json:"kept"`
	HandedOver int `json:"handedOver"`
	Lost       int `json:"lost"`
}

// Loss is an object that a cluster would lose.
type Loss struct {
	Cluster   string `json:"cluster"`
	Work      string `json:"work"`
	Group     string `json:"group"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// Counts compares the works that are taken over with a render of the plan, by cluster and policy. The losses are by cluster, work and
// object.
func (p *Plan) Counts(rendered pkgtree.Tree, found *fleet.Comparison) (counts []Count, losses []Loss, err error) {
	after, err := heldAfter(rendered)
	if err != nil {
		return nil, nil, err
	}
	lost := map[Loss]bool{}
	for _, c := range found.Changes {
		if c.Before != nil && (c.Outcome == fleet.Deleted || c.Outcome == fleet.Recreated) {
			lost[lossOf(c.Before.Cluster, c.Before.Work, c.ID)] = true
		}
	}
	for _, w := range p.Works {
		if last := len(counts) - 1; last < 0 || counts[last].Cluster != w.Cluster || counts[last].Policy != w.Policy {
			counts = append(counts, Count{Cluster: w.Cluster, Policy: w.Policy})
		}
		losses = append(losses, counts[len(counts)-1].add(w, lost, after)...)
	}
	slices.SortFunc(losses, Loss.compare)
	return counts, losses, nil
}

// add counts the objects of a work, and returns those that its cluster would lose.
func (c *Count) add(w *Work, lost, after map[Loss]bool) (losses []Loss) {
	held, _ := previous.Objects(w.object)
	for _, o := range held {
		switch at := lossOf(w.Cluster, w.Name, o.ID); {
		case lost[at]:
			losses = append(losses, at)
		case after[at]:
			c.Kept++
		default:
			c.HandedOver++
		}
	}
	c.Works, c.Objects, c.Lost = c.Works+1, c.Objects+len(held), c.Lost+len(losses)
	return losses
}

func lossOf(cluster, work string, id krm.ID) Loss {
	return Loss{Cluster: cluster, Work: work, Group: id.Group, Kind: id.Kind, Namespace: id.Namespace, Name: id.Name}
}

func (l Loss) compare(b Loss) int {
	return cmp.Or(cmp.Compare(l.Cluster, b.Cluster), cmp.Compare(l.Work, b.Work), cmp.Compare(l.Group, b.Group), cmp.Compare(l.Kind, b.Kind),
		cmp.Compare(l.Namespace, b.Namespace), cmp.Compare(l.Name, b.Name))
}

// heldAfter are the objects that works of bundle-manifestwork hold in a rendered package, without hand-over entries.
func heldAfter(rendered pkgtree.Tree) (map[Loss]bool, error) {
	out := map[Loss]bool{}
	for file, blob := range rendered.All() {
		if !fleet.HoldsObjects(file) || !bytes.Contains(blob.Data(), []byte(naming.WorkKind)) {
			continue
		}
		objects, err := krm.ReadLazy(file, blob.Data(), krm.Limits{}, "spec", fn.GeneratedBy)
		if err != nil {
			return nil, err
		}
		for _, w := range previous.Read(objects) {
			for _, o := range w.Held() {
				if !o.HandedOver {
					out[lossOf(w.Object.Namespace(), w.Object.Name(), o.ID)] = true
				}
			}
		}
	}
	return out, nil
}
