package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// handOver is a hand-over entry: a work names an object and releases it.
type handOver struct {
	id krm.ID
	waybill.ExplainedHandOver
}

// handOvers are the entries in works of a cluster, with the works that hold the objects.
func (w *Snapshot) handOvers(cluster string, deliveries []*delivery) (out []handOver, err error) {
	all, err := w.fleet.Delivered(cluster)
	if err != nil {
		return nil, err
	}
	for _, one := range all {
		if !one.HandOver {
			continue
		}
		id, err := one.Content.ID()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", w.file(one.File), err)
		}
		h := handOver{id, waybill.ExplainedHandOver{Object: waybill.PreviewObject(id), Work: one.Work, File: w.file(one.File), To: []string{}}}
		for _, d := range deliveries {
			if d.id == id {
				h.To = append(h.To, cmp.Or(d.Work, w.file(d.File)))
			}
		}
		slices.Sort(h.To)
		h.To = slices.Compact(h.To)
		out = append(out, h)
	}
	return out, nil
}

// handedOver adds all hand-overs, or those that the question means.
func handedOver(x *waybill.FleetExplanation, q Question, all []handOver) {
	for _, h := range all {
		if q.Kind == "" || q.means(h.id, builtin) {
			x.HandOvers = append(x.HandOvers, h.ExplainedHandOver)
		}
	}
}

// leftBehind ends the sentence about an object that no work delivers and that some works have entries for; "" for others.
func leftBehind(x *waybill.FleetExplanation) string {
	if len(x.HandOvers) == 0 {
		return ""
	}
	var works []string
	for _, h := range x.HandOvers {
		works = append(works, "work "+h.Work)
	}
	return ". It stays on the cluster, where " + strings.Join(works, " and ") + " left it behind"
}

func (p *page) handOvers(x *waybill.FleetExplanation) {
	for _, h := range x.HandOvers {
		if len(h.To) == 0 {
			p.line(0, "\nLeft behind on the cluster: %s, by work %s (%s)", krm.ID(h.Object).Title(), h.Work, h.File)
			continue
		}
		p.line(0, "\nHanded over: %s, from work %s (%s) to %s", krm.ID(h.Object).Title(), h.Work, h.File, strings.Join(h.To, ", "))
	}
}
