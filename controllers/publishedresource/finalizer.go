package publishedresource

import (
	"context"
	"sync"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// setFinalizer puts the finalizer on an object of a cache, or removes it.
func (p *pass) setFinalizer(ctx context.Context, c *live.Cache, o *krm.Object, on bool) error {
	end := c.BeginWrite(live.KeyOf(o))
	answer, err := live.SetFinalizer(ctx, c.Server.Client(c.Resource, o.Namespace()), o, p.prepared.rule.Finalizer(), on)
	end(answer, p.worker)
	action := actionFree
	if on {
		action = actionBind
	}
	p.metrics.operation(p.worker.name, action, err)
	return err
}

// release takes the finalizer from related objects at the source that no primary needs it on any more: they have no copy
// left, and either they are being deleted, or all primaries of their cluster are known not to refer to them. No primary
// is reconciled meanwhile.
func (p *pass) release(ctx context.Context) {
	if p.cacheErr("") != nil { // copies that the caches lack may exist
		return
	}
	wanted := map[string]bool{}
	undecided := map[string]bool{} // clusters
	p.memory.mu.Lock()
	for _, pairs := range p.memory.pairs {
		for _, one := range pairs {
			wanted[one.Origin.String()] = wanted[one.Origin.String()] || one.Holds
		}
	}
	for key := range p.memory.undecided {
		cluster, _, _ := applyset.ParseKey(key) // a primary's
		undecided[cluster] = true
	}
	p.memory.mu.Unlock()
	for _, s := range p.workspaces {
		if p.workspaceErrs[s.Name] != nil {
			continue
		}
		inDoubt := sync.OnceValue(func() bool { return undecided[s.Name] || !p.allReconciled(s) })
		for _, k := range p.prepared.originKinds() {
			c := p.prepared.cache(s.Name, k)
			for _, o := range c.ByIndex(byFinalizer, p.prepared.rule.Finalizer()) {
				key := applyset.KeyIn(s.Name, o.ID())
				if ctx.Err() != nil || p.isCopied(key) || !live.IsDeleting(o) && (wanted[key] || inDoubt()) {
					continue
				}
				if err := p.setFinalizer(ctx, c, o, false); err != nil {
					p.options.Log.Info("a finalizer cannot be taken away", "publishedresource", p.worker.name, "object", key, "reason",
						live.OneLine(p.redact(o, err)))
					p.queue.AddAfter("", p.options.FirstRetry)
				}
			}
		}
	}
}

// allReconciled reports whether all primaries of a workspace had a round.
func (p *pass) allReconciled(s *server) bool {
	objects := p.prepared.cache(s.Name, p.prepared.remote).List()
	p.memory.mu.Lock()
	defer p.memory.mu.Unlock()
	for _, o := range objects {
		if !p.memory.reconciled[applyset.KeyIn(s.Name, o.ID())] {
			return false
		}
	}
	return true
}

// isCopied reports whether there are copies of an object at the destination.
func (p *pass) isCopied(key string) bool {
	for _, rel := range p.prepared.related {
		if !rel.fromSource {
			continue
		}
		for _, o := range p.prepared.cache("", rel.copied).ByIndex(byInput, key) {
			if applyset.TagsOf(o).Controller == p.prepared.rule.Controller() {
				return true
			}
		}
	}
	return false
}

// redact is the text of an API server's error, unless it may hold values of a Secret.
func (p *pass) redact(o *krm.Object, err error) string {
	if o.Is("", "Secret") {
		return reasonOf(err)
	}
	return err.Error()
}
