package bundling

import (
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/template/expansion"
)

// refusePatterns reports objects whose name is a pattern to agents, a "*" in it any text, and fits
// another object of the same work that is to be treated otherwise: which of the two an agent goes by
// depends on their order, and in part on the agent. Only names of RBAC objects can have one.
func (b *bundler) refusePatterns(works []*body) {
	for _, w := range works {
		for _, item := range w.batch {
			if item.config == nil || !item.config.Resource.IsPattern() {
				continue
			}
			if other, found := b.otherMatch(item.config, w.batch); found {
				b.fail(item.source, fmt.Errorf("agents take the * in a name for any text: what a work says of %s would hold for %s too, "+
					"for which it should not; rename one, or set maxObjects: 1, so that each has a work of its own",
					expansion.Ref(item.named), expansion.Ref(other.named)))
			}
		}
	}
}

// refuseEntryPatterns is refusePatterns for a work with hand-over entries: for each of them with the others and
// with the objects of the work.
func (b *bundler) refuseEntryPatterns(w *body) {
	refuse := func(source *krm.Object, pattern, other krm.ID) {
		b.fail(source, fmt.Errorf("agents take the * in a name for any text: what a work that hands objects over says of %s would hold for %s "+
			"too, for which it should not; keep both in one work, move both, or rename one",
			nameOf(pattern), nameOf(other)))
	}
	for _, e := range w.entries {
		if !e.config.Resource.IsPattern() {
			continue
		}
		if other, found := b.otherMatch(e.config, w.batch); found {
			refuse(other.source, e.id, other.named.ID())
		}
		if i := otherEntryMatch(e.config, w.entries); i >= 0 {
			refuse(nil, e.id, w.entries[i].id)
		}
	}
	for _, item := range w.batch {
		if item.config == nil || !item.config.Resource.IsPattern() {
			continue
		}
		if i := otherEntryMatch(item.config, w.entries); i >= 0 {
			refuse(item.source, item.named.ID(), w.entries[i].id)
		}
	}
}

// otherMatch is the first object of a work that c is not about and would be applied to, if it has other
// rules or none.
func (b *bundler) otherMatch(c *manifestconfig.Config, batch []shippedObject) (shippedObject, bool) {
	i := slices.IndexFunc(batch, func(other shippedObject) bool {
		return other.settings != c.Settings && c.Resource.Fits(manifestconfig.ResourceOf(other.named.ID(), b.pluralOf(other, batch)))
	})
	if i < 0 {
		return shippedObject{}, false
	}
	return batch[i], true
}

// otherEntryMatch is the place of the first entry that c is not about and would be applied to; -1 for none.
func otherEntryMatch(c *manifestconfig.Config, entries []handOverEntry) int {
	return slices.IndexFunc(entries, func(e handOverEntry) bool {
		return e.config.Settings != c.Settings && c.Resource.Fits(e.config.Resource)
	})
}
