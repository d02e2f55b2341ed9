package syncing

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// sweepLedgers deletes what tells of primaries of which nothing is left.
func (p *pass) sweepLedgers(ctx context.Context) error {
	list, err := p.ledgers().List(ctx, metav1.ListOptions{LabelSelector: stateLabel + "=true"})
	if err != nil {
		return fmt.Errorf("list what was last applied: %w", err)
	}
	for i := range list.Items {
		s, err := secretOf(&list.Items[i])
		if err != nil || s.Annotations[ledgerController] != p.ready.rule.Controller() {
			continue
		}
		left, err := p.isLeft(ctx, s.Annotations[ledgerOwner])
		if err == nil && !left {
			err = deleteLedger(ctx, p.worker, s)
		}
		if err != nil && ctx.Err() == nil {
			p.options.Log.Info("what was last applied cannot be tidied up", "publishedresource", p.name, "reason", oneLine(err.Error()))
		}
	}
	return nil
}

// isLeft reports whether something may be left of a primary, or of what was made of it.
func (p *pass) isLeft(ctx context.Context, key string) (bool, error) {
	sh, where := p.shelfOf(key)
	if sh == nil || sh.get(where) != nil || p.hasCopies(key) {
		return true, nil
	}
	o, err := sh.server.confirm(ctx, p.ready.remote, where)
	return o != nil, err
}
