package budget

import (
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// OfShard returns the budgets that do not apply to variants of other shards alone. The rest is for other processes to enforce and to
// report on. own are the labels of the variants of the namespace that this process changes, others those of all others.
func OfShard(budgets []waybill.ChangeBudget, own, others []labels.Set) []waybill.ChangeBudget {
	return slices.DeleteFunc(slices.Clone(budgets), func(b waybill.ChangeBudget) bool {
		ofOwn, ofOthers := split(&b, own, others)
		return !ofOwn && ofOthers
	})
}

// Others are the variants that other processes change.
type Others struct {
	// Labels are their labels, by namespace.
	Labels map[string][]labels.Set
	// ByName says that names divide the variants between processes, so that no selector of a budget can.
	ByName bool
}

// divided says that b applies to variants of this shard and of others; "" where it does not.
func (o Others) divided(b *waybill.ChangeBudget, own []labels.Set) string {
	if ofOwn, ofOthers := split(b, own, o.Labels[b.Namespace]); !ofOwn || !ofOthers {
		return ""
	}
	const why = "it applies to PackageVariants of several shards, and each controller counts only its own changes: "
	if o.ByName {
		return why + "give the controllers --shard-by namespace, or divide by labels"
	}
	return why + "have spec.selector also select by the label of one shard, and make one budget for each shard"
}

// split reports whether b applies to some of the own variants, and of the others.
func split(b *waybill.ChangeBudget, own, others []labels.Set) (ofOwn, ofOthers bool) {
	s, err := b.Selector()
	all := err != nil || Unmatched(b, slices.Concat(own, others)) != ""
	applies := func(set labels.Set) bool { return all || s.Matches(set) }
	return slices.ContainsFunc(own, applies), slices.ContainsFunc(others, applies)
}
