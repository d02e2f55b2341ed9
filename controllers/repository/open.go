package repository

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/repository/access"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// Start waits until the manager ends, and then ends what reads of open repositories fetch.
func (c *Cache) Start(ctx context.Context) error {
	defer c.end()
	<-ctx.Done()
	return nil
}

// git are the options to open the repository of an object with.
func (o Options) git(obj *porchconfig.Repository, a access.Access) gitrepo.Options {
	opts := a.Options()
	opts.Bounds = o.Git
	if o.OnStep != nil {
		namespace, name := obj.Namespace, obj.Name // the caller changes obj later
		opts.OnStep = func(step gitrepo.Step) { o.OnStep(namespace, name, step) }
	}
	return opts
}

// reader reads what repositories are opened with by a client.
type reader struct{ client client.Reader }

// Repository implements access.RepositoryReader.
func (r reader) Repository(ctx context.Context, at key) (*porchconfig.Repository, error) {
	var obj porchconfig.Repository
	return &obj, r.client.Get(ctx, at, &obj)
}

// Secret implements access.SecretReader.
func (r reader) Secret(ctx context.Context, at key) (*access.Secret, error) {
	var obj corev1.Secret
	err := r.client.Get(ctx, at, &obj)
	return &access.Secret{Type: string(obj.Type), Data: obj.Data}, err
}
