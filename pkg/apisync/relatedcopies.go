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
func (r *relatedObjects) belongsToOther(p *primary, one pair) bool {
	switch owner := r.ownerOf(r.x.byRef[one.copy], one.key); {
	case owner == p.key:
		return false
	case owner != "":
		other := r.x.byKey[owner]
		return other == nil || !other.removing && r.wants(owner, one)
	}
	first, taken := r.first[one.copy]
	if !taken {
		r.first[one.copy] = taskKey{p.key, one.key}
		return false
	}
	return first.owner != p.key && first.key == one.key
}

// ownerOf is the primary for which a copy of an origin was made; "" when there is none.
func (r *relatedObjects) ownerOf(o *krm.Object, origin string) string {
	if o == nil || !r.isCopyOf(o, origin) {
		return ""
	}
	return applyset.TagsOf(o).Owner
}

// isCopyOf reports whether an object is a copy that this entry made of an origin, for any primary.
func (r *relatedObjects) isCopyOf(o *krm.Object, origin string) bool {
	t := applyset.TagsOf(o)
	return t.Controller == r.x.rule.name && t.Edge == r.entry.Identifier && t.Input == origin && r.x.mayBeCopy(o)
}

// wants reports whether a primary requests a copy, or may request it, as that of a held primary is not known.
func (r *relatedObjects) wants(owner string, one pair) bool {
	return !r.isKnown(owner) || slices.ContainsFunc(r.found[owner].pairs, one.equals)
}

// project gives the copies of an origin.
func (r *relatedObjects) project(ctx context.Context, g *applyset.Group) applyset.Outcome {
	t := r.tasks[taskKey{g.Owner, g.Key}]
	if len(t.pairs) > 0 {
		return r.copyAll(ctx, g, t.pairs)
	}
	return t.outcome
}

func (r *relatedObjects) copyAll(ctx context.Context, g *applyset.Group, pairs []pair) applyset.Outcome {
	if r.FromSource && !r.x.mayHaveCopies(pairs[0].origin) {
		return applyset.KeepAll()
	}
	_, at := r.sides(r.x.byKey[g.Owner])
	var objects []*krm.Object
	for _, one := range pairs {
		if err := sameVersion(one.origin, r.Origin); err != nil {
			return applyset.Fail(err)
		}
		n, err := r.x.mutated(ctx, r.mutation, one.origin, func() (*krm.Object, error) {
			if o := r.x.byRef[one.copy]; o != nil {
				return o, nil
			}
			return one.to.retyped(withoutOwnFields(one.origin.Node())), nil
		})
		if err != nil {
			return applyset.Fail(err)
		}
		objects = append(objects, r.x.newObject(one.to, n, at))
	}
	return applyset.Outputs(objects...)
}

// tombstone decides about a copy whose origin or primary does not exist, where that means that it was deleted.
func (r *relatedObjects) tombstone(_ context.Context, g *applyset.Group) applyset.Outcome {
	switch {
	case r.cleanup == waybill.CleanupMatchOrigin:
		return applyset.Outputs()
	case r.x.byKey[g.Owner] != nil: // the primary exists and keeps it
		return applyset.KeepAll()
	case r.cleanup == waybill.CleanupOrphan:
		return applyset.Orphan()
	}
	return applyset.Outputs()
}
