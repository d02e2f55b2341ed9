// Package apierror puts errors of API servers into words that are the same every time, and says what they mean for a retry.
// It links neither caches nor clients, so that commands can use it.
package apierror

import (
	"errors"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
)

// ErrNotReady is the error of requests to an API server that is not ready. Controllers do not report it: they retry.
var ErrNotReady error = stable{"the API server is not ready", true}

// IsNotReady reports whether err comes from an API server that is not ready.
func IsNotReady(err error) bool { return errors.Is(err, ErrNotReady) }

// stable is an error of the API server in stable words. Unless it is unavailable, it refuses the request.
type stable struct {
	text        string
	unavailable bool
}

func (e stable) Error() string { return e.text }

// IsPermanent reports whether the same request would fail again until something else changes.
func IsPermanent(err error) bool {
	var api stable
	return errors.As(err, &api) && !api.unavailable || meta.IsNoMatchError(err) || apierrors.IsForbidden(err) || apierrors.IsNotFound(err) ||
		apierrors.IsMethodNotSupported(err)
}

// IsUnavailable reports whether err only says that the API server does not answer now.
func IsUnavailable(err error) bool {
	var api stable
	return errors.As(err, &api) && api.unavailable
}

// Stable is an error of the API server in words that are the same every time, without faults of the cluster's roles that
// have nothing to do with the request.
func Stable(err error) error {
	var status apierrors.APIStatus
	var connection *url.Error
	switch {
	case errors.As(err, &connection): // it has the address of a connection that has ended
		return stable{"the API server cannot be reached", true}
	case !errors.As(err, &status):
		return err
	case apierrors.IsForbidden(err):
		message, _, _ := strings.Cut(err.Error(), ": RBAC: ")
		return stable{message, false}
	case IsPermanent(err):
		return err
	}
	return stable{"the API server answers \"" + string(status.Status().Reason) + "\"", true}
}
