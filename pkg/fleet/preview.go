package fleet

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/risk"
	"github.com/waybill-dev/waybill/pkg/merge"
)

// Preview tells a comparison: grouped, the riskiest changes first. Files are named below root, a path with slashes that
// may be empty. It has no names for the sides.
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
	return waybill.PreviewSide{Clusters: len(f.loads()), Objects: f.Objects()}
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
		case ch.Outcome == Recreated && counts: // of several works that let go of it one tells
			s.Recreated++
		case ch.Outcome == HandedOver && counts:
			s.HandedOver++
		}
		switch kind := ch.Kind(); {
		case ch.there().Itself:
			s.Works++
		case kind == merge.Added:
			s.Added++
		case ch.Outcome == LeftBehind:
			s.LeftBehind++
		case ch.Outcome == HandOverEnded || ch.After == nil && kind == merge.Moved:
			s.Released++
		case kind == merge.Removed || ch.Outcome == Deleted: // also where a work holds it that does not own it
			s.Removed++
		case kind == merge.Moved:
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

// with is joined or left if that is why something happens in a cluster.
func (c *Comparison) with(cluster string) string {
	if _, ok := slices.BinarySearch(c.Joined, cluster); ok {
		return withJoined
	}
	if _, ok := slices.BinarySearch(c.Left, cluster); ok {
		return withLeft
	}
	return ""
}

// rulesOf are the rules that apply to a change, as places in the table, in order.
func (c *Comparison) rulesOf(ch *Change) []int {
	out := slices.Clone(ch.pair.risks)
	if ch.there().Itself && len(out) > 0 && c.follows(ch) {
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
	slices.Sort(out)
	return out
}

// movesWork reports whether the object comes in another work than before.
func (c *Change) movesWork() bool {
	return c.Before != nil && c.After != nil && c.Before.Work != c.After.Work
}

// workField stands for the work that an object comes in, and handOverField for one that has a hand-over entry for it.
const workField, handOverField = "(work)", "(hand-over)"

// Fields are the fields that differ, sorted; the work first, if that is another. There are none for what is added or
// removed.
func (c *Change) Fields() (out []waybill.PreviewField) {
	if c.restrategizes() {
		return c.strategies
	}
	switch {
	case c.movesWork():
		out = append(out, waybill.PreviewField{Field: workField, Change: string(merge.Changed), From: &c.Before.Work, To: &c.After.Work})
	case c.Kind() == merge.Moved && c.Before.HandOver:
		out = append(out, waybill.PreviewField{Field: handOverField, Change: string(merge.Removed), From: &c.Before.Work})
	case c.Kind() == merge.Moved && c.After == nil:
		out = append(out, waybill.PreviewField{Field: workField, Change: string(merge.Removed), From: &c.Before.Work})
	}
	for _, f := range c.pair.fields {
		out = append(out, waybill.PreviewField{Field: f.Field, Change: string(f.Kind), From: f.From, To: f.To})
	}
	return out
}
