package cluster

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// repositories keeps the repositories of the cluster's Repository objects open, each opened once for
// a spec and the Secrets that go with it.
type repositories struct {
	objects client.Reader // the cache
	live    client.Reader // for Secrets
	options Options
	meters  *meters
	// changed is told what became different, but for what the asker has seen by that.
	changed func(ctx context.Context, at key, what change, except map[key]bool)

	mu    sync.Mutex
	known map[key]*entry
}

// entry is a Repository object's repository, or why it cannot be had.
type entry struct {
	asking chan struct{} // holds a token while Git is asked: who comes next finds the answer

	mu      sync.Mutex // of what follows
	since   time.Time  // when the present question began; zero when there is none
	of      identity
	seal    seal
	git     *gitrepo.Repo
	repo    *packagevariant.Repository
	through map[string]bool // names of Repositories, as the last poll found
	looked  time.Time       // when all was well
	err     error
	tries   int       // that failed since
	retry   time.Time // before that nobody but the poller tries
	missed  bool      // somebody was told err
	doubts  bool      // the next look is a new one
	reopen  bool      // and opens the repository anew
}

// identity is which object an entry is of, and in which state of its spec.
type identity struct {
	uid        string
	generation int64
}

func newRepositories(objects, live client.Reader, o Options, m *meters) *repositories {
	return &repositories{objects: objects, live: live, options: o, meters: m, known: map[key]*entry{}}
}

// forPass are the repositories as a pass of variants sees them.
func (r *repositories) forPass(keys []key) packagevariant.Repositories {
	v := visit{maxAge: r.options.Fresh, except: make(map[key]bool, len(keys))}
	for _, k := range keys {
		v.except[k] = true
	}
	return &passRepositories{repositories: r, visit: v}
}

// passRepositories are repositories with what is looked at for a pass.
type passRepositories struct {
	*repositories
	visit visit
	slow  atomic.Bool // a server took too long: the pass has less patience with others
}

var _ packagevariant.Repositories = (*passRepositories)(nil)

// Repository opens a repository by the name of its Repository object.
func (p *passRepositories) Repository(ctx context.Context, namespace, name string) (*packagevariant.Repository, error) {
	at := key{Namespace: namespace, Name: name}
	var obj porchconfig.Repository
	if err := p.objects.Get(ctx, at, &obj); apierrors.IsNotFound(err) {
		p.missing(at)
		return nil, &packagevariant.NoRepositoryError{Namespace: namespace, Name: name}
	} else if err != nil {
		return nil, err
	}
	v := p.visit
	if p.slow.Load() {
		v.patience = p.options.SlowAfter / 10
	}
	e, err := p.look(ctx, &obj, v)
	if errors.Is(err, errSlow) {
		p.slow.Store(true)
	}
	if err != nil {
		return nil, repositoryError(at, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.repo, nil
}

// Names are the names of the Repository objects of a namespace, sorted.
func (r *repositories) Names(ctx context.Context, namespace string) (names []string, err error) {
	var list porchconfig.RepositoryList
	err = r.objects.List(ctx, &list, client.InNamespace(namespace), client.UnsafeDisableDeepCopy)
	for i := range list.Items {
		names = append(names, list.Items[i].Name)
	}
	slices.Sort(names)
	return names, err
}

// surveys are those of the repositories of a namespace that are open, by name.
func (r *repositories) surveys(namespace string) map[string]survey {
	out := map[string]survey{}
	for _, s := range r.shown(namespace) {
		if revisions, err := s.Store.List(); err == nil { // else nobody makes anything of it either
			out[s.Name] = newSurvey(revisions)
		}
	}
	return out
}

// shown are the repositories of a namespace that are open.
func (r *repositories) shown(namespace string) (out []packagevariant.Shown) {
	r.mu.Lock()
	known := maps.Clone(r.known)
	r.mu.Unlock()
	for at, e := range known {
		if at.Namespace != namespace {
			continue
		}
		e.mu.Lock()
		repo, through := e.repo, e.through
		e.mu.Unlock()
		if repo != nil {
			out = append(out, packagevariant.Shown{Namespace: at.Namespace, Name: at.Name, Repository: repo, Through: through})
		}
	}
	return out
}

// overlap notes through which Repositories the revisions were made that one shows, and says how it overlaps with
// others; "" when it does not.
func (r *repositories) overlap(at key, e *entry, revisions []revision.Revision) string {
	e.mu.Lock()
	e.through = packagevariant.Through(at.Namespace, revisions)
	me := packagevariant.Shown{Namespace: at.Namespace, Name: at.Name, Repository: e.repo, Through: e.through}
	e.mu.Unlock()
	var found []string
	for _, other := range r.shown(at.Namespace) {
		if o, overlaps := me.Overlaps(other); overlaps {
			found = append(found, o.String())
		}
	}
	slices.Sort(found)
	return strings.Join(found, "; ")
}

// entry is that of a Repository object, new when there was none.
func (r *repositories) entry(at key) *entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.known[at]
	if e == nil {
		e = &entry{asking: make(chan struct{}, 1)}
		r.known[at] = e
	}
	return e
}

// missing notes that somebody wanted a repository that is not there.
func (r *repositories) missing(at key) {
	e := r.entry(at)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.missed = true
}

// gone lets a repository go whose object is no more.
func (r *repositories) gone(ctx context.Context, at key) {
	r.mu.Lock()
	delete(r.known, at)
	r.mu.Unlock()
	r.meters.forgetRepository(at)
	r.changed(ctx, at, change{all: true}, nil)
}

// reopen has a repository opened anew when it is next wanted: what is held of it may not be what the
// server has.
func (r *repositories) reopen(at key) {
	e := r.entry(at)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reopen = true
}

// pause is how long to wait before the next look at a repository that cannot be had.
func (r *repositories) pause(at key) time.Duration {
	e := r.entry(at)
	e.mu.Lock()
	defer e.mu.Unlock()
	return max(time.Until(e.retry), 0)
}

// doubt has the next pass look at repositories itself: what it had of them was no good.
func (r *repositories) doubt(at key) {
	e := r.entry(at)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.doubts = true
}
