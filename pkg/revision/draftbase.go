package revision

import (
	"path"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/kptfile"
)

// draftBase is what a draft was made from.
type draftBase struct {
	// content is the place of the content that the draft began with: the published revision that it
	// continues or, without one, the package on the main branch at the commit where the draft branched off. It is zero for a
	// clone, and if there was no package: the draft does not come from the files that were there.
	content origin
	// forked is the commit of the main branch where the draft branched off. merged is the newest commit of it in the draft's history: it
	// differs if a user merged main into the draft, and so has seen what was committed to main between the two.
	forked, merged gitrepo.Hash
}

func (b *bundle) baseOf(rev Revision) (d draftBase, err error) {
	if d.merged, err = b.newestOfMain(rev.Commit); err != nil {
		return d, err
	}
	if d.forked, err = b.forkPoint(rev); err != nil {
		return d, err
	}
	if d.forked.IsZero() {
		d.forked = d.merged
	}
	d.content = origin{commit: d.forked, path: rev.Path}
	if source, ok := b.published.revs[continues(rev.Task)]; ok && source.Path == rev.Path {
		d.content.commit = source.Commit
		return d, nil
	}
	is, err := b.isPackage(d.content)
	if !is || rev.Task != nil && rev.Task.Type == porch.TaskClone {
		d.content = origin{}
	}
	return d, err
}

// isPackage reports whether there is a package at a place.
func (b *bundle) isPackage(at origin) (bool, error) {
	if at.commit.IsZero() {
		return false, nil
	}
	return b.store.repo.HasFile(at.commit, path.Join(at.path, kptfile.Name))
}

// forkPoint is the commit of the main branch that is the parent of the draft's first commit, zero when it is not
// known.
func (b *bundle) forkPoint(rev Revision) (gitrepo.Hash, error) {
	t := &tracer{store: b.store, path: rev.Path, workspace: rev.Workspace, seen: map[gitrepo.Hash]bool{}}
	steps, begun, err := t.back(rev.Commit, maxDraftLength)
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

// continues names the revision of the same package that an edit or upgrade continues, "" for other tasks.
func continues(t *porch.Task) string {
	switch {
	case t == nil:
	case t.Edit != nil && t.Edit.Source != nil:
		return t.Edit.Source.Name
	case t.Upgrade != nil:
		return t.Upgrade.LocalPackageRevision.Name
	}
	return ""
}

// newestOfMain is the newest commit of the main branch in a draft's history, zero when there is none.
func (b *bundle) newestOfMain(draft gitrepo.Hash) (at gitrepo.Hash, err error) {
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

// readMainline numbers the commits of the current main branch, newest first.
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
