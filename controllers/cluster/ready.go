package cluster

import (
	"context"
	"errors"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// starting is what is made of the answers of an API server that does not do all its work yet.
const starting = absence("the API server is not ready")

// tooEarly reports whether err is for want of an API server that does all its work: nothing is to be told
// of that, the next try will do.
func tooEarly(err error) bool { return errors.Is(err, starting) }

// readiness asks the API server whether it does all its work. One that starts, or starts anew, answers
// requests before it knows its roles, and refuses what it will allow a moment later.
func readiness(cfg *rest.Config, by *http.Client) (func(context.Context) error, error) {
	server, err := discovery.NewDiscoveryClientForConfigAndClient(cfg, by)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) error {
		if server.RESTClient().Get().AbsPath("/readyz").Do(ctx).Error() != nil {
			return starting
		}
		return nil
	}, nil
}

// steady is a reader who takes a refusal only from an API server that is ready: what it then says once
// more.
type steady struct {
	client.Reader
	ready func(context.Context) error
}

// Get reads one object.
func (s steady) Get(ctx context.Context, at client.ObjectKey, into client.Object, opts ...client.GetOption) error {
	err := s.Reader.Get(ctx, at, into, opts...)
	if !apierrors.IsForbidden(err) {
		return err
	}
	if err := s.ready(ctx); err != nil {
		return err
	}
	return s.Reader.Get(ctx, at, into, opts...)
}
