package edit

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// share returns after with the parts of before in place of those that are the same, so that what a
// chain of functions makes of an object takes no more memory than what they changed of it. Nobody
// changes nodes of an object in place, so nobody sees it.
func share(before, after *yaml.Node) *yaml.Node {
	if before.Kind != after.Kind || before.Anchor != "" || before.Kind == yaml.AliasNode {
		return after
	}
	same := len(before.Content) == len(after.Content)
	each := shareItems
	if after.Kind == yaml.MappingNode {
		each = shareFields
	}
	if !each(before, after) || !same || !sameButContent(before, after) {
		return after
	}
	return before
}

// shareItems reports whether all children are shared now.
func shareItems(before, after *yaml.Node) bool {
	all := true
	for i := range min(len(before.Content), len(after.Content)) {
		after.Content[i] = share(before.Content[i], after.Content[i])
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
		if from+1 >= len(before.Content) {
			return false
		}
		for j := range 2 {
			after.Content[i+j] = share(before.Content[from+j], after.Content[i+j])
			all = all && after.Content[i+j] == before.Content[from+j]
		}
		at = from + 2
	}
	return all
}

func sameButContent(a, b *yaml.Node) bool {
	return a.Value == b.Value && a.Tag == b.Tag && a.Style == b.Style && a.Anchor == b.Anchor &&
		a.HeadComment == b.HeadComment && a.LineComment == b.LineComment && a.FootComment == b.FootComment
}
