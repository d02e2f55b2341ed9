package apisync

import (
	"context"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// relatedObjects holds the objects that one entry finds for all primaries, and the planned work on them.
type relatedObjects struct {
	*related
	x     *index
	found map[string]found         // by primary
	tasks map[taskKey]*task        // by primary and key of the origin
	first map[applyset.Ref]taskKey // which task creates a copy that does not exist yet
	edges []applyset.Edge          // one for each place
}

type taskKey struct{ owner, key string }

// task is the planned work on the copies of one origin, for one primary.
type task struct {
	pairs   []pair           // the desired copies
	outcome applyset.Outcome // where there are none
}

// findRelated finds the related objects of primaries that have converged; for others nothing changes.
func (x *index) findRelated(ctx context.Context, converged func(owner string) bool) ([]*relatedObjects, error) {
	var all []*relatedObjects
	for _, r := range x.rule.related {
		k := &relatedObjects{related: r, x: x, found: map[string]found{}, tasks: map[taskKey]*task{}, first: map[applyset.Ref]taskKey{}}
		for _, p := range x.primaries {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if !x.isHeld(p, converged) && !p.removing {
				k.found[p.key] = x.find(ctx, r, p)
			}
		}
		k.keepOnEmptySelection()
		k.makeEdges(converged)
		all = append(all, k)
	}
	return all, nil
}

// isKnown reports whether the related objects of a primary are known.
func (r *relatedObjects) isKnown(primary string) bool {
	f, known := r.found[primary]
	return known && f.err == nil && !f.pending
}

// isHeld reports whether the related objects of a primary must not change now.
func (x *index) isHeld(p *primary, converged func(owner string) bool) bool {
	switch {
	case p.removing:
		return false
	case p.copy == nil, isDeleting(p.copy), p.retained:
		return true
	}
	return !converged(p.key)
}

// inputs are the origins of a primary's related objects, and the origins of other copies about which a decision is
// possible.
func (r *relatedObjects) inputs(p *primary) (inputs []applyset.Input) {
	f := r.found[p.key]
	add := func(key string, origin *krm.Object, t *task) {
		if r.tasks[taskKey{p.key, key}] == nil {
			inputs = append(inputs, applyset.Input{Key: key, Owner: p.key, Object: origin, Marks: r.marks(p)})
		}
		r.tasks[taskKey{p.key, key}] = t
	}
	pairs := slices.DeleteFunc(slices.Clone(f.pairs), func(one pair) bool { return r.belongsToOther(p, one) })
	for i := 0; i < len(pairs); {
		n := i + 1
		for n < len(pairs) && pairs[n].key == pairs[i].key {
			n++
		}
		add(pairs[i].key, pairs[i].origin, &task{pairs: pairs[i:n]})
		i = n
	}
	for _, o := range r.x.related[p.key][r.entry.Identifier] {
		key := applyset.TagsOf(o).Input
		if t := r.tasks[taskKey{p.key, key}]; t != nil || !isKey(key) || !r.isDecided(p, key) {
			continue
		}
		add(key, r.x.objectOf(key), &task{outcome: r.cleanupOf(p)})
	}
	if f.err != nil {
		add(p.key, p.object, &task{outcome: applyset.Fail(f.err)})
	}
	return inputs
}

// marks are additional names of copies: in a package, copies at the source name their cluster, whatever object they belong
// to.
func (r *relatedObjects) marks(p *primary) (m applyset.Marks) {
	if !r.FromSource && !r.x.snapshot.Live {
		m.Annotations = map[string]string{ClusterAnnotation: p.cluster}
	}
	return m
}

// isDecided reports whether the snapshot determines what happens to a copy: the primary is being removed, or the origin
// exists and no longer belongs to it. An origin that does not exist here may be elsewhere.
func (r *relatedObjects) isDecided(p *primary, origin string) bool {
	return p.removing || r.x.snapshot.Live || r.x.objectOf(origin) != nil
}

// cleanupOf is what happens to a copy that is no longer desired.
func (r *relatedObjects) cleanupOf(p *primary) applyset.Outcome {
	switch isUnrelated := r.isKnown(p.key) && r.cleanup == waybill.CleanupMatchOrigin; {
	case p.removing && !r.x.mayLeave(p), !p.removing && !isUnrelated:
		return applyset.KeepAll()
	case p.removing && r.cleanup == waybill.CleanupOrphan:
		return applyset.Orphan()
	}
	return applyset.Outputs()
}

// objectOf is the object with a key; nil when there is none.
func (x *index) objectOf(key string) *krm.Object {
	cluster, id, err := applyset.ParseKey(key)
	if err != nil {
		return nil
	}
	return x.byRef[applyset.Ref{Place: cluster, ID: id}]
}
