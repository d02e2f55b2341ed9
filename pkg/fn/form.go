package fn

import (
	"cmp"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// KeepForm gives the fields of to that from has, too, the comments and the order of from. kyaml's CopyComments and
// SyncOrder do the same, but fail on a field that is a list in one and a map in the other; here such a field is skipped.
func KeepForm(from, to *yaml.Node) {
	to.HeadComment = cmp.Or(to.HeadComment, from.HeadComment)
	to.LineComment = cmp.Or(to.LineComment, from.LineComment)
	to.FootComment = cmp.Or(to.FootComment, from.FootComment)
	from, to = krm.Deref(from), krm.Deref(to)
	switch {
	case from.Kind != to.Kind:
	case to.Kind == yaml.MappingNode:
		keepFields(from, to)
	case to.Kind == yaml.SequenceNode:
		keepItems(from.Content, to.Content)
	}
}

// keepItems is KeepForm for the items of a list: objects are matched by name, others by place.
func keepItems(from, to []*yaml.Node) {
	objects := map[krm.ID]*yaml.Node{}
	for _, item := range from {
		if id, named := identity(item); named && objects[id] == nil {
			objects[id] = item
		}
	}
	for i, item := range to {
		id, named := identity(item)
		switch {
		case named && objects[id] != nil:
			KeepForm(objects[id], item)
		case named || i >= len(from) || from[i].Value != item.Value:
		default:
			if _, other := identity(from[i]); !other {
				KeepForm(from[i], item)
			}
		}
	}
}

// identity is the identity of an item that is an object.
func identity(item *yaml.Node) (krm.ID, bool) {
	item = krm.Deref(item)
	if !krm.IsMap(item) || krm.Lookup(item, "kind") == nil || krm.Lookup(item, "metadata", "name") == nil {
		return krm.ID{}, false
	}
	return krm.FromNode(item).ID(), true
}

// keepFields puts the fields that from has, too, first, in the order of from; new ones follow in their own order.
func keepFields(from, to *yaml.Node) {
	if beginsLike(from, to) { // as after most edits
		for i := 0; i+1 < len(from.Content); i += 2 {
			keepField(from.Content[i:], to.Content[i:])
		}
		return
	}
	place := make(map[string]int, len(to.Content)/2)
	for i := 0; i+1 < len(to.Content); i += 2 {
		place[to.Content[i].Value] = i
	}
	ordered := make([]*yaml.Node, 0, len(to.Content))
	for i := 0; i+1 < len(from.Content); i += 2 {
		if at, ok := place[from.Content[i].Value]; ok {
			keepField(from.Content[i:], to.Content[at:])
			ordered = append(ordered, to.Content[at], to.Content[at+1])
			delete(place, from.Content[i].Value)
		}
	}
	for key, value := range krm.Fields(to) {
		if _, isNew := place[key.Value]; isNew {
			ordered = append(ordered, key, value)
		}
	}
	to.Content = ordered
}

// beginsLike reports whether to has all fields that from has, in the same order, before any other.
func beginsLike(from, to *yaml.Node) bool {
	if len(to.Content) < len(from.Content) {
		return false
	}
	for i := 0; i+1 < len(from.Content); i += 2 {
		if from.Content[i].Value != to.Content[i].Value {
			return false
		}
	}
	return true
}

// keepField is KeepForm for the key and the value that from and to begin with.
func keepField(from, to []*yaml.Node) {
	KeepForm(from[0], to[0])
	KeepForm(from[1], to[1])
	placeLineComment(to[0], to[1])
}

// placeLineComment puts the comment behind a field where the writer expects it: at the key when the value begins on the
// next line, else at the value. An edit may have changed that.
func placeLineComment(key, value *yaml.Node) {
	below := value.Kind != yaml.ScalarNode && value.Style&yaml.FlowStyle == 0 && len(value.Content) > 0
	switch {
	case below && key.LineComment == "":
		key.LineComment, value.LineComment = value.LineComment, ""
	case !below && value.LineComment == "":
		key.LineComment, value.LineComment = "", key.LineComment
	}
}
