package bundling

import (
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/customize"
)

// refusePatterns reports objects whose name is a pattern to agents, a "*" in it any text, and fits
// another object of the same work that is to be treated otherwise: which of the two an agent goes by
// depends on their order, and in part on the agent. Only names of RBAC objects can have one.
func (b *bundler) refusePatterns(works []*body) {
	for _, w := range works {
		for _, item := range w.batch {
			if item.config == nil || !item.config.about.isPattern() {
				continue
			}
			if other, found := b.caught(item.config, w.batch); found {
				b.fail(item.source, fmt.Errorf("agents take the * in a name for any text: what a work says of %s would hold for %s too, for which it should not; rename one, or set maxObjects: 1, so that each has a work of its own",
					customize.Ref(item.named), customize.Ref(other.named)))
			}
		}
	}
}

// caught is the first object of a work that c is not about and would be applied to, if it has other
// rules or none.
func (b *bundler) caught(c *config, batch []shipped) (shipped, bool) {
	i := slices.IndexFunc(batch, func(other shipped) bool {
		return other.orders != c.orders && c.about.fits(resourceOf(other.named, b.pluralOf(other, batch)))
	})
	if i < 0 {
		return shipped{}, false
	}
	return batch[i], true
}

func (r resource) isPattern() bool {
	return strings.Contains(r.name, "*") || strings.Contains(r.namespace, "*")
}

// fits reports whether an agent takes r for the identifier of other.
func (r resource) fits(other resource) bool {
	return r.group == other.group && r.resource == other.resource &&
		fitsPattern(r.namespace, other.namespace) && fitsPattern(r.name, other.name)
}

// fitsPattern reports whether text is pattern with some text for each "*".
func fitsPattern(pattern, text string) bool {
	head, rest, wild := strings.Cut(pattern, "*")
	if !wild {
		return pattern == text
	}
	text, begins := strings.CutPrefix(text, head)
	if !begins {
		return false
	}
	for {
		var part string
		if part, rest, wild = strings.Cut(rest, "*"); !wild {
			return strings.HasSuffix(text, part)
		}
		_, after, found := strings.Cut(text, part) // the first place leaves most for the rest
		if !found {
			return false
		}
		text = after
	}
}
