package syncing

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// withinLimit leaves primaries out whose copies would go though nobody asked for that, where these are more than
// maxDeletions allows: those that are gone, that the filter lets go, and what is related no more. What consumers
// delete themselves is not counted.
func (p *pass) withinLimit(ctx context.Context, due []string) ([]string, error) {
	if p.ready.config.Spec.MaxDeletions == nil {
		return due, nil
	}
	deletions, losers := 0, map[string]bool{}
	for _, key := range due {
		l, err := p.newLook(ctx, key)
		if err != nil {
			return nil, err
		}
		if o := l.source(); o != nil && isDeleting(o) {
			continue
		}
		r, err := l.round(ctx, l.rule())
		if err != nil {
			return nil, err
		}
		for _, op := range r.Operations {
			if op.Action == correspond.ActionDelete && !p.isAsked(op) {
				deletions++
				losers[key] = true
			}
		}
	}
	total := 0
	for _, sh := range p.copyShelves() {
		for _, o := range sh.objects() {
			if p.isOurs(sh, o) {
				total++
			}
		}
	}
	if p.ready.limit.Allows(deletions, total) {
		return due, nil
	}
	p.memory.mu.Lock()
	p.memory.refused = fmt.Sprintf("%d of %d copies would go, more than maxDeletions, %s, allows; they stay", deletions, total, p.ready.limit)
	p.memory.mu.Unlock()
	return slices.DeleteFunc(due, func(key string) bool { return losers[key] }), nil
}

// isAsked reports whether the origin of a copy that goes is being deleted by whoever wrote it.
func (p *pass) isAsked(op correspond.Operation) bool {
	cluster, id, err := correspond.ParseKey(op.Key)
	k, is := p.ready.resources[roleKey{cluster != "", schema.GroupKind{Group: id.Group, Kind: id.Kind}}]
	if err != nil || !is {
		return false
	}
	sh := p.ready.shelf(cluster, k)
	o := (*krm.Object)(nil)
	if sh != nil {
		o = sh.get(at{id.Namespace, id.Name})
	}
	return o != nil && isDeleting(o)
}
