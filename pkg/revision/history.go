package revision

import (
	"time"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// origin is a commit as a revision of the package at path. name is the last part of the ref.
type origin struct {
	commit gitrepo.Hash
	path   string
	name   string
	tagged bool
}

// facts are what commits say about a revision.
type facts struct {
	found     bool   // the commit holds the package
	workspace string // of a tagged revision; empty when the commit does not name it
	task      *porch.Task
	owner     Owner
	trailers  Trailers
	foreign   bool
	adopted   bool
	approved  gitrepo.Hash // the commit of the draft that a tagged one was
	by        string
	at        time.Time
}

func (s *Store) facts(o origin) (facts, error) {
	s.mu.Lock()
	f, known := s.memo[o]
	s.mu.Unlock()
	if known {
		return f, nil
	}
	f, err := s.readFacts(o)
	if err != nil {
		return facts{}, err
	}
	s.mu.Lock()
	s.memo[o] = f
	s.mu.Unlock()
	return f, nil
}

func (s *Store) readFacts(o origin) (f facts, err error) {
	c, err := s.repo.Commit(o.commit)
	if err != nil {
		return f, err
	}
	if f.found, err = s.hasPackage(o, c); err != nil || !f.found {
		return f, err
	}
	f.by, f.at = c.Author.Email, c.Author.When
	workspace := o.name
	if o.tagged {
		a, ok := annotationFor(c.Message, o.path)
		if !ok {
			return f, nil
		}
		f.workspace, workspace = a.Workspace, a.Workspace
		if a.Task == nil && len(c.Parents) == 2 {
			f.approved = c.Parents[1]
		}
	}
	return f, s.trace(&f, o.commit, o.path, workspace, o.tagged)
}

// hasPackage reports whether a commit holds the package. It believes the annotation of a tagged commit whose files are not in the view:
// a request for each old revision would take long.
func (s *Store) hasPackage(o origin, c gitrepo.Commit) (bool, error) {
	if o.tagged && !s.repo.HasTree(o.commit) && isAnnotated(o, c) {
		return true, nil
	}
	return s.repo.HasFile(o.commit, o.path+"/Kptfile")
}

func isAnnotated(o origin, c gitrepo.Commit) bool {
	_, annotated := annotationFor(c.Message, o.path)
	return annotated && isOurs(c)
}

// needTags has the files of all tagged commits that have no annotation, such as those of users, come with one request.
func (s *Store) needTags() error {
	var need []gitrepo.Hash
	for _, ref := range s.repo.Refs() {
		rev, ok := s.parse(ref.Name)
		if !ok || rev.Lifecycle != porch.Published || ref.Commit.IsZero() || s.repo.HasTree(ref.Commit) {
			continue
		}
		o := origin{commit: ref.Commit, path: rev.Path, name: rev.Workspace, tagged: true}
		c, err := s.repo.Commit(o.commit)
		if err == nil && !s.isKnown(o) && !isAnnotated(o, c) {
			need = append(need, o.commit)
		}
	}
	if len(need) == 0 {
		return nil
	}
	return s.repo.NeedTrees(need)
}

func (s *Store) isKnown(o origin) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, known := s.memo[o]
	return known
}

// ownerOf is the owner that a commit names, if Porch or Waybill committed it. A user who amends a commit, or copies its
// message, does not work for that owner.
func ownerOf(c gitrepo.Commit, named Owner) Owner {
	if isOurs(c) {
		return named
	}
	return Owner{}
}

// isOurs reports whether Porch or Waybill committed c.
func isOurs(c gitrepo.Commit) bool {
	return c.Committer.Name == porchIdentity.Name && c.Committer.Email == porchIdentity.Email
}

// newest finds the author of the newest commit on the first-parent line that has an annotation for each directory.
// It leaves out directories without one.
func (s *Store) newest(commit gitrepo.Hash, dirs []string) (map[string]gitrepo.Signature, error) {
	missing := make(map[string]bool, len(dirs))
	for _, d := range dirs {
		missing[d] = true
	}
	found := map[string]gitrepo.Signature{}
	for len(missing) > 0 {
		c, err := s.repo.Commit(commit)
		if err != nil {
			return nil, err
		}
		for _, a := range parseAnnotations(c.Message) {
			if missing[a.Package] {
				found[a.Package] = c.Author
				delete(missing, a.Package)
			}
		}
		if len(c.Parents) == 0 {
			break
		}
		commit = c.Parents[0]
	}
	return found, nil
}
