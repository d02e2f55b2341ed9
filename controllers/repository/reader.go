package repository

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/fleet/statusbranch"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// Reader reads Repository objects for one command and opens what they name, each at most once. It
// starts nothing and watches nothing.
type Reader struct {
	client client.Reader

	mu   sync.Mutex
	open map[key]*snapshot.Repository
}

// NewReader makes a Reader that asks an API server.
func NewReader(cfg *rest.Config) (*Reader, error) {
	scheme := runtime.NewScheme()
	if err := errors.Join(corev1.AddToScheme(scheme), porchconfig.AddToScheme(scheme)); err != nil {
		return nil, err
	}
	c, err := client.New(cfg, client.Options{Scheme: scheme})
	if err != nil {
		return nil, err
	}
	return &Reader{client: c, open: map[key]*snapshot.Repository{}}, nil
}

// Keys name the Repository objects of a namespace, of all when it is "", sorted.
func (r *Reader) Keys(ctx context.Context, namespace string) ([]types.NamespacedName, error) {
	var list porchconfig.RepositoryList
	if err := r.client.List(ctx, &list, client.InNamespace(namespace)); err != nil {
		return nil, requestError(err)
	}
	var out []types.NamespacedName
	for i := range list.Items {
		out = append(out, client.ObjectKeyFromObject(&list.Items[i]))
	}
	slices.SortFunc(out, func(a, b types.NamespacedName) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return out, nil
}

// requestError is an error of the API server; one that cannot be reached comes with its address and the reason.
func requestError(err error) error {
	var connection *url.Error
	if errors.As(err, &connection) {
		return fmt.Errorf("the API server cannot be reached: %w", connection)
	}
	return live.StableError(err)
}

// Repository opens a repository by the name of its Repository object.
func (r *Reader) Repository(ctx context.Context, namespace, name string) (*snapshot.Repository, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := key{Namespace: namespace, Name: name}
	if repo := r.open[at]; repo != nil {
		return repo, nil
	}
	repo, err := r.read(ctx, at)
	if err != nil {
		return nil, repositoryError(at, err)
	}
	r.open[at] = repo
	return repo, nil
}

func (r *Reader) read(ctx context.Context, at key) (*snapshot.Repository, error) {
	obj, err := getRepository(ctx, r.client, at)
	if err == nil {
		err = validate(obj)
	}
	if err != nil {
		return nil, err
	}
	a, err := readAccess(ctx, r.client, obj)
	if err != nil {
		return nil, err
	}
	repo, _, err := openGit(ctx, obj, Options{}.git(obj, a))
	return repo, err
}

// statusBranch is the repository in which the status controller keeps what clusters report.
type statusBranch struct {
	cache *Cache
	at    key
}

// StatusBranch gives the status controller the repository of a Repository object.
func (c *Cache) StatusBranch(at types.NamespacedName) statusbranch.Repository {
	c.status = at
	return statusBranch{c, at}
}

// Open returns the repository, and what its object says about it.
func (s statusBranch) Open(ctx context.Context) (out statusbranch.Opened, err error) {
	obj, err := getRepository(ctx, s.cache.objects, s.at)
	if snapshot.IsNoRepository(err) {
		return out, err
	} else if err != nil {
		return out, repositoryError(s.at, err)
	}
	e, err := s.cache.refresh(ctx, obj, refreshOptions{maxAge: s.cache.options.Fresh})
	if err != nil {
		return out, repositoryError(s.at, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	git := obj.Spec.Git
	return statusbranch.Opened{Repo: e.git, Branch: git.BranchName(), Directory: git.Directory, Author: git.Author, Email: git.Email}, nil
}

// Reopen has the repository opened again when it is next read.
func (s statusBranch) Reopen() { s.cache.Reopen(s.at) }
