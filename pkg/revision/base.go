package revision

import "github.com/waybill-dev/waybill/pkg/gitrepo"

// restsOn is where the content is to be found that a draft began with: the published revision that it
// continues or, without one, the main branch where the draft left it. Somebody who merged main into
// the draft has seen what is there.
func (b *bundle) restsOn(rev Revision) (origin, error) {
	fork, merged, err := b.fork(rev.Commit)
	if err != nil {
		return origin{}, err
	}
	if source, ok := b.published.revs[continues(rev)]; ok && !merged && source.Path == rev.Path {
		return origin{commit: source.Commit, path: rev.Path}, nil
	}
	return origin{commit: fork, path: rev.Path}, nil
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

// fork is the newest commit of the main branch in a draft's history, zero when there is none. Where the
// draft came back to main after it had left it, main was merged in.
func (b *bundle) fork(draft gitrepo.Hash) (at gitrepo.Hash, merged bool, err error) {
	if err := b.readMainline(); err != nil {
		return gitrepo.Hash{}, false, err
	}
	ends := 0
	seen := map[gitrepo.Hash]bool{draft: true}
	for next := []gitrepo.Hash{draft}; len(next) > 0; next = next[1:] {
		id := next[0]
		if n, onMain := b.mainline[id]; onMain {
			if ends++; at.IsZero() || n < b.mainline[at] {
				at = id
			}
			continue
		}
		c, err := b.store.repo.Commit(id)
		if err != nil {
			return gitrepo.Hash{}, false, err
		}
		for _, p := range c.Parents {
			if !seen[p] {
				seen[p] = true
				next = append(next, p)
			}
		}
	}
	return at, ends > 1, nil
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
