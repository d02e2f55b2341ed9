package reconciler

import (
	"context"
	"strings"
	"sync"

	"github.com/waybill-dev/waybill/pkg/revision"
)

// look is what a repository holds, as one pass sees it.
type look struct {
	once      sync.Once
	err       error
	revisions []revision.Revision
	byPackage map[string][]int
	byOwner   map[string][]int
	byRef     map[string][]int // short: what locks name
}

// look lists a repository, once in a pass.
func (p *pass) look(repo *Repository) (*look, error) {
	p.mu.Lock()
	l := p.looks[repo]
	if l == nil {
		l = &look{}
		p.looks[repo] = l
	}
	p.mu.Unlock()
	l.once.Do(func() { l.read(repo.Store) })
	return l, l.err
}

// forget makes the pass look at a repository anew, and at what other variants want there.
func (p *pass) forget(repo *Repository) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.looks, repo)
	clear(p.wishes)
}

func (l *look) read(store *revision.Store) {
	l.revisions, l.err = store.List()
	l.byPackage, l.byOwner, l.byRef = map[string][]int{}, map[string][]int{}, map[string][]int{}
	for i, rev := range l.revisions {
		l.byPackage[rev.Package] = append(l.byPackage[rev.Package], i)
		if owner := rev.Owner.String(); owner != "" {
			l.byOwner[owner] = append(l.byOwner[owner], i)
		}
		ref := shortRef(rev.Ref)
		l.byRef[ref] = append(l.byRef[ref], i)
	}
}

func shortRef(ref string) string {
	return strings.TrimPrefix(strings.TrimPrefix(ref, "refs/tags/"), "refs/heads/")
}

// name is that of a Repository object.
type name struct{ namespace, name string }

// opened is a repository, or why it cannot be had.
type opened struct {
	repo *Repository
	err  error
}

// open opens a repository of a namespace, the same for the whole pass; in a dry run nothing leaves
// this process.
func (p *pass) open(ctx context.Context, namespace, repo string) (*Repository, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := name{namespace, repo}
	o, known := p.opened[key]
	if !known {
		o.repo, o.err = p.Repositories.Repository(ctx, namespace, repo)
		if o.err == nil && p.DryRun {
			o.repo.Store.Rehearse()
		}
		p.opened[key] = o
	}
	return o.repo, o.err
}
