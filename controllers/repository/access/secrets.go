package access

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/controllers/internal/apierror"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/variant/registry"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// Access holds what a Git server or a registry asks for.
type Access struct {
	Credentials gitrepo.Credentials
	Authorities []byte            // PEM
	Keychain    oci.Keychain      // of a registry
	Secret      map[string][]byte // of which Keychain was made; nil for none
}

// Options are the options to open a repository with.
func (a Access) Options() gitrepo.Options {
	return gitrepo.Options{Credentials: a.Credentials, CABundle: a.Authorities}
}

// Read reads the Secrets of a Repository. They are never cached: a controller that may read them one by one need
// not be allowed to list them all.
func Read(ctx context.Context, secrets SecretReader, obj *porchconfig.Repository) (Access, error) {
	a := Access{Keychain: oci.Anonymous()}
	var err error
	name := registry.SecretName(obj)
	if name != "" {
		if err = a.read(ctx, secrets, obj, name); err != nil {
			return Access{}, err
		}
	}
	a.Authorities, err = readAuthorities(ctx, secrets, obj.Namespace)
	if apierrors.IsForbidden(err) && name == "" {
		err = nil // a public repository needs no Secret: a namespace whose Secrets are forbidden has no bundle
	}
	if err != nil {
		return Access{}, fmt.Errorf("ca bundle: %w", apierror.Stable(err))
	}
	return a, nil
}

// workloadIdentity is a type of Secret that names an identity of a cloud.
const workloadIdentity = "kpt.dev/workload-identity-auth"

// read reads the credentials in the Secret that a Repository names.
func (a *Access) read(ctx context.Context, secrets SecretReader, obj *porchconfig.Repository, name string) error {
	s, err := secrets.Secret(ctx, types.NamespacedName{Namespace: obj.Namespace, Name: name})
	if apierrors.IsNotFound(err) {
		return fmt.Errorf("secretRef: there is no Secret %q in namespace %q", name, obj.Namespace)
	} else if err != nil {
		return fmt.Errorf("secretRef: %w", apierror.Stable(err))
	}
	if s.Type == workloadIdentity {
		return fmt.Errorf("secret %q: this release does not read Secrets of type %q; use a Secret with a password or a bearerToken",
			name, s.Type)
	}
	if obj.Spec.Type == porchconfig.RepositoryTypeOCI {
		a.Secret = s.Data
		a.Keychain, err = registry.Keychain(obj, name, s.Data)
		return err
	}
	a.Credentials, err = snapshot.Credentials(name, s.Data)
	return err
}

// readAuthorities reads the certificates that a namespace trusts beside the system's.
func readAuthorities(ctx context.Context, secrets SecretReader, namespace string) ([]byte, error) {
	s, err := secrets.Secret(ctx, types.NamespacedName{Namespace: namespace, Name: namespace + "-ca-bundle"})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s.Data["ca.crt"], nil
}
