package revision

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

const (
	draftPrefix    = "refs/heads/drafts/"
	proposedPrefix = "refs/heads/proposed/"
	deletionPrefix = "refs/heads/deletionProposed/"
	tagPrefix      = "refs/tags/"
)

// RefName is the full name of the ref that makes a revision one, as its path, workspace, number and lifecycle say; branch is the main
// branch of its repository.
func (r Revision) RefName(branch string) string {
	switch {
	case r.Lifecycle == porch.Draft:
		return draftPrefix + r.Path + "/" + r.Workspace
	case r.Lifecycle == porch.Proposed:
		return proposedPrefix + r.Path + "/" + r.Workspace
	case r.Revision == Placeholder:
		return "refs/heads/" + branch
	}
	return tagPrefix + r.Path + "/v" + strconv.Itoa(r.Revision)
}

// KeepsBranch reports whether a branch of that name holds revisions.
func KeepsBranch(name string) bool {
	for _, prefix := range []string{draftPrefix, proposedPrefix, deletionPrefix, adoptedPrefix} {
		if strings.HasPrefix("refs/heads/"+name+"/", prefix) {
			return true
		}
	}
	return false
}

// List returns every revision in the view, by package, number and workspace.
func (s *Store) List() ([]Revision, error) {
	var out []Revision
	if err := s.needTags(); err != nil {
		return nil, fmt.Errorf("repository %q: list revisions: %w", s.cfg.Name, err)
	}
	for _, ref := range s.repo.Refs() {
		rev, ok, err := s.fromRef(ref)
		if err != nil {
			return nil, fmt.Errorf("repository %q: list revisions: %s: %w", s.cfg.Name, ref.Name, err)
		}
		if ok {
			out = append(out, rev)
		}
	}
	placeholders, err := s.placeholders()
	if err != nil {
		return nil, fmt.Errorf("repository %q: list packages of %s: %w", s.cfg.Name, s.cfg.Branch, err)
	}
	return SortAndMark(append(out, placeholders...)), nil
}

// fromRef makes a Revision of a ref; false when the ref is not one of a revision, or does not hold the package.
func (s *Store) fromRef(ref gitrepo.Ref) (Revision, bool, error) {
	rev, ok := s.parse(ref.Name)
	if !ok || ref.Commit.IsZero() {
		return Revision{}, false, nil
	}
	rev.Target, rev.Commit = ref.Target, ref.Commit
	ok, err := s.fill(&rev)
	rev.Name = ObjectName(rev.Repository, rev.Package, rev.Workspace)
	return rev, ok, err
}

// parse returns what the name of a ref says about its revision; false when it is not the name of one.
func (s *Store) parse(name string) (Revision, bool) {
	rest, lifecycle := parseRef(name)
	dir, last := path.Split(rest)
	dir = strings.TrimSuffix(dir, "/")
	pkg, ok := s.pkg(dir)
	rev := Revision{Repository: s.cfg.Name, Package: pkg, Path: dir, Workspace: last, Lifecycle: lifecycle, Ref: name}
	if lifecycle == porch.Published {
		rev.Revision = number(last)
	}
	return rev, ok && last != ""
}

// parseRef returns the name of a revision's ref without prefix, and the life-cycle stage that the prefix means; "" for other refs.
func parseRef(name string) (string, porch.Lifecycle) {
	for prefix, lifecycle := range map[string]porch.Lifecycle{draftPrefix: porch.Draft, proposedPrefix: porch.Proposed,
		tagPrefix: porch.Published} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			return rest, lifecycle
		}
	}
	return "", ""
}

// number parses the last part of a tag: an integer after an optional "v", else Placeholder.
func number(text string) int {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "v"), 10, 31)
	if err != nil {
		return Placeholder
	}
	return int(n)
}

// fill fills in what the commit says about the revision; false when the commit does not hold the package.
func (s *Store) fill(rev *Revision) (bool, error) {
	f, err := s.facts(origin{commit: rev.Commit, path: rev.Path, name: rev.Workspace, tagged: rev.Lifecycle == porch.Published})
	if err != nil || !f.found {
		return false, err
	}
	rev.Task, rev.Owner, rev.Trailers, rev.Foreign, rev.Adopted = f.task, f.owner, f.trailers, f.foreign, f.adopted
	if err := s.applyAdoption(rev); err != nil {
		return false, err
	}
	if rev.Lifecycle != porch.Published {
		return true, nil
	}
	rev.PublishedBy, rev.PublishedAt, rev.Approved = f.by, f.at, f.approved
	_, proposed := s.repo.Ref(rev.deletionRef())
	rev.publish(f.workspace, proposed)
	return true, nil
}

// publish sets the workspace of a tagged revision, which its commit may name, and whether its deletion is proposed.
func (r *Revision) publish(workspace string, deletionProposed bool) {
	if r.Revision != Placeholder {
		r.Workspace = cmp.Or(workspace, "v"+strconv.Itoa(r.Revision))
	}
	if deletionProposed {
		r.Lifecycle = porch.DeletionProposed
	}
}

// deletionRef is the branch that proposes to delete the revision.
func (r Revision) deletionRef() string {
	if r.Revision == Placeholder {
		return deletionPrefix + r.Path + "/" + r.Workspace
	}
	return deletionPrefix + r.Path + "/v" + strconv.Itoa(r.Revision)
}

// mainView are the packages on the main branch at one commit.
type mainView struct {
	commit gitrepo.Hash
	revs   []Revision
}

// placeholders are the packages on the current main branch.
func (s *Store) placeholders() ([]Revision, error) {
	ref, ok := s.repo.Ref(s.MainRef())
	if !ok || ref.Commit.IsZero() {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.main.commit != ref.Commit {
		revs, err := s.readMain(ref)
		if err != nil {
			return nil, err
		}
		s.main = mainView{commit: ref.Commit, revs: revs}
	}
	out := append([]Revision(nil), s.main.revs...)
	for i := range out {
		if _, ok := s.repo.Ref(out[i].deletionRef()); ok {
			out[i].Lifecycle = porch.DeletionProposed
		}
	}
	return out, nil
}

func (s *Store) readMain(ref gitrepo.Ref) ([]Revision, error) {
	dirs, err := s.repo.FindPackages(ref.Commit, s.cfg.Directory)
	if err != nil {
		return nil, err
	}
	published, err := s.newest(ref.Commit, dirs)
	if err != nil {
		return nil, err
	}
	var out []Revision
	for _, dir := range dirs {
		pkg, ok := s.pkg(dir)
		if !ok { // a package at the root of the directory has no name
			continue
		}
		out = append(out, Revision{
			Name: ObjectName(s.cfg.Name, pkg, s.cfg.Branch), Repository: s.cfg.Name,
			Package: pkg, Path: dir, Workspace: s.cfg.Branch, Revision: Placeholder, Lifecycle: porch.Published,
			Ref: ref.Name, Target: ref.Target, Commit: ref.Commit,
			PublishedBy: published[dir].Email, PublishedAt: published[dir].When,
		})
	}
	return out, nil
}
