package mapping

import (
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/correspond"
)

// edge is the engine's rule.
func (p *reconciler) edge() correspond.Edge {
	c := p.c
	e := correspond.Edge{
		Verb: "map", Controller: c.name, GeneratedBy: Name,
		Inputs: p.selectInputs(), Owners: []correspond.Owner{},
		InputTypes: kindsOf(c.inputResources()), OutputTypes: kindsOf(c.outputResources()),
		Project: p.project, Tombstone: p.tombstone, Parallel: p.snapshot.Parallel,
		Merge: correspond.ThreeWay, UpdateOf: p.updateOf, AllowEmpty: c.spec.AllowEmpty, MaxDeletions: c.limit, DeleteFirst: true,
		Adopt: map[string]correspond.Adoption{waybill.AdoptPreserve: correspond.Preserve,
			waybill.AdoptConverge: correspond.Converge}[c.spec.Adopt],
	}
	if p.isComplete() {
		e.View = correspond.Complete
	}
	for _, par := range p.parents {
		e.Owners = append(e.Owners, correspond.Owner{Key: par.key, Object: par.item, Hold: par.hold, MayBeEmpty: par.mayBeEmpty,
			Unmatched: par.whyUnmatched})
	}
	for _, key := range p.garbageCollected() {
		e.Owners = append(e.Owners, correspond.Owner{Key: key, Hold: true})
	}
	return e
}

// isComplete reports whether an input that is not among the items is gone.
func (p *reconciler) isComplete() bool {
	view := p.c.spec.View
	return view == waybill.ViewComplete || view == "" && p.snapshot.Live
}

// garbageCollected are the parents that are not there and whose outputs are left to a garbage collector, sorted.
func (p *reconciler) garbageCollected() []string {
	if !p.snapshot.Live {
		return nil
	}
	keys := map[string]bool{}
	for _, o := range p.snapshot.Items {
		t := correspond.TagsOf(o)
		if t.Controller == p.c.name && t.Owner != "" && p.byKey[t.Owner] == nil && (!p.c.spec.AllowEmpty || p.isHeld(t.Owner)) {
			keys[t.Owner] = true
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

func (p *reconciler) isHeld(parent string) bool {
	return p.snapshot.Hold != nil && p.snapshot.Hold(parent)
}
