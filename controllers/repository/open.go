package repository

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// git are the options to open the repository of an object with.
func (o Options) git(obj *porchconfig.Repository, a access) gitrepo.Options {
	opts := gitrepo.Options{Credentials: a.credentials, CABundle: a.authorities, Bounds: o.Git}
	if o.OnStep != nil {
		namespace, name := obj.Namespace, obj.Name // the caller changes obj later
		opts.OnStep = func(step gitrepo.Step) { o.OnStep(namespace, name, step) }
	}
	return opts
}

// openGit opens a repository. A push that failed because another client was faster is not retried immediately, but
// after the pushes of others.
func openGit(ctx context.Context, obj *porchconfig.Repository, opts gitrepo.Options) (*snapshot.Repository, *gitrepo.Repo, error) {
	return snapshot.Open(ctx, obj, obj.Spec.Git.Repo, opts, 1)
}

// access holds what a Git server asks for.
type access struct {
	credentials gitrepo.Credentials
	authorities []byte // PEM
}

// readAccess reads the Secrets of a Repository. They are never cached: a controller that may read them one by one need
// not be allowed to list them all.
func readAccess(ctx context.Context, secrets client.Reader, obj *porchconfig.Repository) (access, error) {
	var a access
	var err error
	if name := obj.Spec.Git.SecretRef.Name; name != "" {
		if a.credentials, err = readCredentials(ctx, secrets, key{Namespace: obj.Namespace, Name: name}); err != nil {
			return access{}, err
		}
	}
	a.authorities, err = readAuthorities(ctx, secrets, obj.Namespace)
	if apierrors.IsForbidden(err) && obj.Spec.Git.SecretRef.Name == "" {
		err = nil // a public repository needs no Secret: a namespace whose Secrets are forbidden has no bundle
	}
	if err != nil {
		return access{}, fmt.Errorf("ca bundle: %w", live.StableError(err))
	}
	return a, nil
}

// workloadIdentity is a type of Secret that names an identity of a cloud.
const workloadIdentity corev1.SecretType = "kpt.dev/workload-identity-auth"

// readCredentials reads a Secret of type kubernetes.io/basic-auth, or Opaque with a bearerToken.
func readCredentials(ctx context.Context, secrets client.Reader, at key) (gitrepo.Credentials, error) {
	var s corev1.Secret
	if err := secrets.Get(ctx, at, &s); apierrors.IsNotFound(err) {
		return gitrepo.Credentials{}, fmt.Errorf("secretRef: there is no Secret %q in namespace %q", at.Name, at.Namespace)
	} else if err != nil {
		return gitrepo.Credentials{}, fmt.Errorf("secretRef: %w", live.StableError(err))
	}
	if s.Type == workloadIdentity {
		return gitrepo.Credentials{}, fmt.Errorf(
			"secret %q: this release does not read Secrets of type %q; use a Secret with a password or a bearerToken",
			at.Name, s.Type)
	}
	return snapshot.Credentials(at.Name, s.Data)
}

// readAuthorities reads the certificates that a namespace trusts beside the system's.
func readAuthorities(ctx context.Context, secrets client.Reader, namespace string) ([]byte, error) {
	var s corev1.Secret
	err := secrets.Get(ctx, key{Namespace: namespace, Name: namespace + "-ca-bundle"}, &s)
	if err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	return s.Data["ca.crt"], nil
}
