package applyset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// The results of a run are bounded: so many of one edge and severity, so many bytes each.
const (
	MaxResults      = 1000
	maxMessageBytes = 2048
)

// report adds a result about a key.
func (p *planner) report(g *group, sev sdk.Severity, why Reason, about *krm.Object, at *field.Path, format string, args ...any) {
	message := g.edge.title(g.Key) + OneLine(fmt.Sprintf(format, args...))
	if g.Owner != g.Key {
		message += " (owner " + g.Owner + ")"
	}
	p.results = append(p.results, Result{
		Severity: sev, Reason: why, Controller: g.Controller, Edge: g.Edge, Owner: g.Owner, Key: g.Key,
		Object: about, Field: at, Message: message,
	})
}

// reportEdge adds a result about an edge, and perhaps about one of its owners or an object.
func (p *planner) reportEdge(e *edgeState, sev sdk.Severity, why Reason, owner string, about *krm.Object, format string, args ...any) {
	p.results = append(p.results, Result{
		Severity: sev, Reason: why, Controller: e.Controller, Edge: e.Name, Owner: owner, Object: about,
		Message: e.title("") + OneLine(fmt.Sprintf(format, args...)),
	})
}

// title begins a message: "translate(<key>): ", with the edge's name unless it is the default.
func (e *edgeState) title(key string) string {
	subject := key
	if e.Name != defaultEdge {
		subject = strings.TrimSpace(e.Name + " " + key)
	}
	if subject == "" {
		return e.Verb + ": "
	}
	return e.Verb + "(" + subject + "): "
}

// OneLine is a message in one line of bounded length.
func OneLine(s string) string {
	if strings.ContainsAny(s, "\r\n") {
		s = strings.Join(strings.FieldsFunc(s, func(c rune) bool { return c == '\n' || c == '\r' }), "; ")
	}
	return safetext.Cut(s, maxMessageBytes, "...")
}

// sortedResults are the results by key, severity and message, up to MaxResults for each edge and severity.
func (p *planner) sortedResults() []Result {
	slices.SortStableFunc(p.results, func(a, b Result) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(fn.SeverityRank(a.Severity), fn.SeverityRank(b.Severity)),
			cmp.Compare(a.Message, b.Message), cmp.Compare(a.Controller, b.Controller), cmp.Compare(a.Edge, b.Edge), cmp.Compare(a.Owner, b.Owner),
			compareObjects(a.Object, b.Object))
	})
	type class struct {
		controller, edge string
		severity         int
	}
	seen, kept := map[class]int{}, p.results[:0]
	for _, res := range p.results {
		c := class{res.Controller, res.Edge, fn.SeverityRank(res.Severity)}
		if seen[c]++; seen[c] <= MaxResults {
			kept = append(kept, res)
		}
	}
	for _, e := range p.edges {
		for _, sev := range []sdk.Severity{sdk.Error, sdk.Warning, sdk.Info} {
			c := class{e.Controller, e.Name, fn.SeverityRank(sev)}
			if more := seen[c] - MaxResults; more > 0 {
				kept = append(kept, Result{
					Severity: sev, Reason: ReasonUnlisted, Controller: e.Controller, Edge: e.Name,
					Message: fmt.Sprintf("%sand %d more results of severity %s", e.title(""), more, sev),
				})
				delete(seen, c)
			}
		}
	}
	return kept
}

func compareObjects(a, b *krm.Object) int {
	if a == nil || b == nil {
		return 0
	}
	return cmp.Compare(a.ID().String(), b.ID().String())
}

// Report converts the results to those of a function.
func (p *Plan) Report() sdk.Results {
	var out sdk.Results
	for _, r := range p.Results {
		out = append(out, fn.NewResult(r.Severity, r.Object, r.Field, "%s", r.Message))
	}
	return out
}

// Failed reports whether any result is an error.
func (p *Plan) Failed() bool {
	return slices.ContainsFunc(p.Results, func(r Result) bool { return r.Severity == sdk.Error })
}

// missingOwner identifies outputs that Run removes because their owner does not exist, or is not selected.
type missingOwner struct {
	edge  *edgeState
	owner string
	why   Reason
}

// reportMissingOwners reports the removals once for each owner, about the first removed output: such an owner has no
// summary.
func (p *planner) reportMissingOwners() {
	first, counts := map[missingOwner]*item{}, map[missingOwner]int{}
	for _, g := range p.groups {
		if g.Detached != OwnerMissing && g.Detached != OwnerNotSelected {
			continue
		}
		of := missingOwner{g.edge, g.Owner, g.Detached}
		for i := range g.changes {
			c := &g.changes[i]
			if !c.action.removes() {
				continue
			}
			if counts[of]++; first[of] == nil || compareItems(c.old, first[of]) < 0 {
				first[of] = c.old
			}
		}
	}
	for of, it := range first { // sortedResults orders them
		what := "does not exist"
		if of.why == OwnerNotSelected {
			what = "is not selected"
		}
		p.reportEdge(of.edge, sdk.Info, of.why, "", it.object, "owner %s %s any more; its outputs are removed: %s", of.owner, what,
			selection.Count(counts[of], "output"))
	}
}

// reportDamagedTags reports items whose tags are damaged, unless this run repairs them.
func (p *planner) reportDamagedTags() {
	repaired := map[*item]bool{}
	for _, g := range p.groups {
		for _, c := range g.changes {
			repaired[c.old] = c.object != nil && c.action != ActionKeep
			if c.reason == ReasonBadTags {
				p.reportTagConflict(g, c.old)
			}
		}
		for _, it := range g.observed {
			if g.frozen && g.reason != ReasonHeld && it.tags.MapKey != g.MapKey {
				p.reportTagConflict(g, it)
			}
		}
	}
	for _, it := range p.items {
		if it.damaged && !repaired[it] {
			p.reportDamagedItem(it)
		}
	}
}

func (p *planner) reportTagConflict(g *group, it *item) {
	p.report(g, sdk.Error, ReasonBadTags, it.object, nil, "%s: its label %s contradicts its annotations; it stays", it.ref, MapKeyLabel)
}

// reportDamagedItem reports an item whose tags name its controller but no key.
func (p *planner) reportDamagedItem(it *item) {
	i := slices.IndexFunc(p.edges, func(e *edgeState) bool { return e.Controller == it.tags.Controller })
	if i >= 0 {
		p.reportEdge(p.edges[i], sdk.Error, ReasonBadTags, "", it.object, "%s has lost some of its tags; restore them, or remove all", it.ref)
	}
}

func (p *planner) reportChange(g *group, c *change) {
	if c.lost && c.action != ActionAdopt {
		p.report(g, sdk.Warning, ReasonStateLost, c.old.object, nil,
			"what was last applied to %s is not known; its other fields stay", c.ref)
	}
	switch c.action {
	case ActionAdopt:
		p.report(g, sdk.Info, ReasonAdopted, c.old.object, nil, "%s existed before and is adopted", c.ref)
	case ActionOrphan:
		why := ""
		switch {
		case c.adopted:
			why = ": it existed before it was adopted"
		case !g.outcome.orphans:
			why = ", as its annotation " + KeepAnnotation + " requests"
		}
		p.report(g, sdk.Info, c.reason, c.old.object, nil, "%s is released%s", c.ref, why)
	}
}
