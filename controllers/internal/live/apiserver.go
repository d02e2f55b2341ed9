package live

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

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
