package syncing

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Several primaries may want the same copy of the same origin: a Secret that they share. It belongs to one of them at a time,
// and when that goes, another takes it over.

// belongsToOther reports whether a copy is another primary's to see to.
func (k *relatedObjects) belongsToOther(p *primary, one pair) bool {
	_, at := k.sides(p)
	ref := correspond.Ref{Place: at.where(), ID: one.to.t.id(one.to.namespace, one.to.name)}
	switch owner := k.ownerOf(k.x.byRef[ref], one.key); {
	case owner == p.key:
		return false
	case owner != "":
		other := k.x.byKey[owner]
		return other == nil || !other.removing && k.wants(owner, one)
	}
	first, taken := k.first[ref]
	if !taken {
		k.first[ref] = taskKey{p.key, one.key}
		return false
	}
	return first.owner != p.key && first.key == one.key
}

// ownerOf is the primary that a copy of an origin was made for; "" where there is none.
func (k *relatedObjects) ownerOf(o *krm.Object, origin string) string {
	if o == nil || !k.isCopyOf(o, origin) {
		return ""
	}
	return correspond.TagsOf(o).Owner
}

// isCopyOf reports whether an object is a copy that this entry made of an origin, for whomever.
func (k *relatedObjects) isCopyOf(o *krm.Object, origin string) bool {
	t := correspond.TagsOf(o)
	return t.Controller == k.x.rule.name && t.Edge == k.entry.Identifier && t.Input == origin && k.x.mayBeCopy(o)
}

// wants reports whether a primary wants a copy, or may: of one that is held nobody knows.
func (k *relatedObjects) wants(owner string, one pair) bool {
	f, known := k.found[owner]
	return !known || f.pending || f.err != nil || slices.ContainsFunc(f.pairs,
		func(other pair) bool { return other.key == one.key && other.to == one.to })
}
