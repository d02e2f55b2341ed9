package live

import (
	"context"
	"errors"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ErrNotReady is the error of requests to an API server that is not ready. Controllers do not report it: they retry.
var ErrNotReady error = apiError{"the API server is not ready", true}

// IsNotReady reports whether err comes from an API server that is not ready.
func IsNotReady(err error) bool { return errors.Is(err, ErrNotReady) }

// ReadyReader is a Reader that accepts a refusal only from an API server that is ready, which it asks once more.
type ReadyReader struct {
	client.Reader
	Ready func(context.Context) error
}

// Get reads one object.
func (r ReadyReader) Get(ctx context.Context, at client.ObjectKey, into client.Object, opts ...client.GetOption) error {
	err := r.Reader.Get(ctx, at, into, opts...)
	if !apierrors.IsForbidden(err) {
		return err
	}
	if err := r.Ready(ctx); err != nil {
		return err
	}
	return r.Reader.Get(ctx, at, into, opts...)
}

// apiError is an error of the API server in stable words. Unless it is unavailable, it refuses the request.
type apiError struct {
	text        string
	unavailable bool
}

func (e apiError) Error() string { return e.text }

// IsPermanent reports whether the same request would fail again until something else changes.
func IsPermanent(err error) bool {
	var api apiError
	return errors.As(err, &api) && !api.unavailable || meta.IsNoMatchError(err) || apierrors.IsForbidden(err) || apierrors.IsNotFound(err) ||
		apierrors.IsMethodNotSupported(err)
}

// IsUnavailable reports whether err only says that the API server does not answer now.
func IsUnavailable(err error) bool {
	var api apiError
	return errors.As(err, &api) && api.unavailable
}

// StableError is an error of the API server in words that are the same every time, without faults of the cluster's roles that
// have nothing to do with the request.
func StableError(err error) error {
	var status apierrors.APIStatus
	var connection *url.Error
	switch {
	case errors.As(err, &connection): // it has the address of a connection that has ended
		return apiError{"the API server cannot be reached", true}
	case !errors.As(err, &status):
		return err
	case apierrors.IsForbidden(err):
		message, _, _ := strings.Cut(err.Error(), ": RBAC: ")
		return apiError{message, false}
	case IsPermanent(err):
		return err
	}
	return apiError{"the API server answers \"" + string(status.Status().Reason) + "\"", true}
}
