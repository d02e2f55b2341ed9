package budget

import (
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/api/waybill/validation"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// exceeds says in one line by how much changes together are above the limits of b; "" when
// they are not. Any change exceeds a budget that is not valid, or divided between shards. unmatched says that its selector selects
// nothing.
func exceeds(b *waybill.ChangeBudget, changes []*change, unmatched, divided string) string {
	if len(changes) == 0 {
		return ""
	}
	about := fmt.Sprintf("change budget %q: ", b.Name)
	if errs := validation.ChangeBudget(b); len(errs) > 0 {
		return about + errs.ToAggregate().Error()
	}
	if divided != "" {
		return about + divided
	}
	all := make([]Change, len(changes))
	for i, c := range changes {
		all[i] = c.Change
	}
	sum := Sum(all...)
	var above []string
	for _, limit := range []struct {
		n          int
		most       *int32
		noun, verb string
	}{
		{len(sum.Clusters), b.Spec.MaxClusters, "cluster", "change"},
		{sum.Objects, b.Spec.MaxObjects, "object", "change"},
		{sum.Deletions, b.Spec.MaxDeletions, "object", "be deleted"},
	} {
		if limit.most != nil && limit.n > int(*limit.most) {
			above = append(above, fmt.Sprintf("%s would %s, at most %d may", selection.Count(limit.n, limit.noun), limit.verb, *limit.most))
		}
	}
	if len(above) == 0 {
		return ""
	}
	if unmatched != "" {
		above = append(above, unmatched)
	}
	return about + strings.Join(above, "; ")
}
