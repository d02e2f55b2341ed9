package budget

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/api/waybill/validation"
)

// exceeds says in one line by how much those changes together are above the limits of b; "" when
// they are not. A budget that cannot be understood is exceeded by any change. lost says that it selects nothing.
func exceeds(b *waybill.ChangeBudget, pending []Pending, at []int, lost string) string {
	if len(at) == 0 {
		return ""
	}
	about := fmt.Sprintf("change budget %q: ", b.Name)
	if errs := validation.ChangeBudget(b); len(errs) > 0 {
		return about + errs.ToAggregate().Error()
	}
	sum := total(pending, at)
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
			above = append(above, fmt.Sprintf("%d %s would %s, at most %d may", limit.n, plural(limit.n, limit.noun), limit.verb, *limit.most))
		}
	}
	if len(above) == 0 {
		return ""
	}
	if lost != "" {
		above = append(above, lost)
	}
	return about + strings.Join(above, "; ")
}

// total is the sum of those changes. A cluster that several of them change is one cluster.
func total(pending []Pending, at []int) (sum Change) {
	clusters := map[string]bool{}
	for _, i := range at {
		c := &pending[i].Change
		for _, name := range c.Clusters {
			clusters[name] = true
		}
		sum.Objects += c.Objects
		sum.Deletions += c.Deletions
	}
	sum.Clusters = slices.Collect(maps.Keys(clusters))
	return sum
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}
