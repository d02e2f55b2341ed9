package bundling

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/template/expansion"
)

// refusePatterns reports objects whose name holds a "*", which agents take as a pattern, and which matches another object of the same
// work that has other settings. Which of the two configs an agent uses depends on their order, and in part on the agent. Only RBAC
// objects can have such a name.
func (b *bundler) refusePatterns(works []*body) {
	for _, w := range works {
		if w.checked {
			continue
		}
		w.checked = true
		for _, item := range w.batch {
			if other := b.otherMatch(item.config, w.batch); other != nil {
				b.fail(item.source, fmt.Errorf("agents treat the * in a name as any text: the settings of a work for %s would apply to %s too, "+
					"for which they are wrong; rename one, or set maxObjects: 1, so that each has a work of its own",
					expansion.Ref(item.named), expansion.Ref(other.named)))
			}
		}
	}
}

// refuseEntryPatterns is refusePatterns for a work with hand-over entries: it compares each of them with the others and
// with the objects of the work.
func (b *bundler) refuseEntryPatterns(w *body) {
	refuse := func(source *krm.Object, pattern, other krm.ID) {
		b.fail(source, fmt.Errorf(
			"agents treat the * in a name as any text: the settings of a work that hands objects over for %s would apply to %s "+
				"too, for which they are wrong; keep both in one work, move both, or rename one",
			nameOf(pattern), nameOf(other)))
	}
	for _, e := range w.entries {
		if other := b.otherMatch(e.config, w.batch); other != nil {
			refuse(other.source, e.id, other.named.ID())
		}
		if other := otherEntryMatch(e.config, w.entries); other != nil {
			refuse(nil, e.id, other.id)
		}
	}
	for _, item := range w.batch {
		if other := otherEntryMatch(item.config, w.entries); other != nil {
			refuse(item.source, item.named.ID(), other.id)
		}
	}
}

// otherMatch is the first object of a work with other settings than c, if the name in c is a pattern that matches it; nil for none.
func (b *bundler) otherMatch(c *manifestconfig.Config, batch []shippedObject) *shippedObject {
	if c == nil || !c.Resource.IsPattern() {
		return nil
	}
	for i, other := range batch {
		if other.settings != c.Settings && c.Resource.Fits(manifestconfig.ResourceOf(other.named.ID(), b.pluralOf(other, batch))) {
			return &batch[i]
		}
	}
	return nil
}

// otherEntryMatch is otherMatch among hand-over entries.
func otherEntryMatch(c *manifestconfig.Config, entries []handOverEntry) *handOverEntry {
	if c == nil || !c.Resource.IsPattern() {
		return nil
	}
	for i, e := range entries {
		if e.config.Settings != c.Settings && c.Resource.Fits(e.config.Resource) {
			return &entries[i]
		}
	}
	return nil
}
