package publishedresource

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/applyset"
)

// withinLimit plans the first round of each primary, and leaves out those whose copies would be deleted though no consumer
// asked for that, where these are more than maxDeletions allows: primaries that are gone or that the filter excludes, and
// objects that are not related any more. What consumers delete themselves is not counted.
func (p *pass) withinLimit(ctx context.Context, due []string) ([]string, error) {
	deletions, total, losing := 0, 0, sets.Set[string]{}
	for _, key := range due {
		n, err := p.plan(ctx, key)
		if err != nil {
			return nil, err
		}
		if deletions += n; n > 0 {
			losing.Insert(key)
		}
	}
	for range p.copies() {
		total++
	}
	limit := p.prepared.rule.Limit()
	if limit.Allows(deletions, total) {
		return due, nil
	}
	p.memory.update(func() {
		p.memory.refused = fmt.Sprintf("%d of %d copies would be deleted, more than maxDeletions, %s, allows; they stay", deletions, total, limit)
	})
	return slices.DeleteFunc(due, losing.Has), nil
}

// plan plans the first round of a primary that is not being deleted, and counts the copies that it would delete.
func (p *pass) plan(ctx context.Context, key string) (deletions int, err error) {
	l, err := p.newPrimary(ctx, key)
	if err != nil {
		return 0, err
	}
	p.planned[key] = l
	if o := l.source(); o != nil && live.IsDeleting(o) {
		return 0, nil
	}
	if l.next, err = l.plan(ctx); err != nil {
		return 0, err
	}
	for _, op := range l.next.Operations {
		origin := p.prepared.get(refOf(op.Key))
		byConsumer := origin != nil && live.IsDeleting(origin)
		if op.Action == applyset.ActionDelete && !byConsumer {
			deletions++
		}
	}
	return deletions, nil
}
