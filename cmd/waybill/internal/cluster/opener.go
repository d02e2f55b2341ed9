package cluster

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/controllers/repository/access"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/variant/registry"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// Opener opens what Repositories name, each at most once. It starts nothing and watches nothing.
type Opener struct {
	client *Client

	mu   sync.Mutex
	open map[types.NamespacedName]*snapshot.Repository
}

// NewOpener makes an Opener.
func NewOpener(client *Client) *Opener {
	return &Opener{client: client, open: map[types.NamespacedName]*snapshot.Repository{}}
}

// Repository opens a repository by the name of its Repository object.
func (o *Opener) Repository(ctx context.Context, namespace, name string) (*snapshot.Repository, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	at := types.NamespacedName{Namespace: namespace, Name: name}
	if repo := o.open[at]; repo != nil {
		return repo, nil
	}
	obj, err := access.Get(ctx, o.client, at)
	if err != nil {
		return nil, access.Error(at, err)
	}
	repo, err := o.read(ctx, obj)
	if err != nil {
		return nil, access.UpstreamOnly(obj, access.Error(at, err))
	}
	o.open[at] = repo
	return repo, nil
}

func (o *Opener) read(ctx context.Context, obj *porchconfig.Repository) (*snapshot.Repository, error) {
	if err := access.Validate(obj); err != nil {
		return nil, err
	}
	a, err := access.Read(ctx, o.client, obj)
	if err != nil {
		return nil, err
	}
	if obj.Spec.Type == porchconfig.RepositoryTypeOCI {
		client := oci.Options{Cache: new(cli.CacheFlags).Registries(0)}
		return access.OpenRegistry(ctx, obj, a, registry.Options{Client: client, Context: ctx})
	}
	opts := a.Options()
	opts.Context = ctx
	repo, _, err := access.Open(ctx, obj, opts)
	return repo, err
}
