package mapcontroller

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	mapping "github.com/waybill-dev/waybill/pkg/mapcontroller"
)

// recordFaults notes the errors of each parent of the batch, and of the MapController as a whole.
func (p *pass) recordFaults() {
	for i := range p.result.Parents {
		parent := &p.result.Parents[i]
		if parent.Held && len(parent.Errors) == 0 && !coversParent(p.batch, parent.Key) {
			continue // nothing changed
		}
		if text := p.faultOf(parent); text != "" {
			p.memory.failing[parent.Key] = text
		} else {
			delete(p.memory.failing, parent.Key)
		}
	}
	maps.DeleteFunc(p.memory.failing, func(key, _ string) bool {
		return p.snapshot.parents[key] == nil || !p.selected[key] && coversParent(p.batch, key)
	})
	for key, text := range p.unwritableWhy {
		if p.snapshot.parents[key] != nil && p.memory.failing[key] == "" {
			p.memory.failing[key] = live.OneLine(text)
		}
	}
	p.recordRefusals()
}

// recordRefusals notes errors that belong to no parent. A refusal stays until a pass over all parents no longer has it.
func (p *pass) recordRefusals() {
	if p.batch.All {
		p.memory.refused = ""
	}
	refuse := func(why string) { p.memory.refused = cmp.Or(p.memory.refused, live.OneLine(why)) }
	for _, r := range p.result.Plan.Results {
		if r.Severity == sdk.Error && r.Owner == "" {
			refuse(r.Message)
		}
	}
	for _, why := range p.result.Refused {
		refuse(why)
	}
	refuse(p.typeDeletion)
	for _, a := range p.attempts {
		conflict := errors.Is(a.Err, live.ErrConflict)
		p.conflicted = p.conflicted || conflict
		switch {
		case a.Err == nil && !a.Skipped:
			p.memory.applied(a.Operation)
		case !p.selected[a.Operation.Owner] && a.Err != nil && !conflict:
			refuse(a.Err.Error()) // its parent is gone
		}
	}
}

// faultOf is the first error of a parent; "" when it has none. A conflict with another client is no error.
func (p *pass) faultOf(parent *mapping.Parent) string {
	all := parent.Errors
	for _, a := range p.attemptsOf[parent.Key] {
		if a.Err != nil && !errors.Is(a.Err, live.ErrConflict) {
			all = append(all, fmt.Sprintf("map(%s): %v", a.Operation.Key, a.Err))
		}
	}
	switch len(all) {
	case 0:
		return ""
	case 1:
		return live.OneLine(all[0])
	}
	return live.OneLine(fmt.Sprintf("%s (and %d more)", all[0], len(all)-1))
}

// fault is the fault after a pass; nil when there is none.
func (w *worker) fault() *live.Fault {
	switch n := len(w.memory.failing); {
	case n > 0:
		first := slices.Min(slices.Collect(maps.Keys(w.memory.failing)))
		return &live.Fault{Reason: waybill.ReasonFailing,
			Message: live.Truncate(fmt.Sprintf("%d of the parents have errors, see their events; the first is %s: %s", n, first,
				w.memory.failing[first]))}
	case w.memory.refused != "":
		return &live.Fault{Reason: waybill.ReasonRefused, Message: w.memory.refused}
	}
	if n, until := w.prepared.backoff.Waiting(); n > 0 {
		return &live.Fault{Reason: waybill.ReasonProgressing, Message: fmt.Sprintf(
			"%d of the parents wait for webhooks that asked for time (status 429), until %s at most", n, until.UTC().Format(time.RFC3339))}
	}
	return nil
}
