package porchstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// manyNames is from how many revisions on a list of everything is faster than to ask for each: each request has Porch fetch.
const manyNames = 10

// rereadAfter is the pause before files are read again that Porch could not show.
const rereadAfter = time.Minute

// Refresh reads again what may have changed: everything, or where Observe is told, that alone.
func (s *Store) Refresh(ctx context.Context) error {
	if s.isDry() {
		return nil
	}
	s.mu.Lock()
	quiet := s.quiet()
	if quiet {
		for name := range s.unsettled {
			s.dirty[name] = true
		}
	}
	whole, names := s.whole || !s.observed, slices.Sorted(maps.Keys(s.dirty))
	s.whole, s.dirty, s.rereadAt = false, map[string]bool{}, time.Time{}
	s.mu.Unlock()
	whole = whole || len(names) > manyNames
	found, err := s.read(ctx, whole, names)
	if err == nil {
		owned := s.replace(found)
		if quiet {
			s.restore(ctx, s.settle())
		}
		err = s.readFiles(ctx, owned)
	}
	if err != nil {
		s.mark(whole, names...)
		return fmt.Errorf("repository %q: list its package revisions: %w", s.of.Name, err)
	}
	return nil
}

// read asks for everything or, by name, for some; what is gone is nil.
func (s *Store) read(ctx context.Context, whole bool, names []string) (found map[string]*porch.PackageRevision, err error) {
	found = map[string]*porch.PackageRevision{}
	if whole {
		var list porch.PackageRevisionList
		known := len(s.missing(nil))
		err := s.again(ctx, func() error {
			err := s.client.List(ctx, &list, client.InNamespace(s.of.Namespace), client.MatchingFields{"spec.repository": s.of.Name})
			if err == nil && len(list.Items) == 0 && known > 0 {
				err = errShortList
			}
			return err
		})
		if err != nil && !errors.Is(err, errShortList) {
			return nil, err
		}
		for i := range list.Items {
			found[list.Items[i].Name] = &list.Items[i]
		}
		if len(found) == 0 {
			if err := s.checkReady(ctx); err != nil {
				return nil, err
			}
		}
		names = s.missing(found)
	}
	for _, name := range names {
		var o porch.PackageRevision
		err := s.get(ctx, name, &o)
		if client.IgnoreNotFound(err) != nil {
			return nil, err
		}
		if found[name] = &o; err != nil {
			found[name] = nil
		}
	}
	return found, nil
}

// missing names the revisions that a list lacks. Porch leaves out what it cannot read, and then its list is shorter or empty: only
// an answer about the revision itself says that it is gone.
func (s *Store) missing(found map[string]*porch.PackageRevision) (names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.items {
		if found[name] == nil {
			names = append(names, name)
		}
	}
	return names
}

// checkReady refuses an empty list of a repository that Porch has not read, or cannot read.
func (s *Store) checkReady(ctx context.Context) error {
	var obj porchconfig.Repository
	if err := s.objects.Get(ctx, s.of, &obj); err != nil {
		return err
	}
	c := meta.FindStatusCondition(obj.Status.Conditions, porchconfig.ConditionReady)
	switch {
	case c == nil:
		return fmt.Errorf("repository %s is not read by Porch yet", s.of)
	case c.Status != metav1.ConditionTrue:
		return fmt.Errorf("repository %s cannot be read by Porch: %s", s.of, c.Message)
	}
	return nil
}

// replace puts objects in place of those in memory, and returns the names of those whose files tell whether others changed them.
func (s *Store) replace(found map[string]*porch.PackageRevision) (names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, o := range found {
		if s.busy[name] || s.outlives(name, o) {
			continue
		}
		if o == nil {
			if i := s.items[name]; i != nil {
				i.content = nil
				s.gone[name] = i
			}
			delete(s.items, name)
			continue
		}
		s.put(o)
	}
	for _, rev := range s.list() {
		switch {
		case rev.Owner == (revision.Owner{}):
		case rev.Latest || !rev.Lifecycle.IsPublished():
			names = append(names, rev.Name)
		default: // there are more and more of these, and their files are seldom read
			s.items[rev.Name].content = nil
		}
	}
	return names
}

// put puts an object in place of that in memory, and keeps its files while they are the same, and metadata that Porch lost.
func (s *Store) put(o *porch.PackageRevision) *item {
	now := &item{obj: *o}
	was := s.items[o.Name]
	if was == nil {
		was = s.gone[o.Name]
	}
	if was != nil && was.obj.ResourceVersion == o.ResourceVersion {
		now.content, now.digest = was.content, was.digest
	}
	if was != nil && s.loses(was, o) {
		s.unsettle(o.Name)
		now.lost = true
		now.obj.Labels, now.obj.Annotations, now.obj.OwnerReferences = was.obj.Labels, was.obj.Annotations, was.obj.OwnerReferences
	}
	now.rev = s.revisionOf(&now.obj)
	now.findEdits()
	s.items[o.Name] = now
	delete(s.gone, o.Name)
	return now
}

// readFiles reads the files of revisions, and notes whether others changed them. One that changes at this moment is read next time, and
// so is one of which Porch has no files to show: who needs its content gets the error.
func (s *Store) readFiles(ctx context.Context, names []string) error {
	for _, name := range names {
		rev, content := s.known(name)
		if content != nil {
			continue
		}
		res, err := s.resources(ctx, name)
		if apierrors.IsNotFound(err) || err == nil && target(res.ResourceVersion) != rev.Target {
			s.mark(false, name)
			continue
		}
		if err != nil && !apierrors.IsInternalError(err) {
			return err
		}
		tree, bad := treeOf(res)
		if err != nil || bad != nil {
			s.rereadLater()
			continue
		}
		s.keep(rev, tree)
	}
	return nil
}

// rereadLater has files read again after a pause.
func (s *Store) rereadLater() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rereadAt = s.now().Add(rereadAfter)
}

// known is a revision in memory, and its files if they were read.
func (s *Store) known(name string) (revision.Revision, *pkgtree.Tree) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.items[name]; i != nil {
		return i.rev, i.content
	}
	return revision.Revision{}, nil
}

// resources reads the files of a revision.
func (s *Store) resources(ctx context.Context, name string) (*porch.PackageRevisionResources, error) {
	var res porch.PackageRevisionResources
	return &res, s.get(ctx, name, &res)
}

// get reads an object, and tries again after errors that pass.
func (s *Store) get(ctx context.Context, name string, o client.Object) error {
	return s.again(ctx, func() error { return s.client.Get(ctx, client.ObjectKey{Namespace: s.of.Namespace, Name: name}, o) })
}
