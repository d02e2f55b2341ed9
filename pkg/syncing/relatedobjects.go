package syncing

import (
	"context"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// relatedObjects is what one entry finds for all primaries, and what it does about it.
type relatedObjects struct {
	*related
	x     *index
	found map[string]found           // by primary
	tasks map[taskKey]*task          // by primary and key of the origin
	first map[correspond.Ref]taskKey // who makes a copy that is not there yet
	edges []correspond.Edge          // one for each place
}

type taskKey struct{ owner, key string }

// task is what is to become of the copies of one origin, for one primary.
type task struct {
	pairs   []pair  // what to make of it
	cleanup cleanup // of copies that are not among these
	err     error
}

// cleanup is what becomes of copies whose pair is not there.
type cleanup int

const (
	keepCopies cleanup = iota
	deleteCopies
	orphanCopies
)

// findRelated finds what is related to primaries that are settled; to others nothing changes.
func (x *index) findRelated(ctx context.Context, settled func(owner string) bool) ([]*relatedObjects, error) {
	var all []*relatedObjects
	for _, r := range x.rule.related {
		k := &relatedObjects{related: r, x: x, found: map[string]found{}, tasks: map[taskKey]*task{}, first: map[correspond.Ref]taskKey{}}
		for _, p := range x.primaries {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if !x.isHeld(p, settled) && !p.removing {
				k.found[p.key] = x.find(ctx, r, p)
			}
		}
		k.keepDoubtful()
		k.makeEdges(settled)
		all = append(all, k)
	}
	return all, nil
}

// isHeld reports whether nothing that is related to a primary may change now.
func (x *index) isHeld(p *primary, settled func(owner string) bool) bool {
	switch {
	case p.removing:
		return false
	case p.copy == nil, isDeleting(p.copy), p.retained:
		return true
	}
	return !settled(p.key)
}

// inputs are the origins that belong to a primary, and those of copies whose fate is known though they do not.
func (k *relatedObjects) inputs(p *primary) (inputs []correspond.Input) {
	f := k.found[p.key]
	add := func(key string, origin *krm.Object, t *task) {
		if k.tasks[taskKey{p.key, key}] == nil {
			inputs = append(inputs, correspond.Input{Key: key, Owner: p.key, Object: origin, Marks: k.marks(p)})
		}
		k.tasks[taskKey{p.key, key}] = t
	}
	mine := slices.DeleteFunc(slices.Clone(f.pairs), func(one pair) bool { return k.belongsToOther(p, one) })
	for i := 0; i < len(mine); {
		n := i + 1
		for n < len(mine) && mine[n].key == mine[i].key {
			n++
		}
		add(mine[i].key, mine[i].origin, &task{pairs: mine[i:n]})
		i = n
	}
	for _, o := range k.x.related[p.key][k.entry.Identifier] {
		key := correspond.TagsOf(o).Input
		if t := k.tasks[taskKey{p.key, key}]; t != nil || !isKey(key) || !k.isDecided(p, key) {
			continue
		}
		add(key, k.x.objectOf(key), &task{cleanup: k.cleanupOf(p, f)})
	}
	if f.err != nil {
		add(p.key, p.object, &task{err: f.err})
	}
	return inputs
}

// marks are the names that copies get: in a package those at the source say their cluster, whoever's they are.
func (k *relatedObjects) marks(p *primary) (m correspond.Marks) {
	if _, at := k.sides(p); at.Side == Source && !k.x.snapshot.Live {
		m.Annotations = map[string]string{ClusterAnnotation: at.Cluster}
	}
	return m
}

// isDecided reports whether what becomes of a copy follows from what is there: the primary that goes, the origin that is
// there and belongs to it no more. An origin that is not there may be somewhere else.
func (k *relatedObjects) isDecided(p *primary, origin string) bool {
	return p.removing || k.x.snapshot.Live || k.x.objectOf(origin) != nil
}

// cleanupOf is what becomes of a copy without a pair.
func (k *relatedObjects) cleanupOf(p *primary, f found) cleanup {
	switch {
	case p.removing && !k.x.mayLeave(p):
		return keepCopies
	case p.removing && k.cleanup == waybill.CleanupOrphan:
		return orphanCopies
	case p.removing:
		return deleteCopies
	case f.err == nil && !f.pending && k.cleanup == waybill.CleanupMatchOrigin:
		return deleteCopies
	}
	return keepCopies
}

// objectOf is the object with a key; nil when there is none.
func (x *index) objectOf(key string) *krm.Object {
	cluster, id, err := correspond.ParseKey(key)
	if err != nil {
		return nil
	}
	return x.byRef[correspond.Ref{Place: cluster, ID: id}]
}
