package cluster

import (
	"context"
	"net/http"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
)

// starting is what is made of the answers of an API server that does not do all its work yet.
const starting = absence("the API server is not ready")

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
