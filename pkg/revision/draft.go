package revision

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// DraftRequest asks for a new draft.
type DraftRequest struct {
	Package   string
	Workspace string
	Task      porch.Task // how the content was made; the zero Task is init
	Content   pkgtree.Tree
	Owner     Owner
	Trailers  Trailers
	// Labels and Annotations are those of the PackageRevision object where there is one. Git has none.
	Labels, Annotations map[string]string
	// New says that there must be no such package yet, as always for a clone.
	New bool
	// Replaces names drafts that the caller deletes once this one exists: they do not prevent a clone.
	Replaces []string
	// Stamp's time should be that of the newest input, such as the upstream commit. A parent that
	// is newer wins.
	Stamp
}

// CreateDraft makes one draft, in one commit on top of the main branch.
func (s *Store) CreateDraft(ctx context.Context, req DraftRequest) (Revision, error) {
	revs, err := s.CreateDrafts(ctx, []DraftRequest{req})
	if err != nil {
		return Revision{}, err
	}
	return revs[0], nil
}

// CreateDrafts makes all drafts in one push, or none. The Revisions stand in the order of the
// requests. If another client made one of the drafts meanwhile, the error is a *gitrepo.StaleError.
func (s *Store) CreateDrafts(ctx context.Context, reqs []DraftRequest) ([]Revision, error) {
	return s.createDrafts(ctx, reqs, s.retry)
}

// CreateDraftsOnce is CreateDrafts without further attempts after a transient error of the server.
func (s *Store) CreateDraftsOnce(ctx context.Context, reqs []DraftRequest) ([]Revision, error) {
	return s.createDrafts(ctx, reqs, func(_ context.Context, op func() error) error { return op() })
}

func (s *Store) createDrafts(ctx context.Context, reqs []DraftRequest, try func(context.Context, func() error) error) ([]Revision, error) {
	if len(reqs) == 0 {
		return nil, nil
	}
	var updates []gitrepo.RefUpdate
	err := try(ctx, func() (err error) {
		var stage *gitrepo.Stage
		if stage, updates, err = s.stageDrafts(reqs); err != nil {
			return err
		}
		return stage.Push(ctx, updates)
	})
	if err != nil {
		return nil, describeDrafts(reqs, err)
	}
	out := make([]Revision, len(reqs))
	for i := range reqs {
		if out[i], err = s.at(updates[i].Name); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// describeDrafts adds the drafts to an error that does not name them.
func describeDrafts(reqs []DraftRequest, err error) error {
	if _, named := errors.AsType[*RefusedError](err); !named && len(reqs) > 1 {
		return fmt.Errorf("create %d drafts: %w", len(reqs), err)
	}
	return Revision{Package: reqs[0].Package, Workspace: reqs[0].Workspace}.wrap("create draft", err)
}

// stageDrafts stages a commit for each request. The updates come in the order of the requests, followed by
// one for the main branch if that has to be made.
func (s *Store) stageDrafts(reqs []DraftRequest) (*gitrepo.Stage, []gitrepo.RefUpdate, error) {
	revs, err := s.List()
	if err != nil {
		return nil, nil, err
	}
	rules := newRules(revs)
	for _, req := range reqs {
		if err := rules.admit(s.cfg.Name, req); err != nil {
			return nil, nil, err
		}
		if err := s.checkFolder(s.head(), req); err != nil {
			return nil, nil, err
		}
	}
	stage := s.repo.Stage()
	head, made, err := s.headOrNew(stage, reqs)
	if err != nil {
		return nil, nil, err
	}
	updates := make([]gitrepo.RefUpdate, 0, len(reqs)+1)
	for _, req := range reqs {
		id, err := s.stageDraft(stage, head, req)
		if err != nil {
			return nil, nil, err
		}
		updates = append(updates, gitrepo.RefUpdate{Name: draftPrefix + s.path(req.Package) + "/" + req.Workspace, New: id})
	}
	return stage, append(updates, made...), nil
}

func (s *Store) stageDraft(stage *gitrepo.Stage, head gitrepo.Hash, req DraftRequest) (gitrepo.Hash, error) {
	task := req.Task
	task.Type = cmp.Or(task.Type, porch.TaskInit)
	return s.save(stage, head, draftSave{
		path: s.path(req.Package), workspace: req.Workspace, task: task,
		content: req.Content, owner: req.Owner, trailers: req.Trailers, by: req.Stamp,
	})
}

// draftSave is one commit of a draft.
type draftSave struct {
	path, workspace string
	task            porch.Task
	content         pkgtree.Tree
	owner           Owner
	trailers        Trailers
	by              Stamp
}

// save stages a commit on parent whose tree is the parent's with the whole package replaced.
func (s *Store) save(stage *gitrepo.Stage, parent gitrepo.Hash, d draftSave) (gitrepo.Hash, error) {
	root, err := stage.Root(parent)
	if err != nil {
		return gitrepo.Hash{}, err
	}
	if root, err = stage.ReplaceDir(root, d.path, d.content); err != nil {
		return gitrepo.Hash{}, err
	}
	msg, err := message(subject(d.task.Type), Annotation{Package: d.path, Workspace: d.workspace, Revision: "0", Task: &d.task},
		d.owner, d.trailers...)
	if err != nil {
		return gitrepo.Hash{}, err
	}
	return s.commit(stage, root, msg, d.by, parent)
}

// headOrNew returns the main branch's head. If there is no main branch, and the Repository asks to make it, headOrNew
// stages the branch's first commit, and the update that makes the branch.
func (s *Store) headOrNew(stage *gitrepo.Stage, reqs []DraftRequest) (gitrepo.Hash, []gitrepo.RefUpdate, error) {
	if head := s.head(); !head.IsZero() {
		return head, nil, nil
	}
	if !s.cfg.CreateBranch {
		return gitrepo.Hash{}, nil, fmt.Errorf("repository %q has no branch %q: push one, or set spec.git.createBranch", s.cfg.Name, s.cfg.Branch)
	}
	readme, err := pkgtree.New(map[string][]byte{"README.md": []byte("# " + s.cfg.Name + "\n")})
	if err != nil {
		return gitrepo.Hash{}, nil, err
	}
	root, err := stage.ReplaceDir(gitrepo.Hash{}, "", readme)
	if err != nil {
		return gitrepo.Hash{}, nil, err
	}
	var by Stamp // no newer than any draft on it, so that their times do not change
	for _, req := range reqs {
		if by.When.IsZero() || req.When.Before(by.When) {
			by.When = req.When
		}
	}
	head, err := s.commit(stage, root, "Initial commit: Creating main branch\n", by)
	return head, []gitrepo.RefUpdate{{Name: s.MainRef(), New: head}}, err
}

// at returns the revision that a ref of the view is.
func (s *Store) at(ref string) (Revision, error) {
	r, _ := s.repo.Ref(ref)
	rev, ok, err := s.fromRef(r)
	if err == nil && !ok {
		err = fmt.Errorf("repository %q: %s holds no package", s.cfg.Name, strings.TrimPrefix(ref, "refs/"))
	}
	return rev, err
}
