package cluster

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
)

// access is what gets us into a repository.
type access struct {
	credentials gitrepo.Credentials
	authorities []byte // PEM
}

// readAccess reads the Secrets of a Repository as they are now. They are never cached: whoever may
// read them one by one needs no leave to list them all.
func readAccess(ctx context.Context, live client.Reader, obj *porchconfig.Repository) (access, error) {
	var a access
	var err error
	if name := obj.Spec.Git.SecretRef.Name; name != "" {
		if a.credentials, err = readCredentials(ctx, live, key{Namespace: obj.Namespace, Name: name}); err != nil {
			return access{}, err
		}
	}
	a.authorities, err = readAuthorities(ctx, live, obj.Namespace)
	if apierrors.IsForbidden(err) && obj.Spec.Git.SecretRef.Name == "" {
		err = nil // no Secret of the namespace is for an open repository: where none may be read, there is none
	}
	if err != nil {
		return access{}, fmt.Errorf("ca bundle: %w", plain(err))
	}
	return a, nil
}

// workloadIdentity is a type of Secret that names an identity of a cloud.
const workloadIdentity corev1.SecretType = "kpt.dev/workload-identity-auth"

// readCredentials reads a Secret of type kubernetes.io/basic-auth, or Opaque with a bearerToken.
func readCredentials(ctx context.Context, live client.Reader, at key) (gitrepo.Credentials, error) {
	var s corev1.Secret
	if err := live.Get(ctx, at, &s); apierrors.IsNotFound(err) {
		return gitrepo.Credentials{}, fmt.Errorf("secretRef: there is no Secret %q in namespace %q", at.Name, at.Namespace)
	} else if err != nil {
		return gitrepo.Credentials{}, fmt.Errorf("secretRef: %w", plain(err))
	}
	c := gitrepo.Credentials{
		Username: string(s.Data["username"]), Password: string(s.Data["password"]), BearerToken: string(s.Data["bearerToken"]),
	}
	switch {
	case s.Type == workloadIdentity:
		return gitrepo.Credentials{}, fmt.Errorf("secret %q: this release does not read Secrets of type %q; give a password or a bearerToken",
			at.Name, s.Type)
	case c.BearerToken == "" && c.Password == "":
		return gitrepo.Credentials{}, fmt.Errorf("secret %q holds neither a password nor a bearerToken", at.Name)
	}
	return c, nil
}

// readAuthorities reads the certificates that a namespace trusts beside the system's.
func readAuthorities(ctx context.Context, live client.Reader, namespace string) ([]byte, error) {
	var s corev1.Secret
	err := live.Get(ctx, key{Namespace: namespace, Name: namespace + "-ca-bundle"}, &s)
	if err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	return s.Data["ca.crt"], nil
}
