package mapping

import (
	"context"
	"errors"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/mapping"
)

// settle writes what parents are to say after a pass: how they stand, and that they may go.
func (p *pass) settle(ctx context.Context) {
	p.memory.related = p.wanted()
	if p.all {
		selected := p.byKey() // others are not its any more
		p.authors.release(p.name, func(at paper) bool {
			return at.kind == p.ready.parent && selected[at.parent] != nil && p.writesStatus()
		})
	}
	of := byOwner(p.attempts)
	for i := range p.result.Parents {
		parent := &p.result.Parents[i]
		if ctx.Err() != nil {
			return
		}
		if parent.Held {
			continue
		}
		err := p.settleOne(ctx, parent, of[parent.Key])
		switch {
		case errors.Is(err, errFaster):
			p.soon = true
		case err != nil && p.memory.failing[parent.Key] == "":
			p.memory.failing[parent.Key] = oneLine(fmt.Sprintf("map(%s): %v", parent.Key, err))
		}
	}
}

func (p *pass) settleOne(ctx context.Context, parent *mapping.Parent, attempts []correspond.Attempt) error {
	if parent.Finalizing {
		if !parent.Finalized || !allGone(attempts) {
			return nil
		}
		if err := p.finalizer(ctx, p.shelves[p.ready.parent], parent.Object, p.ready.Finalizer(), false); err != nil {
			return fmt.Errorf("take the finalizer away: %w", p.discreet(err))
		}
		return nil
	}
	if isDeleting(parent.Object) || !p.writesStatus() {
		return nil
	}
	if !p.authors.claim(p.ready.parent, parent.Key, p.name, p.agenda.everything) {
		return nil // another MapController of this type writes there, and it would never end
	}
	if err := p.writeStatus(ctx, parent); err != nil {
		return fmt.Errorf("write its status: %w", err)
	}
	return nil
}

// writesStatus reports whether parents are told how they stand.
func (p *pass) writesStatus() bool {
	return p.ready.Spec().StatusMode != waybill.StatusReport && p.ready.hasStatus
}

// allGone reports whether all that was to be done for a parent is done. What was deleted to be made anew is
// not.
func allGone(attempts []correspond.Attempt) bool {
	for _, a := range attempts {
		if a.Err != nil || a.Skipped || a.Operation.Action == correspond.ActionRecreate {
			return false
		}
	}
	return true
}

// wanted are the types that customize hooks asked for in this pass, and in earlier ones unless this one heard
// the hooks of all parents.
func (p *pass) wanted() map[kind]bool {
	if !p.all || len(p.memory.failing) > 0 {
		for k := range p.memory.related {
			p.asks[k] = true
		}
	}
	return p.asks
}
