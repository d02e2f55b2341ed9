package mapcontroller

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// snapshot holds the objects that a pass reads.
type snapshot struct {
	items      []*krm.Object
	keys       map[string]bool        // of all items
	parents    map[string]*krm.Object // all objects of the type of parents, by key
	related    map[live.Resource]bool // types that customize hooks select from
	incomplete bool                   // some of these are not watched yet
}

// observe takes a snapshot of the caches. It checks their errors afterwards: when a type is not served any more, its cache
// has an error before it loses the first object.
func (p *pass) observe(context.Context) error {
	s := snapshot{keys: map[string]bool{}, parents: map[string]*krm.Object{}, related: map[live.Resource]bool{}}
	for k, c := range p.caches {
		for _, o := range c.List() {
			s.items = append(s.items, o)
			key := applyset.Key(o)
			s.keys[key] = true
			if k == p.prepared.parent {
				s.parents[key] = o
			}
		}
	}
	p.snapshot = s
	for _, k := range sortedResources(p.prepared.roles) {
		if err := p.caches[k].Err(); err != nil {
			return &live.CacheError{Err: fmt.Errorf("%s of %s: %w", k.Resource, k.GroupVersion(), err)}
		}
	}
	p.metrics.objects.WithLabelValues(p.worker.name).Set(float64(len(s.items)))
	return nil
}

// confirmAbsences reads the inputs of outputs that the caches do not have from the API server, for the parents that the batch
// covers, before their absence causes any deletion. The snapshot gets those that exist.
func (p *pass) confirmAbsences(ctx context.Context) error {
	inputs, owners := p.absentOrigins()
	if p.batch.All {
		maps.DeleteFunc(p.memory.gone, func(key string, _ bool) bool { return !inputs[key] && !owners[key] })
		maps.DeleteFunc(p.memory.absent, func(key string, _ time.Time) bool { return !inputs[key] })
	}
	found, err := p.find(ctx, inputs, role.isInput)
	if err != nil {
		return err
	}
	for _, o := range found {
		p.snapshot.items = append(p.snapshot.items, o)
		p.snapshot.keys[applyset.Key(o)] = true
	}
	p.noteAbsences(inputs)
	_, err = p.find(ctx, owners, role.isParent)
	return err
}

// absentOrigins are the absent inputs of outputs, and the absent owners where outputs are deleted with them.
func (p *pass) absentOrigins() (inputs, owners map[string]bool) {
	inputs, owners = map[string]bool{}, map[string]bool{}
	for _, o := range p.snapshot.items {
		t := applyset.TagsOf(o)
		if t.Controller != p.worker.name || !coversParent(p.batch, t.Owner) {
			continue
		}
		if !p.snapshot.keys[t.Input] {
			inputs[t.Input] = true
		}
		if p.prepared.Spec().AllowEmpty && p.snapshot.parents[t.Owner] == nil {
			owners[t.Owner] = true
		}
	}
	return inputs, owners
}
