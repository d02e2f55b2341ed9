package revision

import (
	"path"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/kptfile"
)

// rest is what a draft rests on.
type rest struct {
	// base is where the content is to be found that it began with: the published revision that it
	// continues or, without one, the package on the main branch where the draft left it. It is nowhere for a
	// clone, and where there was no package: whatever lay there is none of the draft's.
	base origin
	// began is the commit of the main branch that it left, merged the newest that is in its history:
	// another one where somebody merged main into it, and has seen what came to main between the two.
	began, merged gitrepo.Hash
}

func (b *bundle) restsOn(rev Revision) (r rest, err error) {
	if r.merged, err = b.fork(rev.Commit); err != nil {
		return r, err
	}
	if r.began, err = b.began(rev); err != nil {
		return r, err
	}
	if r.began.IsZero() {
		r.began = r.merged
	}
	r.base = origin{commit: r.began, path: rev.Path}
	if source, ok := b.published.revs[continues(rev)]; ok && source.Path == rev.Path {
		r.base.commit = source.Commit
		return r, nil
	}
	is, err := b.isPackage(r.base)
	if !is || isClone(rev) {
		r.base = origin{}
	}
	return r, err
}

// isPackage reports whether a place is a package.
func (b *bundle) isPackage(at origin) (bool, error) {
	if at.commit.IsZero() {
		return false, nil
	}
	return b.store.repo.HasFile(at.commit, path.Join(at.path, kptfile.Name))
}

func isClone(rev Revision) bool { return rev.Task != nil && rev.Task.Type == porch.TaskClone }

// began is the commit of the main branch that the draft's first commit was made on, zero when that is not
// known.
func (b *bundle) began(rev Revision) (gitrepo.Hash, error) {
	t := &tracer{store: b.store, path: rev.Path, workspace: rev.Workspace, seen: map[gitrepo.Hash]bool{}}
	steps, begun, err := t.back(rev.Commit, longestDraft)
	if err != nil || !begun {
		return gitrepo.Hash{}, err
	}
	if first := steps[len(steps)-1]; len(first.Parents) == 1 {
		if _, onMain := b.mainline[first.Parents[0]]; onMain {
			return first.Parents[0], nil
		}
	}
	return gitrepo.Hash{}, nil
}

// continues names the revision that rev was made from, "" when it is not made from one of its package.
func continues(rev Revision) string {
	switch t := rev.Task; {
	case t == nil:
	case t.Edit != nil && t.Edit.Source != nil:
		return t.Edit.Source.Name
	case t.Upgrade != nil:
		return t.Upgrade.LocalPackageRevision.Name
	}
	return ""
}

// fork is the newest commit of the main branch in a draft's history, zero when there is none.
func (b *bundle) fork(draft gitrepo.Hash) (at gitrepo.Hash, err error) {
	if err := b.readMainline(); err != nil {
		return gitrepo.Hash{}, err
	}
	seen := map[gitrepo.Hash]bool{draft: true}
	for next := []gitrepo.Hash{draft}; len(next) > 0; next = next[1:] {
		id := next[0]
		if n, onMain := b.mainline[id]; onMain {
			if at.IsZero() || n < b.mainline[at] {
				at = id
			}
			continue
		}
		c, err := b.store.repo.Commit(id)
		if err != nil {
			return gitrepo.Hash{}, err
		}
		for _, p := range c.Parents {
			if !seen[p] {
				seen[p] = true
				next = append(next, p)
			}
		}
	}
	return at, nil
}

// readMainline numbers the commits of the main branch as it is, newest first.
func (b *bundle) readMainline() error {
	if b.mainline != nil {
		return nil
	}
	line := map[gitrepo.Hash]int{b.base: 0}
	for next := []gitrepo.Hash{b.base}; len(next) > 0; next = next[1:] {
		c, err := b.store.repo.Commit(next[0])
		if err != nil {
			return err
		}
		for _, p := range c.Parents {
			if _, seen := line[p]; !seen {
				line[p] = len(line)
				next = append(next, p)
			}
		}
	}
	b.mainline = line
	return nil
}
