package publishedresource

import (
	"cmp"
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/apisync/relevance"
)

// confirmAbsences decides about the copies of primaries that do not exist. Where the view is partial they stay. Otherwise
// it asks the workspace for each primary, and does not rely on a workspace that has no object of the type at all.
func (p *pass) confirmAbsences(ctx context.Context, missing []string, existing sets.Set[string]) {
	refused := ""
	for _, key := range missing {
		c := p.cacheOf(key)
		if !p.prepared.config.Complete() || c == nil {
			continue
		}
		o, err := c.Server.Find(ctx, p.prepared.remote, keyOf(refOf(key)))
		switch {
		case err != nil: // other workspaces are reconciled all the same
			p.workspaceErrs[c.Server.Name] = fmt.Errorf("ask for %s: %w", key, err)
		case o != nil:
			c.Put(o, p.worker)
			existing.Insert(key)
		case c.Len() == 0 && !p.prepared.config.Spec.AllowEmpty && p.hasCopies(relevance.ByOwner, key):
			refused = cmp.Or(refused, fmt.Sprintf("there is no %s at all in the workspace %s, but there are copies; "+
				"they stay unless allowEmpty is set", p.prepared.remoteGK.Kind, c.Server.Name))
		default:
			p.gone.Insert(key)
		}
	}
	if p.batch.All {
		p.memory.update(func() { p.memory.refused, p.memory.detached = refused, len(missing) })
	}
}

// confirmAbsence asks for an origin that is absent, before its copy is deleted for that. An origin that exists after all
// is a conflict.
func (p *primary) confirmAbsence(ctx context.Context, origin string) error {
	ref := refOf(origin)
	c := p.prepared.cacheFor(ref)
	if c == nil || origin == p.key || c.Get(keyOf(ref)) != nil {
		return nil
	}
	o, err := c.Server.Find(ctx, c.Resource, keyOf(ref))
	if err != nil {
		return fmt.Errorf("ask for %s: %w", origin, err)
	}
	if o != nil {
		c.Put(o, p.pass.worker)
		return live.ErrConflict
	}
	return nil
}
