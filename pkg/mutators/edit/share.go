package edit

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// share returns after with the parts of before in place of those that are the same, so that the result of a chain of
// functions takes no more memory than their changes. Nodes of an object are never changed in place, so sharing is safe.
// The rest is copied: it may stand in memory that the next object gets. The caller must not use after any more.
func share(before, after *yaml.Node) *yaml.Node {
	if before.Kind != after.Kind || before.Anchor != "" || before.Kind == yaml.AliasNode {
		return krm.CopyNode(after)
	}
	same := len(before.Content) == len(after.Content)
	each := shareItems
	if after.Kind == yaml.MappingNode {
		each = shareFields
	}
	if each(before, after) && same && krm.SameButContent(before, after) {
		return before
	}
	fresh := *after
	fresh.Content = slices.Clone(after.Content)
	return &fresh
}

// shareItems shares the children, and reports whether all of them are.
func shareItems(before, after *yaml.Node) bool {
	all := true
	for i, item := range after.Content {
		if i >= len(before.Content) {
			after.Content[i], all = krm.CopyNode(item), false
			continue
		}
		after.Content[i] = share(before.Content[i], item)
		all = all && after.Content[i] == before.Content[i]
	}
	return all
}

// shareFields is shareItems for a map.
func shareFields(before, after *yaml.Node) bool {
	all := true
	for i, at := range fieldPairs(before, after) {
		for j := range 2 {
			if at < 0 {
				after.Content[i+j], all = krm.CopyNode(after.Content[i+j]), false
				continue
			}
			after.Content[i+j] = share(before.Content[at+j], after.Content[i+j])
			all = all && after.Content[i+j] == before.Content[at+j]
		}
	}
	return all
}
