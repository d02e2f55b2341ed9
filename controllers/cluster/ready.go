package cluster

import (
	"context"
	"errors"
	"net/http"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
)

// errStarting is the answer of an API server that does not do all its work yet.
var errStarting = errors.New("the API server is not ready")

// readiness asks the API server whether it does all its work. One that starts, or starts anew, answers
// requests before it knows its roles, and refuses what it will allow a moment later.
func readiness(cfg *rest.Config, by *http.Client) (func(context.Context) error, error) {
	server, err := discovery.NewDiscoveryClientForConfigAndClient(cfg, by)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) error {
		if server.RESTClient().Get().AbsPath("/readyz").Do(ctx).Error() != nil {
			return errStarting
		}
		return nil
	}, nil
}
