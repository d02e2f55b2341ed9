package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/variant/manifests"
	"github.com/waybill-dev/waybill/pkg/variant/registry"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// Repositories opens the Git repositories and registries of an Input, each at most once. Credentials are those of the Secrets that
// Repository objects name, and else those that the user has for Git, or that docker or podman keep for the user.
type Repositories struct {
	// Registry says how registries are read, and has the credentials for Repositories that name no Secret.
	Registry registry.Options
	// Warn, when set, is called with a line about each Repository whose Secret the files do not hold.
	Warn func(line string)

	in     *Input
	onStep func(gitrepo.Step)
	warned map[Key]bool

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
	spec     porchconfig.RepositorySpec
	dir      string
	packages string // that the object names
	secret   map[string][]byte
}

var _ snapshot.Repositories = (*Repositories)(nil)

// Repositories returns the repositories of in. onStep, which may be nil, is called with what Git does.
func (in *Input) Repositories(onStep func(gitrepo.Step)) *Repositories {
	return &Repositories{in: in, onStep: onStep, warned: map[Key]bool{}, open: map[Key]opened{}}
}

// WithInput returns the repositories of files that were read again. One whose object and credentials have not changed
// stays open, and is fetched when it is used next.
func (r *Repositories) WithInput(in *Input) *Repositories {
	next := in.Repositories(r.onStep)
	next.Warn, next.warned, next.Registry = r.Warn, r.warned, r.Registry
	for key, o := range r.open {
		if o.err == nil {
			o.old = true
			next.open[key] = o
		}
	}
	return next
}

// Keys returns the names of all Repository objects, sorted.
func (r *Repositories) Keys() []Key { return r.in.repositoryKeys() }

func (in *Input) repositoryKeys() []Key {
	return slices.SortedFunc(maps.Keys(in.RepositoryObjects), func(a, b Key) int {
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
		err := fmt.Errorf("repository %s: %w", key, o.err)
		if obj.Spec.Type == porchconfig.RepositoryTypeOCI {
			err = &snapshot.UpstreamOnlyError{Err: err}
		}
		return nil, err
	}
	return o.repo, nil
}

// Dir returns the folder of the Git repository of a Repository object; "" if it is not on this machine.
func Dir(obj *manifests.Repository) string {
	if obj.Spec.Git == nil {
		return ""
	}
	at, err := location(obj.Dir, obj.Spec.Git.Repo)
	if err != nil { // Repository reports it
		return ""
	}
	return gitrepo.LocalDir(at)
}

func (r *Repositories) openOrRefresh(ctx context.Context, namespace string, obj *manifests.Repository, was opened) opened {
	now := opened{by: place{spec: obj.Spec, dir: obj.Dir, packages: obj.Annotations[registry.PackagesAnnotation]}}
	if now.err = obj.Validate(); now.err != nil {
		return now
	}
	secret := Key{Namespace: namespace, Name: registry.SecretName(obj.Repository)}
	lacking := secret.Name != "" && r.in.Secrets[secret] == nil
	if lacking {
		r.warnOfSecret(Key{Namespace: namespace, Name: obj.Name}, secret)
	} else {
		now.by.secret, now.err = r.in.secret(secret)
	}
	switch {
	case now.err != nil:
	case was.old && reflect.DeepEqual(was.by, now.by):
		now.repo, now.err = was.repo, was.repo.Store.Refresh(ctx)
	case obj.Spec.Type == porchconfig.RepositoryTypeOCI:
		now.repo, now.err = r.openRegistry(ctx, obj, now.by.secret)
	default:
		now.repo, now.err = r.openGit(ctx, obj, now.by.secret)
	}
	if refused := new(gitrepo.AuthError); lacking && errors.As(now.err, &refused) {
		now.err = fmt.Errorf("%w; or add the Secret %q of namespace %q, which spec.git.secretRef names, to the files",
			now.err, secret.Name, namespace)
	}
	return now
}

func (r *Repositories) openGit(ctx context.Context, obj *manifests.Repository, secret map[string][]byte) (*snapshot.Repository, error) {
	at, err := location(obj.Dir, obj.Spec.Git.Repo)
	if err != nil {
		return nil, err
	}
	opts := gitrepo.ForUser()
	opts.OnStep, opts.Context = r.onStep, ctx
	if secret != nil {
		if opts.Credentials, err = snapshot.Credentials(obj.Spec.Git.SecretRef.Name, secret); err != nil {
			return nil, err
		}
	}
	repo, _, err := snapshot.Open(ctx, obj.Repository, at, opts, 0)
	return repo, err
}

func (r *Repositories) openRegistry(ctx context.Context, obj *manifests.Repository, secret map[string][]byte,
) (*snapshot.Repository, error) {
	o := r.Registry
	o.Context = ctx
	if secret != nil {
		var err error
		if o.Client.Keychain, err = registry.Keychain(obj.Repository, obj.Spec.OCI.SecretRef.Name, secret); err != nil {
			return nil, err
		}
	}
	return registry.Open(ctx, obj.Repository, o)
}

// location is where the repository is: a relative path starts in the folder of its file, and becomes an absolute one, since locks
// have it; everything else is used as it is.
func location(dir, repo string) (string, error) {
	if first, _, _ := strings.Cut(repo, "/"); strings.Contains(first, ":") || filepath.IsAbs(repo) {
		return repo, nil
	}
	at, err := filepath.Abs(filepath.Join(dir, filepath.FromSlash(repo)))
	if err != nil {
		return "", fmt.Errorf("spec.git.repo %q: the relative path cannot be made absolute; write it in full: %w", repo, err)
	}
	return at, nil
}

// Overlaps returns which of the opened Repository objects show the same revisions.
func (r *Repositories) Overlaps() []snapshot.Overlap {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []snapshot.View
	for key, o := range r.open {
		if o.err == nil {
			all = append(all, snapshot.NewView(key.Namespace, key.Name, o.repo))
		}
	}
	return snapshot.Overlaps(all)
}
