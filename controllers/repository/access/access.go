// Package access opens the Git repository or the registry that a Repository object of a cluster names, with the Secrets that the object
// refers to. It reads both through an interface, so that commands need not link the caches of controllers.
package access

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/controllers/internal/apierror"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/variant/registry"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// RepositoryReader reads Repository objects.
type RepositoryReader interface {
	Repository(ctx context.Context, at types.NamespacedName) (*porchconfig.Repository, error)
}

// Secret is what a Repository uses of a Secret. The package with Kubernetes' own type has hundreds of others.
type Secret struct {
	Type string            `json:"type"`
	Data map[string][]byte `json:"data"`
}

// SecretReader reads Secrets.
type SecretReader interface {
	Secret(ctx context.Context, at types.NamespacedName) (*Secret, error)
}

// Get reads a Repository object.
func Get(ctx context.Context, r RepositoryReader, at types.NamespacedName) (*porchconfig.Repository, error) {
	obj, err := r.Repository(ctx, at)
	if apierrors.IsNotFound(err) {
		return nil, &snapshot.NoRepositoryError{Namespace: at.Namespace, Name: at.Name}
	}
	return obj, apierror.Stable(err)
}

// Validate says why packages cannot be read from a repository. A path would be one of the controller's own file system.
func Validate(obj *porchconfig.Repository) error {
	if err := obj.Validate(); err != nil {
		return err
	}
	if obj.Spec.Type == porchconfig.RepositoryTypeOCI {
		return registry.Validate(obj)
	}
	url := obj.Spec.Git.Repo
	if !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
		return fmt.Errorf("spec.git.repo %q: in a cluster, want an https or http URL", gitrepo.Redact(url))
	}
	return nil
}

// Error says which repository cannot be read.
func Error(at types.NamespacedName, err error) error { return fmt.Errorf("repository %s: %w", at, err) }

// Open opens a Git repository. A push that failed because another client was faster is not retried immediately, but
// after the pushes of others.
func Open(ctx context.Context, obj *porchconfig.Repository, opts gitrepo.Options) (*snapshot.Repository, *gitrepo.Repo, error) {
	return snapshot.Open(ctx, obj, obj.Spec.Git.Repo, opts, 1)
}

// OpenRegistry opens the registry of a Repository of type oci. Credentials are those of its Secret, and no others that this process may
// have. What is cached for one namespace, no other one reads.
func OpenRegistry(ctx context.Context, obj *porchconfig.Repository, a Access, o registry.Options) (*snapshot.Repository, error) {
	o.Client.Keychain, o.Client.CABundle, o.Client.CacheScope = a.Keychain, a.Authorities, obj.Namespace
	o.Client.Advice = "name a Secret with credentials by spec.oci.secretRef"
	return registry.Open(ctx, obj, o)
}

// UpstreamOnly marks an error of a Repository of type oci, which holds nothing that PackageVariants made.
func UpstreamOnly(obj *porchconfig.Repository, err error) error {
	if err == nil || obj.Spec.Type != porchconfig.RepositoryTypeOCI {
		return err
	}
	return &snapshot.UpstreamOnlyError{Err: err}
}
