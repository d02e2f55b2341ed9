package cluster

import (
	"cmp"
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// repositories is the name of the resource, as in the addresses of an API server.
const repositories = "repositories"

// Client reads and writes Repositories and their Secrets.
type Client struct {
	secrets dynamic.NamespaceableResourceInterface
	porch   *rest.RESTClient
}

// NewClient makes a Client of an API server.
func NewClient(cfg *rest.Config) (*Client, error) {
	all, err := dynamic.NewForConfig(cfg)
	if err != nil {
		return nil, err
	}
	porch, err := For(cfg, porchconfig.GroupVersion, porchconfig.AddToScheme)
	return &Client{all.Resource(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}), porch}, err
}

func repositoryError(err error) error {
	return unreachable(notServed(err, "Repositories",
		"apply config.porch.kpt.dev_repositories.yaml of controllers/manifests/crds, or install Porch"))
}

// Repositories are those of a namespace, of all when it is "", by namespace and name.
func (c *Client) Repositories(ctx context.Context, namespace string) (out []*porchconfig.Repository, err error) {
	var list porchconfig.RepositoryList
	err = c.porch.Get().NamespaceIfScoped(namespace, namespace != "").Resource(repositories).Do(ctx).Into(&list)
	if err != nil {
		return nil, repositoryError(err)
	}
	for i := range list.Items {
		out = append(out, &list.Items[i])
	}
	slices.SortFunc(out, func(a, b *porchconfig.Repository) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return out, nil
}

// Repository reads a Repository.
func (c *Client) Repository(ctx context.Context, at types.NamespacedName) (*porchconfig.Repository, error) {
	var obj porchconfig.Repository
	err := c.porch.Get().Namespace(at.Namespace).Resource(repositories).Name(at.Name).Do(ctx).Into(&obj)
	return &obj, repositoryError(err)
}

// CreateRepository creates a Repository.
func (c *Client) CreateRepository(ctx context.Context, obj *porchconfig.Repository) error {
	return repositoryError(c.porch.Post().Namespace(obj.Namespace).Resource(repositories).Body(obj).Do(ctx).Error())
}

// PatchRepository changes a Repository by a merge patch.
func (c *Client) PatchRepository(ctx context.Context, at types.NamespacedName, patch string) error {
	request := c.porch.Patch(types.MergePatchType).Namespace(at.Namespace).Resource(repositories).Name(at.Name)
	return repositoryError(request.Body([]byte(patch)).Do(ctx).Error())
}

// DeleteRepository deletes a Repository.
func (c *Client) DeleteRepository(ctx context.Context, at types.NamespacedName) error {
	return repositoryError(c.porch.Delete().Namespace(at.Namespace).Resource(repositories).Name(at.Name).Do(ctx).Error())
}
