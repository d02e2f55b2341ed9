package fleet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/risk"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/diff"
)

// Preview groups the changes, the riskiest first. Files are named below root, a path with slashes that may be empty. The
// names of the sides are left empty.
func (c *Comparison) Preview(root string) *waybill.FleetPreview {
	p := &waybill.FleetPreview{
		TypeMeta: metav1.TypeMeta{APIVersion: waybill.APIVersion, Kind: waybill.KindFleetPreview},
		Before:   sideOf(c.Before), After: sideOf(c.After),
		Summary: c.summary(), Risks: []waybill.PreviewRisk{}, Groups: []waybill.PreviewGroup{},
	}
	g := newGrouping(c, root)
	for i := range c.Changes {
		g.add(&c.Changes[i])
	}
	p.Groups = append(p.Groups, g.groups()...)
	p.Risks = append(p.Risks, g.risks()...)
	return p
}

func sideOf(f *Fleet) waybill.PreviewSide {
	return waybill.PreviewSide{Clusters: len(f.objectCounts()), Objects: f.Objects()}
}

func (c *Comparison) summary() waybill.PreviewSummary {
	s := waybill.PreviewSummary{Joined: append([]string{}, c.Joined...), Left: append([]string{}, c.Left...), Leaving: c.leaving()}
	last := ""
	for i := range c.Changes {
		ch := &c.Changes[i]
		if i == 0 || ch.Cluster() != last {
			s.Clusters++
			last = ch.Cluster()
		}
		switch counts := ch.After != nil || ch.Before.HandOver; {
		case ch.Outcome == Recreated && counts: // of several works that drop it, count one
			s.Recreated++
		case ch.Outcome == HandedOver && counts:
			s.HandedOver++
		}
		switch kind := ch.Kind(); {
		case ch.latest().Itself:
			s.Works++
		case kind == diff.Added:
			s.Added++
		case ch.Outcome == LeftBehind:
			s.LeftBehind++
		case ch.Outcome == HandOverEnded || ch.After == nil && kind == diff.Moved:
			s.Released++
		case kind == diff.Removed || ch.Outcome == Deleted: // even if a read-only work holds it
			s.Removed++
		case kind == diff.Moved:
			s.Moved++
		default:
			s.Changed++
		}
	}
	return s
}

// Values of PreviewGroup.With.
const (
	withJoined = "joined"
	withLeft   = "left"
)

func (c *Comparison) with(cluster string) string {
	if _, ok := slices.BinarySearch(c.Joined, cluster); ok {
		return withJoined
	}
	if _, ok := slices.BinarySearch(c.Left, cluster); ok {
		return withLeft
	}
	return ""
}

// rulesOf are the indexes of the rules that apply to a change, sorted.
func (c *Comparison) rulesOf(ch *Change) []int {
	out := slices.Clone(ch.pair.risks)
	if ch.latest().Itself && len(out) > 0 && c.onlyFollowsObjects(ch) {
		out = slices.DeleteFunc(out, func(r int) bool { return r == risk.RuleIndex(risk.WorkSettings) })
	}
	if len(ch.strategies) > 0 {
		out = append(out, risk.RuleIndex(risk.UpdateStrategy))
	}
	switch c.with(ch.Cluster()) {
	case withLeft:
		out = append(out, risk.RuleIndex(risk.ClusterLeaves))
	case withJoined:
		out = append(out, risk.RuleIndex(risk.ClusterJoins))
	}
	if rule := ch.outcomeRule(); rule != "" {
		out = append(out, risk.RuleIndex(rule))
	}
	out = append(out, ch.deletion.rules()...)
	slices.Sort(out)
	return out
}

func (c *Change) movesWork() bool {
	return c.Before != nil && c.After != nil && c.Before.Work != c.After.Work
}

// workField stands for the work that carries an object, handOverField for a work with a hand-over entry for the object.
const workField, handOverField = "(work)", "(hand-over)"

// Fields are the fields that differ, sorted, the work first. Added and removed objects have none.
func (c *Change) Fields() (out []waybill.PreviewField) {
	if c.onlyChangesStrategy() {
		return c.strategies
	}
	switch {
	case c.movesWork():
		out = append(out, waybill.PreviewField{Field: workField, Change: string(diff.Changed), From: &c.Before.Work, To: &c.After.Work})
	case c.Kind() == diff.Moved && c.Before.HandOver:
		out = append(out, waybill.PreviewField{Field: handOverField, Change: string(diff.Removed), From: &c.Before.Work})
	case c.Kind() == diff.Moved && c.After == nil:
		out = append(out, waybill.PreviewField{Field: workField, Change: string(diff.Removed), From: &c.Before.Work})
	}
	for _, f := range c.pair.fields {
		out = append(out, waybill.PreviewField{Field: f.Field, Change: string(f.Kind), From: f.From, To: f.To})
	}
	return out
}

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
	data := map[Outcome]map[waybill.PreviewKind]int{Deleted: {}, LeftBehind: {}}
	for id, outcome := range lost {
		if outcome == LeftBehind {
			l.LeftBehind++
		} else {
			l.Deleted++
		}
		if class := risk.ClassOf(id); class != "object" && class != "job" && id.Kind != "StorageClass" {
			data[outcome][waybill.PreviewKind{Group: id.Group, Kind: id.Kind}]++
		}
	}
	l.Data, l.Kept = countedKinds(data[Deleted]), countedKinds(data[LeftBehind])
	return l
}

func countedKinds(counts map[waybill.PreviewKind]int) (out []waybill.PreviewKind) {
	for kind, n := range counts {
		kind.Objects = n
		out = append(out, kind)
	}
	slices.SortFunc(out, func(a, b waybill.PreviewKind) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Group, b.Group))
	})
	return out
}
