package local

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/variant/manifests"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// Repositories opens the Git repositories of an Input, each at most once.
type Repositories struct {
	in     *Input
	onStep func(gitrepo.Step)

	mu   sync.Mutex
	open map[Key]opened
}

// opened is a repository, or why it cannot be had, and what it was opened by.
type opened struct {
	repo *snapshot.Repository
	err  error
	by   place
	old  bool // it has not been looked at since Again
}

// place says where a repository is and how to get in.
type place struct {
	spec  porchconfig.RepositorySpec
	dir   string
	creds gitrepo.Credentials
}

var _ snapshot.Repositories = (*Repositories)(nil)

// Repositories returns the repositories of in. onStep, which may be nil, is told what Git does.
func (in *Input) Repositories(onStep func(gitrepo.Step)) *Repositories {
	return &Repositories{in: in, onStep: onStep, open: map[Key]opened{}}
}

// Again returns the repositories of what was read anew. One whose object and credentials are as they
// were stays open: when it is next asked for, it is looked at again.
func (r *Repositories) Again(in *Input) *Repositories {
	next := in.Repositories(r.onStep)
	for key, o := range r.open {
		if o.err == nil {
			o.old = true
			next.open[key] = o
		}
	}
	return next
}

// Keys are the names of all Repository objects, sorted.
func (r *Repositories) Keys() []Key {
	return slices.SortedFunc(maps.Keys(r.in.RepositoryObjects), func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
}

// Names are the names of the Repository objects of a namespace, sorted.
func (r *Repositories) Names(_ context.Context, namespace string) (names []string, err error) {
	for _, key := range r.Keys() {
		if key.Namespace == namespace {
			names = append(names, key.Name)
		}
	}
	return names, nil
}

// Repository opens a repository by the name of its Repository object. One that cannot be opened is
// not tried again: a fleet's variants mostly share their repositories, and would all wait for it.
func (r *Repositories) Repository(ctx context.Context, namespace, name string) (*snapshot.Repository, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := Key{Namespace: namespace, Name: name}
	obj := r.in.RepositoryObjects[key]
	if obj == nil {
		return nil, &snapshot.NoRepositoryError{Namespace: namespace, Name: name}
	}
	o, known := r.open[key]
	if !known || o.old {
		o = r.openOrRefresh(ctx, key, obj, o)
		r.open[key] = o
	}
	if o.err != nil {
		return nil, fmt.Errorf("repository %s: %w", key, o.err)
	}
	return o.repo, nil
}

func (r *Repositories) openOrRefresh(ctx context.Context, key Key, obj *manifests.Repository, was opened) opened {
	var err error
	now := opened{by: place{spec: obj.Spec, dir: obj.Dir}}
	if now.by.creds, err = r.credentials(key, obj); err != nil {
		now.err = err
		return now
	}
	if was.old && reflect.DeepEqual(was.by, now.by) {
		now.repo, now.err = was.repo, was.repo.Store.Refresh(ctx)
		return now
	}
	now.repo, now.err = r.openRepository(ctx, obj, now.by.creds)
	return now
}

// credentials are those of a repository whose object is as it should be.
func (r *Repositories) credentials(key Key, obj *manifests.Repository) (gitrepo.Credentials, error) {
	if err := snapshot.Validate(obj.Repository); err != nil {
		return gitrepo.Credentials{}, err
	}
	return r.in.credentials(key.Namespace, obj.Spec.Git.SecretRef.Name)
}

func (r *Repositories) openRepository(ctx context.Context, obj *manifests.Repository, creds gitrepo.Credentials) (*snapshot.Repository, error) {
	repo, _, err := snapshot.Open(ctx, obj.Repository, location(obj.Dir, obj.Spec.Git.Repo),
		gitrepo.Options{Credentials: creds, SSH: gitrepo.SSHFromEnvironment(os.Getenv), OnStep: r.onStep}, 0)
	return repo, err
}

// location is where the repository is: a relative path counts from its file's folder, everything
// else stands as it is.
func location(dir, repo string) string {
	if first, _, _ := strings.Cut(repo, "/"); strings.Contains(first, ":") || filepath.IsAbs(repo) {
		return repo
	}
	return filepath.Join(dir, filepath.FromSlash(repo))
}

// Overlaps are the Repository objects that show the same revisions, among those that have been opened.
func (r *Repositories) Overlaps() []snapshot.Overlap {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []snapshot.View
	for key, o := range r.open {
		if o.err != nil {
			continue
		}
		if revisions, err := o.repo.Store.List(); err == nil { // else the variants that need it say so
			all = append(all, snapshot.View{Namespace: key.Namespace, Name: key.Name, Repository: o.repo,
				Through: snapshot.Through(key.Namespace, revisions)})
		}
	}
	return snapshot.Overlaps(all)
}

// credentials reads a Secret of type kubernetes.io/basic-auth, or Opaque with a bearerToken.
func (in *Input) credentials(namespace, name string) (gitrepo.Credentials, error) {
	if name == "" {
		return gitrepo.Credentials{}, nil
	}
	s := in.Secrets[Key{Namespace: namespace, Name: name}]
	if s == nil {
		return gitrepo.Credentials{}, fmt.Errorf("secretRef: there is no Secret %q in namespace %q", name, namespace)
	}
	data := map[string][]byte{}
	for _, key := range []string{"username", "password", "bearerToken"} {
		value := []byte(s.String("stringData", key))
		if len(value) == 0 {
			var err error
			if value, err = base64.StdEncoding.DecodeString(s.String("data", key)); err != nil {
				return gitrepo.Credentials{}, fmt.Errorf("secret %q: data.%s is not base64", name, key)
			}
		}
		data[key] = value
	}
	return snapshot.Credentials(name, data)
}
