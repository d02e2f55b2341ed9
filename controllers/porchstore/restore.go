package porchstore

import (
	"context"
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/porch"
)

// restore gives revisions the metadata again that Porch lost. Where Porch 1.5.3 with its CR cache reads a repository while it is written
// to, it may see a part of the branches: it forgets the other revisions, deletes what it keeps of them, and finds them again without
// labels, annotations and owner. Only what memory had with metadata, at the same commit, is restored: what others make in place of a
// revision has another commit. What fails stays in memory as it was, and the next Refresh tries again.
func (s *Store) restore(ctx context.Context, found map[string]*porch.PackageRevision) {
	for _, name := range slices.Sorted(maps.Keys(found)) { // one by one: the more there is to do, the more does Porch lose
		o := found[name]
		metadata, err := s.metadata(ctx, s.lost(o), o)
		if err == nil && metadata != nil {
			err = s.patch(ctx, o, map[string]any{"metadata": metadata})
		}
		if err != nil {
			delete(found, name)
			s.mark(false, name)
		}
	}
}

// lost is what memory has of a revision that Porch shows without metadata; nil if nothing is lost.
func (s *Store) lost(o *porch.PackageRevision) *porch.PackageRevision {
	if o == nil || !isBare(o) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.gone[o.Name]
	if i := s.items[o.Name]; i != nil {
		was = &i.obj
	}
	if _, writing := s.busy[o.Name]; writing || was == nil || isBare(was) || was.ResourceVersion != o.ResourceVersion {
		return nil
	}
	return was
}

// metadata is what to restore, nil if nothing is lost. An owner that was deleted meanwhile is no reference any more: the garbage
// collector would follow it.
func (s *Store) metadata(ctx context.Context, was, now *porch.PackageRevision) (map[string]any, error) {
	if was == nil {
		return nil, nil
	}
	restored := map[string]any{"labels": maps.Clone(was.Labels), "annotations": maps.Clone(was.Annotations)}
	maps.DeleteFunc(restored, func(_ string, v any) bool { return len(v.(map[string]string)) == 0 })
	if ownerReference(was) == nil {
		return restored, nil
	}
	ref, err := s.reference(ctx, s.revisionOf(was).Owner)
	if ref != nil {
		restored["ownerReferences"] = append(slices.Clone(now.OwnerReferences), *ref)
	}
	return restored, err
}

// isBare reports whether an object tells nothing of an owner.
func isBare(o *porch.PackageRevision) bool {
	return o.Annotations[TrailersAnnotation] == "" && o.Annotations[ContentAnnotation] == "" && ownerReference(o) == nil
}
