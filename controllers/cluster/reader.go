package cluster

import (
	"cmp"
	"context"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// Reader reads Repository objects for one command and opens what they name, each at most once. It
// starts nothing and watches nothing.
type Reader struct {
	live client.Reader

	mu   sync.Mutex
	open map[key]*packagevariant.Repository
}

// NewReader makes a Reader that asks an API server.
func NewReader(cfg *rest.Config) (*Reader, error) {
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	live, err := client.New(cfg, client.Options{Scheme: scheme})
	if err != nil {
		return nil, err
	}
	return &Reader{live: live, open: map[key]*packagevariant.Repository{}}, nil
}

// Keys name the Repository objects of a namespace, of all when it is "", sorted.
func (r *Reader) Keys(ctx context.Context, namespace string) ([]types.NamespacedName, error) {
	var list porchconfig.RepositoryList
	if err := r.live.List(ctx, &list, client.InNamespace(namespace)); err != nil {
		return nil, plain(err)
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

// Repository opens a repository by the name of its Repository object.
func (r *Reader) Repository(ctx context.Context, namespace, name string) (*packagevariant.Repository, error) {
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

func (r *Reader) read(ctx context.Context, at key) (*packagevariant.Repository, error) {
	var obj porchconfig.Repository
	if err := r.live.Get(ctx, at, &obj); apierrors.IsNotFound(err) {
		return nil, &packagevariant.NoRepositoryError{Namespace: at.Namespace, Name: at.Name}
	} else if err != nil {
		return nil, plain(err)
	}
	if err := readable(&obj); err != nil {
		return nil, err
	}
	a, err := readAccess(ctx, r.live, &obj)
	if err != nil {
		return nil, err
	}
	_, repo, err := openGit(ctx, &obj, (&repositories{}).gitOptions(&obj, a))
	return repo, err
}
