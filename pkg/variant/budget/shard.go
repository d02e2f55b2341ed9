package budget

import (
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// OfShard returns the budgets that do not apply to variants of other shards alone; nil is the shard of all variants. The rest is for
// other processes to enforce and to report on. variants are the labels of all variants of the namespace.
func OfShard(budgets []waybill.ChangeBudget, variants []labels.Set, shard labels.Selector) []waybill.ChangeBudget {
	if isWhole(shard) {
		return budgets
	}
	return slices.DeleteFunc(slices.Clone(budgets), func(b waybill.ChangeBudget) bool {
		own, others := split(&b, variants, shard)
		return !own && others
	})
}

// divided says that b applies to variants of this shard and of others; "" where it does not.
func divided(b *waybill.ChangeBudget, variants []labels.Set, shard labels.Selector) string {
	if isWhole(shard) {
		return ""
	}
	if own, others := split(b, variants, shard); !own || !others {
		return ""
	}
	return "it applies to PackageVariants of several shards, and each controller counts only its own changes: have " +
		"spec.selector also select by the label of one shard, and make one budget for each shard"
}

// split reports whether b applies to variants of a shard, and to others.
func split(b *waybill.ChangeBudget, variants []labels.Set, shard labels.Selector) (own, others bool) {
	s, err := b.Selector()
	all := err != nil || Unmatched(b, variants) != ""
	for _, set := range variants {
		if all || s.Matches(set) {
			matches := shard.Matches(set)
			own, others = own || matches, others || !matches
		}
	}
	return own, others
}

func isWhole(shard labels.Selector) bool { return shard == nil || shard.Empty() }
