package porchstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// Repositories are those of a cluster with a Porch, for one command. Each is opened at most once.
type Repositories struct {
	client client.Client

	mu   sync.Mutex
	open map[client.ObjectKey]opened
}

// opened is a repository, or why it cannot be opened.
type opened struct {
	repo *snapshot.Repository
	err  error
}

var _ snapshot.Repositories = (*Repositories)(nil)

// NewRepositories asks an API server for Repositories.
func NewRepositories(cfg *rest.Config) (*Repositories, error) {
	scheme := runtime.NewScheme()
	if err := errors.Join(porch.AddToScheme(scheme), porchconfig.AddToScheme(scheme)); err != nil {
		return nil, err
	}
	if cfg.QPS == 0 { // the API server has its own priority and fairness
		cfg = rest.CopyConfig(cfg)
		cfg.QPS = -1
	}
	c, err := client.New(cfg, client.Options{Scheme: scheme})
	return &Repositories{client: c, open: map[client.ObjectKey]opened{}}, err
}

// Reread has every repository read again when it is used next.
func (r *Repositories) Reread() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.open)
}

// Names returns the names of the Repository objects of a namespace, sorted.
func (r *Repositories) Names(ctx context.Context, namespace string) (names []string, err error) {
	var list porchconfig.RepositoryList
	err = r.client.List(ctx, &list, client.InNamespace(namespace))
	for i := range list.Items {
		names = append(names, list.Items[i].Name)
	}
	slices.Sort(names)
	return names, err
}

// Repository opens a repository by the name of its Repository object.
func (r *Repositories) Repository(ctx context.Context, namespace, name string) (*snapshot.Repository, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := client.ObjectKey{Namespace: namespace, Name: name}
	o, known := r.open[at]
	if !known {
		o.repo, o.err = r.read(ctx, at)
		r.open[at] = o
	}
	return o.repo, o.err
}

func (r *Repositories) read(ctx context.Context, at client.ObjectKey) (*snapshot.Repository, error) {
	var obj porchconfig.Repository
	err := r.client.Get(ctx, at, &obj)
	if apierrors.IsNotFound(err) {
		return nil, &snapshot.NoRepositoryError{Namespace: at.Namespace, Name: at.Name}
	}
	var repo *snapshot.Repository
	if err == nil {
		repo, _, err = Open(ctx, &obj, Options{Client: r.client, Objects: r.client})
	}
	if err != nil {
		return nil, fmt.Errorf("repository %s: %w", at, err)
	}
	return repo, nil
}

// Overlaps returns which of the opened Repository objects show the same revisions.
func (r *Repositories) Overlaps() []snapshot.Overlap {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []snapshot.View
	for at, o := range r.open {
		if o.err == nil {
			all = append(all, snapshot.NewView(at.Namespace, at.Name, o.repo))
		}
	}
	return snapshot.Overlaps(all)
}
