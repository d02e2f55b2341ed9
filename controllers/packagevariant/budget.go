package packagevariant

import "context"

// Budgets gives the change budgets of a namespace.
type Budgets func(ctx context.Context, namespace string) error

// spend holds tries against budgets.
func (p *pass) spend(context.Context, []*try) {}
