package fleet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/risk"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// leaving lists what clusters lose that receive nothing any more, the greatest loss first. Clusters with the same loss
// share an entry.
func (c *Comparison) leaving() []waybill.PreviewLeaving {
	lost := map[string]map[krm.ID]Outcome{}
	for i := range c.Changes {
		ch := &c.Changes[i]
		if ch.latest().Itself || c.with(ch.Cluster()) != withLeft || ch.Outcome != Deleted && ch.Outcome != LeftBehind {
			continue
		}
		if lost[ch.Cluster()] == nil {
			lost[ch.Cluster()] = map[krm.ID]Outcome{}
		}
		lost[ch.Cluster()][ch.ID] = ch.Outcome
	}
	out, places := []waybill.PreviewLeaving{}, map[string]int{}
	for _, name := range c.Left {
		l := leavingOf(lost[name])
		key := fmt.Sprint(l)
		if _, known := places[key]; !known {
			places[key] = len(out)
			out = append(out, l)
		}
		at := &out[places[key]]
		at.Clusters = append(at.Clusters, name)
	}
	slices.SortStableFunc(out, func(a, b waybill.PreviewLeaving) int {
		return cmp.Or(cmp.Compare(len(b.Data), len(a.Data)), cmp.Compare(b.Deleted, a.Deleted))
	})
	return out
}

func leavingOf(lost map[krm.ID]Outcome) (l waybill.PreviewLeaving) {
	data := map[waybill.PreviewKind]int{}
	for id, outcome := range lost {
		if outcome == LeftBehind {
			l.LeftBehind++
			continue
		}
		l.Deleted++
		if class := risk.ClassOf(id); class != "object" && class != "job" && id.Kind != "StorageClass" {
			data[waybill.PreviewKind{Group: id.Group, Kind: id.Kind}]++
		}
	}
	for kind, n := range data {
		kind.Objects = n
		l.Data = append(l.Data, kind)
	}
	slices.SortFunc(l.Data, func(a, b waybill.PreviewKind) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Group, b.Group))
	})
	return l
}
