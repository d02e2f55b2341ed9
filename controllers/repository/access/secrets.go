package access

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/controllers/internal/apierror"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// Access holds what a Git server asks for.
type Access struct {
	Credentials gitrepo.Credentials
	Authorities []byte // PEM
}

// Options are the options to open a repository with.
func (a Access) Options() gitrepo.Options {
	return gitrepo.Options{Credentials: a.Credentials, CABundle: a.Authorities}
}

// Read reads the Secrets of a Repository. They are never cached: a controller that may read them one by one need
// not be allowed to list them all.
func Read(ctx context.Context, secrets SecretReader, obj *porchconfig.Repository) (Access, error) {
	var a Access
	var err error
	if name := obj.Spec.Git.SecretRef.Name; name != "" {
		if a.Credentials, err = readCredentials(ctx, secrets, types.NamespacedName{Namespace: obj.Namespace, Name: name}); err != nil {
			return Access{}, err
		}
	}
	a.Authorities, err = readAuthorities(ctx, secrets, obj.Namespace)
	if apierrors.IsForbidden(err) && obj.Spec.Git.SecretRef.Name == "" {
		err = nil // a public repository needs no Secret: a namespace whose Secrets are forbidden has no bundle
	}
	if err != nil {
		return Access{}, fmt.Errorf("ca bundle: %w", apierror.Stable(err))
	}
	return a, nil
}

// workloadIdentity is a type of Secret that names an identity of a cloud.
const workloadIdentity = "kpt.dev/workload-identity-auth"

// readCredentials reads a Secret of type kubernetes.io/basic-auth, or Opaque with a bearerToken.
func readCredentials(ctx context.Context, secrets SecretReader, at types.NamespacedName) (gitrepo.Credentials, error) {
	s, err := secrets.Secret(ctx, at)
	if apierrors.IsNotFound(err) {
		return gitrepo.Credentials{}, fmt.Errorf("secretRef: there is no Secret %q in namespace %q", at.Name, at.Namespace)
	} else if err != nil {
		return gitrepo.Credentials{}, fmt.Errorf("secretRef: %w", apierror.Stable(err))
	}
	if s.Type == workloadIdentity {
		return gitrepo.Credentials{}, fmt.Errorf(
			"secret %q: this release does not read Secrets of type %q; use a Secret with a password or a bearerToken",
			at.Name, s.Type)
	}
	return snapshot.Credentials(at.Name, s.Data)
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
