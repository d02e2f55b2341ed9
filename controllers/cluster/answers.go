package cluster

import (
	"errors"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// unknown says that the cluster has no such kind.
func unknown(at place) error {
	gv, err := schema.ParseGroupVersion(at.APIVersion)
	if err != nil {
		gv = schema.GroupVersion{Version: at.APIVersion}
	}
	return &meta.NoKindMatchError{GroupKind: gv.WithKind(at.Kind.Kind).GroupKind(), SearchedVersions: []string{gv.Version}}
}

// refusal is the API server's word that something may not be done.
type refusal string

func (r refusal) Error() string { return string(r) }

// lasting reports whether trying again alone does not mend what went wrong.
func lasting(err error) bool {
	var refused refusal
	return errors.As(err, &refused) || meta.IsNoMatchError(err) || apierrors.IsForbidden(err) || apierrors.IsNotFound(err) ||
		apierrors.IsMethodNotSupported(err)
}

// absence is why the API server gives no answer for now. It says nothing about what was asked.
type absence string

func (a absence) Error() string { return string(a) }

// absent reports whether err is for want of an answer.
func absent(err error) bool {
	var a absence
	return errors.As(err, &a)
}

// plain is an error of the API server in words that are the same every time, and that are not about
// what else is wrong with the cluster's roles.
func plain(err error) error {
	var status apierrors.APIStatus
	var lost *url.Error
	switch {
	case errors.As(err, &lost): // with the address of a connection that is no more
		return absence("the API server cannot be reached")
	case !errors.As(err, &status):
		return err
	case apierrors.IsForbidden(err):
		said, _, _ := strings.Cut(err.Error(), ": RBAC: ")
		return refusal(said)
	case lasting(err):
		return err
	}
	return absence("the API server answers \"" + string(status.Status().Reason) + "\"")
}
