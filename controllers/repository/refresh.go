package repository

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/waybill-dev/waybill/controllers/internal/apierror"
	"github.com/waybill-dev/waybill/controllers/repository/access"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/variant/registry"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// refreshOptions say how fresh a repository has to be.
type refreshOptions struct {
	maxAge  time.Duration // of a fetch that still serves
	timeout time.Duration // zero means Options.SlowAfter
	poll    bool          // try again after a failure, without a timeout
	except  map[key]bool  // objects that need no request for changes
}

// refresh makes sure that a repository is open and was fetched lately enough, and enqueues requests for what is new. A
// fetch that fails leaves the repository open.
func (c *Cache) refresh(ctx context.Context, obj *porchconfig.Repository, o refreshOptions) (*entry, error) {
	at := key{Namespace: obj.Namespace, Name: obj.Name}
	e := c.entry(at)
	of := objectVersion{string(obj.UID), obj.Generation}
	fetchCtx, cancel := ctx, func() {}
	if !o.poll {
		fetchCtx, cancel = context.WithTimeoutCause(ctx, cmp.Or(o.timeout, c.options.SlowAfter), errSlow)
	}
	defer cancel()
	if err := e.lock(fetchCtx, c.options.SlowAfter, o.poll); err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	defer e.unlock()
	if ok, err := e.cached(of, o); ok {
		if err != nil {
			return nil, err
		}
		return e, nil
	}
	what, err := c.openOrFetch(fetchCtx, e, obj)
	if ctx.Err() != nil || apierror.IsUnavailable(err) { // that says nothing about the repository
		return nil, errors.Join(err, ctx.Err())
	}
	if err != nil && errors.Is(context.Cause(fetchCtx), errSlow) {
		err = errSlow
	}
	if !what.IsZero() {
		c.NotifyPorch(ctx, at)
	}
	recovered := e.record(of, err, o.poll, c.options)
	c.metrics.fetched(at, e)
	if err != nil {
		return nil, err
	}
	if recovered {
		what = snapshot.Change{All: true}
	}
	if !what.IsZero() {
		c.changed(ctx, at, what, o.except)
	}
	return e, nil
}

// digest is that of everything an open repository was opened with. With another one it is opened again.
type digest [sha256.Size]byte

func digestOf(obj *porchconfig.Repository, a access.Access) (digest, error) {
	data, err := json.Marshal([]any{
		obj.UID, obj.Spec.Git, obj.Spec.Deployment, a.Credentials.Username, a.Credentials.Password, a.Credentials.BearerToken, a.Authorities,
		obj.Spec.OCI, obj.Annotations[registry.PackagesAnnotation], a.Secret,
	})
	return sha256.Sum256(data), err
}

// openOrFetch opens a repository for the first time or with another spec or Secrets, and else fetches it.
func (c *Cache) openOrFetch(ctx context.Context, e *entry, obj *porchconfig.Repository) (snapshot.Change, error) {
	if c.options.Served != nil {
		return c.openOrFetchServed(ctx, e, obj)
	}
	if err := access.Validate(obj); err != nil {
		e.update(func() { e.digest = digest{} })
		return snapshot.Change{}, err
	}
	a, err := access.Read(ctx, reader{c.secrets}, obj)
	if err != nil {
		return snapshot.Change{}, err
	}
	with, err := digestOf(obj, a)
	if err != nil {
		return snapshot.Change{}, err
	}
	if obj.Spec.Type == porchconfig.RepositoryTypeOCI {
		return c.openOrFetchRegistry(ctx, e, obj, a, with)
	}
	opts := c.options.git(obj, a)
	opts.Context = c.reading
	if err := stillTooLarge(ctx, obj, opts); err != nil {
		return snapshot.Change{}, err
	}
	open, same := e.isOpen(with)
	if same {
		what, err := e.fetch(ctx)
		return what, tooLarge(err, opts)
	}
	repo, git, err := access.Open(ctx, obj, opts)
	if err != nil {
		return snapshot.Change{}, tooLarge(err, opts)
	}
	e.update(func() { e.git, e.repo, e.digest = git, repo, with })
	return snapshot.Change{All: open}, nil
}

// openOrFetchRegistry is openOrFetch of a Repository of type oci.
func (c *Cache) openOrFetchRegistry(ctx context.Context, e *entry, obj *porchconfig.Repository, a access.Access, with digest,
) (snapshot.Change, error) {
	open, same := e.isOpen(with)
	if same {
		return e.fetch(ctx)
	}
	opts := c.options.Registry
	opts.Context = c.reading
	repo, err := access.OpenRegistry(ctx, obj, a, opts)
	if err != nil {
		return snapshot.Change{}, err
	}
	e.update(func() { e.git, e.repo, e.digest = nil, repo, with })
	return snapshot.Change{All: open}, nil
}

// fetch fetches an open repository. It holds what this process pushed, which is no change.
func (e *entry) fetch(ctx context.Context) (snapshot.Change, error) {
	refs := e.refs()
	before, err := e.repo.Store.List()
	if err != nil {
		return snapshot.Change{}, err
	}
	if err := e.repo.Store.Refresh(ctx); err != nil {
		return snapshot.Change{}, err
	}
	if e.git != nil && slices.Equal(refs, e.refs()) {
		return snapshot.Change{}, nil
	}
	after, err := e.repo.Store.List()
	return snapshot.Changes(before, after), err
}

// refs are those of an open Git repository.
func (e *entry) refs() []gitrepo.Ref {
	if e.git == nil {
		return nil
	}
	return e.git.Refs()
}
