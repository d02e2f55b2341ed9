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

// opened is a repository, or why it cannot be opened, and with what it was opened.
type opened struct {
	repo *snapshot.Repository
	err  error
	by   place
	old  bool // it is to be fetched before it is used: the files were read again
}

// place says where a repository is and how to log in.
type place struct {
	spec  porchconfig.RepositorySpec
	dir   string
	creds gitrepo.Credentials
}

var _ snapshot.Repositories = (*Repositories)(nil)

// Repositories returns the repositories of in. onStep, which may be nil, is called with what Git does.
func (in *Input) Repositories(onStep func(gitrepo.Step)) *Repositories {
	return &Repositories{in: in, onStep: onStep, open: map[Key]opened{}}
}

// WithInput returns the repositories of files that were read again. One whose object and credentials have not changed
// stays open, and is fetched when it is used next.
func (r *Repositories) WithInput(in *Input) *Repositories {
	next := in.Repositories(r.onStep)
	for key, o := range r.open {
		if o.err == nil {
			o.old = true
			next.open[key] = o
		}
	}
	return next
}

// Keys returns the names of all Repository objects, sorted.
func (r *Repositories) Keys() []Key {
	return slices.SortedFunc(maps.Keys(r.in.RepositoryObjects), func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
}

// Names returns the names of the Repository objects of a namespace, sorted.
func (r *Repositories) Names(_ context.Context, namespace string) (names []string, err error) {
	for _, key := range r.Keys() {
		if key.Namespace == namespace {
			names = append(names, key.Name)
		}
	}
	return names, nil
}

// Repository opens a repository by the name of its Repository object. It does not try a repository again that it could
// not open: most variants of a fleet share their repositories, and would all wait for it.
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
		o = r.openOrRefresh(ctx, namespace, obj, o)
		r.open[key] = o
	}
	if o.err != nil {
		return nil, fmt.Errorf("repository %s: %w", key, o.err)
	}
	return o.repo, nil
}

// Dir returns the folder of the Git repository of a Repository object; "" if it is not on this machine.
func Dir(obj *manifests.Repository) string {
	if obj.Spec.Git == nil {
		return ""
	}
	return gitrepo.LocalDir(location(obj.Dir, obj.Spec.Git.Repo))
}

func (r *Repositories) openOrRefresh(ctx context.Context, namespace string, obj *manifests.Repository, was opened) opened {
	now := opened{by: place{spec: obj.Spec, dir: obj.Dir}}
	if now.err = snapshot.Validate(obj.Repository); now.err == nil {
		now.by.creds, now.err = r.in.credentials(namespace, obj.Spec.Git.SecretRef.Name)
	}
	switch {
	case now.err != nil:
	case was.old && reflect.DeepEqual(was.by, now.by):
		now.repo, now.err = was.repo, was.repo.Store.Refresh(ctx)
	default:
		opts := gitrepo.Options{Credentials: now.by.creds, SSH: gitrepo.SSHFromEnvironment(os.Getenv), OnStep: r.onStep}
		now.repo, _, now.err = snapshot.Open(ctx, obj.Repository, location(obj.Dir, obj.Spec.Git.Repo), opts, 0)
	}
	return now
}

// location is where the repository is: a relative path starts in the folder of its file, everything
// else is used as it is.
func location(dir, repo string) string {
	if first, _, _ := strings.Cut(repo, "/"); strings.Contains(first, ":") || filepath.IsAbs(repo) {
		return repo
	}
	return filepath.Join(dir, filepath.FromSlash(repo))
}

// Overlaps returns which of the opened Repository objects show the same revisions.
func (r *Repositories) Overlaps() []snapshot.Overlap {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []snapshot.View
	for key, o := range r.open {
		if o.err != nil {
			continue
		}
		if revisions, err := o.repo.Store.List(); err == nil { // else the variants that need it report the error
			all = append(all, snapshot.View{
				Namespace: key.Namespace, Name: key.Name, Repository: o.repo, Through: snapshot.Through(key.Namespace, revisions)})
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
