package reconciler

import (
	"context"
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/variant"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// disown takes the variant's revisions away from it that stay: those that it orphans and, when it is deleted, all of them. The
// garbage collector of the cluster would delete them.
func (t *task) disown(ctx context.Context) error {
	for _, r := range t.state.Downstream {
		i := slices.IndexFunc(t.plan.Retire, func(old variant.Retirement) bool { return old.Revision.Name == r.Name })
		orphaned := i >= 0 && t.plan.Retire[i].Action == variant.Orphan
		stays := orphaned || i < 0 && !t.pv.DeletionTimestamp.IsZero()
		rev := t.state.revisions[r.Name]
		keeper, ok := rev.In.Store.(snapshot.OwnerKeeper)
		if !ok || !stays || r.Owner != variant.Owner(t.pv) {
			continue
		}
		if _, err := keeper.Disown(ctx, rev.Revision); err != nil {
			return fmt.Errorf("disown %s: %w", r.Name, err)
		}
	}
	return nil
}
