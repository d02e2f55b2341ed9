package apisync

import (
	"context"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// belongsToOther reports whether a copy belongs to another primary. Several primaries may request the same copy of the same
// origin, for example a shared Secret. It belongs to one of them at a time; when that one is removed, another takes it
// over.
func (k *relatedObjects) belongsToOther(p *primary, one pair) bool {
	switch owner := k.ownerOf(k.x.byRef[one.copy], one.key); {
	case owner == p.key:
		return false
	case owner != "":
		other := k.x.byKey[owner]
		return other == nil || !other.removing && k.wants(owner, one)
	}
	first, taken := k.first[one.copy]
	if !taken {
		k.first[one.copy] = taskKey{p.key, one.key}
		return false
	}
	return first.owner != p.key && first.key == one.key
}

// ownerOf is the primary for which a copy of an origin was made; "" when there is none.
func (k *relatedObjects) ownerOf(o *krm.Object, origin string) string {
	if o == nil || !k.isCopyOf(o, origin) {
		return ""
	}
	return applyset.TagsOf(o).Owner
}

// isCopyOf reports whether an object is a copy that this entry made of an origin, for any primary.
func (k *relatedObjects) isCopyOf(o *krm.Object, origin string) bool {
	t := applyset.TagsOf(o)
	return t.Controller == k.x.rule.name && t.Edge == k.entry.Identifier && t.Input == origin && k.x.mayBeCopy(o)
}

// wants reports whether a primary requests a copy, or may request it, as that of a held primary is not known.
func (k *relatedObjects) wants(owner string, one pair) bool {
	return !k.isKnown(owner) || slices.ContainsFunc(k.found[owner].pairs, one.equals)
}

// project gives the copies of an origin.
func (k *relatedObjects) project(ctx context.Context, g *applyset.Group) applyset.Outcome {
	t := k.tasks[taskKey{g.Owner, g.Key}]
	if len(t.pairs) > 0 {
		return k.copyAll(ctx, g, t.pairs)
	}
	return t.outcome
}

func (k *relatedObjects) copyAll(ctx context.Context, g *applyset.Group, pairs []pair) applyset.Outcome {
	if k.FromSource && !k.x.mayHaveCopies(pairs[0].origin) {
		return applyset.KeepAll()
	}
	_, at := k.sides(k.x.byKey[g.Owner])
	var objects []*krm.Object
	for _, one := range pairs {
		if err := sameVersion(one.origin, k.Origin); err != nil {
			return applyset.Fail(err)
		}
		n, err := k.x.mutated(ctx, k.mutation, one.origin, func() (*krm.Object, error) {
			if o := k.x.byRef[one.copy]; o != nil {
				return o, nil
			}
			return one.to.retyped(withoutOwnFields(one.origin.Node())), nil
		})
		if err != nil {
			return applyset.Fail(err)
		}
		objects = append(objects, k.x.newObject(one.to, n, at))
	}
	return applyset.Outputs(objects...)
}

// tombstone decides about a copy whose origin or primary does not exist, where that means that it was deleted.
func (k *relatedObjects) tombstone(_ context.Context, g *applyset.Group) applyset.Outcome {
	switch {
	case k.cleanup == waybill.CleanupMatchOrigin:
		return applyset.Outputs()
	case k.x.byKey[g.Owner] != nil: // the primary exists and keeps it
		return applyset.KeepAll()
	case k.cleanup == waybill.CleanupOrphan:
		return applyset.Orphan()
	}
	return applyset.Outputs()
}
