package storetest

import (
	"errors"
	"slices"
	"sync"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// drafts: what was asked for is what every client sees.
func (s *suite) drafts() {
	made := s.create("eu/web")
	other := s.Open(s.T)
	seen, ok := s.find(other, made)
	if !ok {
		s.Fatal("another client does not see the draft")
	}
	for _, rev := range []revision.Revision{made, s.fresh(made), seen} {
		if rev.Name != Repository+".eu.web.w1" || rev.Repository != Repository || rev.Path != Directory+"/eu/web" ||
			rev.Lifecycle != porch.Draft || rev.Revision != 0 || rev.Latest {
			s.Errorf("the draft is described wrongly: %+v", rev)
		}
		if rev.Owner != owner || rev.Foreign || rev.Trailers.Get(revision.TrailerSet) != "default/edge" {
			s.Errorf("the draft is the owner's, and no other user changed it: %+v", rev)
		}
		if lock := s.store.Lock(rev); lock.Directory != rev.Path || lock.Ref != "drafts/"+Directory+"/eu/web/w1" {
			s.Errorf("its place is wrong: %+v", lock)
		}
		s.holds(rev, s.content("one"))
	}
}

// refusals: rules hold before anything is written.
func (s *suite) refusals() {
	made := s.create("rules/web")
	create := func(change func(*revision.DraftRequest)) error {
		req := s.request("rules/other", "w1", "two")
		change(&req)
		_, err := s.store.CreateDraft(s.Context(), req)
		return err
	}
	s.wantRefused("the same draft again", create(func(r *revision.DraftRequest) { r.Package = "rules/web" }), true)
	s.wantRefused("a new package that exists", create(func(r *revision.DraftRequest) {
		r.Package, r.Workspace, r.New = "rules/web", "w2", true
	}), true)
	s.wantRefused("a package in a package", create(func(r *revision.DraftRequest) { r.Package = "rules/web/inner" }), false)
	s.wantRefused("a package around a package", create(func(r *revision.DraftRequest) { r.Package = "rules" }), false)
	s.wantRefused("a bad name", create(func(r *revision.DraftRequest) { r.Package = "rules/Web" }), false)
	s.wantRefused("no Kptfile", create(func(r *revision.DraftRequest) { r.Content = pkgtree.Tree{} }), false)
	s.wantRefused("a source that is not published", create(func(r *revision.DraftRequest) {
		r.Package, r.Workspace = "rules/web", "w2"
		r.Task = porch.Task{Type: porch.TaskEdit, Edit: &porch.EditTask{Source: &porch.PackageRevisionRef{Name: made.Name}}}
	}), false)
	_, err := s.store.ProposeDeletion(s.Context(), made)
	s.wantRefused("propose the deletion of a draft", err, false)
	revs, err := s.Open(s.T).List()
	s.check("list", err)
	if n := len(slices.DeleteFunc(revs, func(r revision.Revision) bool { return r.Package != "rules/web" })); n != 1 {
		s.Errorf("want the one draft, got %d", n)
	}
}

// updates: new content replaces all files; the same content is no write.
func (s *suite) updates() {
	made := s.create("updates/web")
	to := revision.Update{Content: s.content("two"), Owner: owner}
	updated, err := s.store.UpdateDraft(s.Context(), made, to)
	s.check("update", err)
	s.holds(updated, to.Content)
	s.holds(s.fresh(made), to.Content)
	again, err := s.store.UpdateDraft(s.Context(), updated, to)
	s.check("update again", err)
	if again.Commit != updated.Commit || again.Foreign {
		s.Errorf("the same content is no write: %+v, before %+v", again, updated)
	}
}

// edits: a draft that another user changed is known by that, also after the owner's next update.
func (s *suite) edits() {
	made := s.create("edits/web")
	s.Edit(s.T, made, "notes.txt", "by a person\n")
	_, err := s.store.UpdateDraft(s.Context(), made, revision.Update{Content: s.content("two"), Owner: owner})
	s.wantStale("an update of what was seen before the edit", err)
	edited := s.fresh(made)
	if !edited.Foreign || edited.Owner != owner {
		s.Errorf("the draft is the owner's, and another user changed it: %+v", edited)
	}
	updated, err := s.store.UpdateDraft(s.Context(), edited, revision.Update{Content: s.content("three"), Owner: owner})
	s.check("update", err)
	if !updated.Foreign || !s.fresh(made).Foreign {
		s.Error("an update does not undo that another user changed it")
	}
}

// publishing: approved revisions are numbered, do not change, and can be read at the place that locks record.
func (s *suite) publishing() {
	first := s.publish(s.create("published/web"))
	if first.Lifecycle != porch.Published || first.Revision != 1 || !first.Latest || first.Owner != owner {
		s.Errorf("want revision 1, the latest, of the owner: %+v", first)
	}
	s.holds(first, s.content("one"))
	_, err := s.store.UpdateDraft(s.Context(), first, revision.Update{Content: s.content("two"), Owner: owner})
	s.wantRefused("update what is published", err, false)
	lock := s.store.Lock(first)
	tree, err := s.store.At(lock)
	s.check("read at the place that a lock records", err)
	if !tree.Equal(s.content("one")) {
		s.Errorf("other files at the place that a lock records: %v", texts(tree))
	}
	lock.Commit = "1234567890123456789012345678901234567890"
	if _, err := s.store.At(lock); err == nil {
		s.Error("a commit that does not exist cannot be read")
	}
	req := s.request("published/web", "w2", "two")
	req.Task = porch.Task{Type: porch.TaskEdit, Edit: &porch.EditTask{Source: &porch.PackageRevisionRef{Name: first.Name}}}
	draft, err := s.store.CreateDraft(s.Context(), req)
	s.check("edit", err)
	second := s.publish(draft)
	if second.Revision != 2 || !second.Latest || s.fresh(first).Latest {
		s.Errorf("want revision 2, the latest: %+v", second)
	}
	s.holds(second, s.content("two"))
	s.holds(s.fresh(first), s.content("one"))
}

// deletion: drafts are deleted; what is published is proposed for deletion first.
func (s *suite) deletion() {
	draft := s.create("deleted/draft")
	s.check("delete a draft", s.store.Delete(s.Context(), draft, revision.Stamp{}))
	if _, ok := s.find(s.Open(s.T), draft); ok {
		s.Error("the draft still exists")
	}
	rev := s.publish(s.create("deleted/web"))
	s.wantRefused("delete what is published", s.store.Delete(s.Context(), rev, revision.Stamp{}), false)
	proposed, err := s.store.ProposeDeletion(s.Context(), rev)
	s.check("propose deletion", err)
	if proposed.Lifecycle != porch.DeletionProposed || s.fresh(rev).Lifecycle != porch.DeletionProposed {
		s.Errorf("its deletion is proposed: %+v", proposed)
	}
	restored, err := s.store.UndoDeletion(s.Context(), proposed)
	s.check("undo deletion", err)
	if restored.Lifecycle != porch.Published || s.fresh(rev).Lifecycle != porch.Published {
		s.Errorf("it is published again: %+v", restored)
	}
	s.holds(restored, s.content("one"))
}

// dryRun: a rehearsal shows what a run would leave, and leaves nothing.
func (s *suite) dryRun() {
	kept := s.create("rehearsed/kept")
	dry := &suite{T: s.T, Env: s.Env, store: s.Open(s.T)}
	dry.store.Rehearse()
	made := dry.create("rehearsed/web")
	dry.holds(made, s.content("one"))
	s.check("delete in a dry run", dry.store.Delete(s.Context(), kept, revision.Stamp{}))
	if _, ok := s.find(dry.store, made); !ok {
		s.Error("the dry run does not show its draft")
	}
	if _, ok := s.find(dry.store, kept); ok {
		s.Error("the dry run shows what it deleted")
	}
	s.fresh(kept)
	if _, ok := s.find(s.store, made); ok {
		s.Error("a dry run left a draft")
	}
}

// race: of two clients that make one draft, one does.
func (s *suite) race() {
	var running sync.WaitGroup
	errs := make([]error, 2)
	for i := range errs {
		store := s.Open(s.T)
		req := s.request("race/web", "w1", []string{"one", "two"}[i])
		running.Go(func() { _, errs[i] = store.CreateDraft(s.Context(), req) })
	}
	running.Wait()
	won := slices.Index(errs, nil)
	if won < 0 {
		s.Fatalf("no client made the draft: %v", errs)
	}
	var stale *gitrepo.StaleError
	var refused *revision.RefusedError
	if err := errs[1-won]; !errors.As(err, &stale) && (!errors.As(err, &refused) || !refused.Exists) {
		s.Errorf("the other client is told that it was late; got %v", err)
	}
	req := s.request("race/web", "w1", "")
	draft := s.fresh(revision.Revision{Name: "the draft", Package: req.Package, Workspace: req.Workspace})
	s.holds(draft, s.content([]string{"one", "two"}[won]))
}

// moved: what another client deleted or proposed meanwhile is not written.
func (s *suite) moved() {
	other := s.Open(s.T)
	gone, proposed := s.create("moved/gone"), s.create("moved/proposed")
	s.check("refresh", other.Refresh(s.Context()))
	s.check("delete", other.Delete(s.Context(), gone, revision.Stamp{}))
	_, err := s.store.UpdateDraft(s.Context(), gone, revision.Update{Content: s.content("two"), Owner: owner})
	s.wantStale("update what was deleted", err)
	s.Propose(s.T, proposed)
	_, err = s.store.UpdateDraft(s.Context(), proposed, revision.Update{Content: s.content("two"), Owner: owner})
	s.wantStale("update what was proposed", err)
	if is := s.fresh(proposed); is.Lifecycle != porch.Proposed {
		s.Errorf("it stays proposed: %+v", is)
	}
}
