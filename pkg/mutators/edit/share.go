package edit

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// share returns after with the parts of before in place of those that are the same, so that what a
// chain of functions makes of an object takes no more memory than what they changed of it. Nobody
// changes nodes of an object in place, so nobody sees it. The rest is copied: it may stand in memory
// that the next object gets. after is used up.
func share(before, after *yaml.Node) *yaml.Node {
	if before.Kind != after.Kind || before.Anchor != "" || before.Kind == yaml.AliasNode {
		return krm.CopyNode(after)
	}
	same := len(before.Content) == len(after.Content)
	each := shareItems
	if after.Kind == yaml.MappingNode {
		each = shareFields
	}
	if each(before, after) && same && sameButContent(before, after) {
		return before
	}
	fresh := *after
	fresh.Content = slices.Clone(after.Content)
	return &fresh
}

// shareItems reports whether all children are shared now.
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

// shareFields is shareItems for a map, whose fields are in the order of before, less what went; what
// is new comes last.
func shareFields(before, after *yaml.Node) bool {
	all, at := true, 0
	for i := 0; i+1 < len(after.Content); i += 2 {
		from := at
		for from+1 < len(before.Content) && before.Content[from].Value != after.Content[i].Value {
			from += 2
		}
		isNew := from+1 >= len(before.Content)
		for j := range 2 {
			if isNew {
				after.Content[i+j], all = krm.CopyNode(after.Content[i+j]), false
				continue
			}
			after.Content[i+j] = share(before.Content[from+j], after.Content[i+j])
			all = all && after.Content[i+j] == before.Content[from+j]
		}
		at = from + 2 // past the end once a field is new
	}
	return all
}

func sameButContent(a, b *yaml.Node) bool {
	return a.Value == b.Value && a.Tag == b.Tag && a.Style == b.Style && a.Anchor == b.Anchor &&
		a.HeadComment == b.HeadComment && a.LineComment == b.LineComment && a.FootComment == b.FootComment
}
