package porchstore

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

var _ snapshot.Reserver = (*Store)(nil)

// loses reports whether Porch shows a revision without the metadata that it has. Where Porch 1.5.3 with its CR cache
// reads a repository while it is written to, it may see a part of the branches: it forgets the other revisions, deletes what it keeps of
// them, and finds them again without labels, annotations and owner. And a list puts back the metadata that it read just before another
// request wrote them. What others make in place of a revision has another commit and another time of creation. The mutex is held.
func (s *Store) loses(was *item, o *porch.PackageRevision) bool {
	if isBare(&was.obj) {
		return false
	}
	if was.obj.ResourceVersion != o.ResourceVersion { // others changed it
		return isBare(o) && !o.CreationTimestamp.IsZero() && o.CreationTimestamp.Equal(&was.obj.CreationTimestamp)
	}
	u := s.unsettled[o.Name]
	return isBare(o) || u != nil && u.metadata[fingerprint(o)]
}

// restore gives revisions the metadata again that Porch lost, once the repository is quiet: with a draft, each is a commit, and the more
// there is to do, the more does Porch lose. Until then it is in memory, and each write of a revision has it as well. What fails is tried
// again after the next pause.
func (s *Store) restore(ctx context.Context, names []string) {
	for _, name := range names { // one by one, for the same reason
		if i := s.claim(name); i != nil {
			o := i.obj.DeepCopy()
			err := s.patch(ctx, o, map[string]any{})
			s.restored(i, o, err)
		}
	}
}

// claim begins a write of a revision that is not written already.
func (s *Store) claim(name string) *item {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.items[name] == nil || s.busy[name] {
		return nil
	}
	s.busy[name] = true
	return s.items[name]
}

// restored ends a write that changed no files: those in memory stay.
func (s *Store) restored(was *item, o *porch.PackageRevision, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.busy, o.Name)
	if s.lastWrite = s.now(); err != nil {
		return
	}
	i := s.put(o)
	i.content, i.digest = was.content, was.digest
	i.findEdits()
}

// hasLost reports whether Porch lost metadata of a revision that is in memory.
func (s *Store) hasLost(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.items[name]
	return i != nil && i.lost
}

// completed is a change of metadata that restores what Porch lost as well. An owner that was deleted meanwhile is no reference any more:
// the garbage collector would follow it.
func (s *Store) completed(ctx context.Context, o *porch.PackageRevision, change map[string]any) error {
	if !s.hasLost(o.Name) {
		return nil
	}
	for field, kept := range map[string]map[string]string{"labels": o.Labels, "annotations": o.Annotations} {
		kept = maps.Clone(kept)
		delete(kept, latestLabel)
		if changed, ok := change[field].(map[string]string); ok {
			maps.Copy(kept, changed)
		}
		if len(kept) > 0 {
			change[field] = kept
		}
	}
	if _, changed := change["ownerReferences"]; changed || ownerReference(o) == nil {
		return nil
	}
	owners := slices.DeleteFunc(slices.Clone(o.OwnerReferences), isVariant)
	ref, err := s.reference(ctx, s.revisionOf(o).Owner)
	if ref != nil {
		owners = append(owners, *ref)
	}
	change["ownerReferences"] = owners
	return err
}

// Reserved returns the workspaces of a package that Porch lists no more, and in which a draft would replace work of others if Porch only
// forgot them: Porch moves the branch of a draft wherever it is. A draft that is known to have no edits by others is made again.
func (s *Store) Reserved(pkg string) (workspaces []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.gone {
		theirs := i.rev.Foreign || i.digest == "" || i.rev.Lifecycle == porch.Proposed
		if i.rev.Package == pkg && (i.isForgotten() || theirs && !i.rev.Lifecycle.IsPublished()) {
			workspaces = append(workspaces, i.rev.Workspace)
		}
	}
	return workspaces
}

// isForgotten reports whether an item that Porch lists no more must be there nevertheless: Porch deletes nothing that is published unless
// that was proposed.
func (i *item) isForgotten() bool {
	return i.rev.Lifecycle == porch.Published && i.rev.Revision > 0 && !i.ending
}

// checkForgotten refuses a draft of a package of which Porch forgot what is published: the draft would not be made of it.
func (s *Store) checkForgotten(req revision.DraftRequest) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(s.gone)) {
		if i := s.gone[name]; i.rev.Package == req.Package && i.isForgotten() {
			return &revision.RefusedError{Op: "create draft", Package: req.Package, Workspace: req.Workspace, Reason: fmt.Sprintf(
				"Porch no longer lists %s, which is published and was not proposed for deletion: restart Porch's server, which then reads "+
					"the repository anew, or, if the revision was deleted in Git, restart this process", name)}
		}
	}
	return nil
}

// isBare reports whether an object tells nothing of an owner.
func isBare(o *porch.PackageRevision) bool {
	return o.Annotations[TrailersAnnotation] == "" && o.Annotations[ContentAnnotation] == "" && ownerReference(o) == nil
}
