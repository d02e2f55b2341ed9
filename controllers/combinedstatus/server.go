package combinedstatus

import (
	"context"
	"errors"
	"net/http"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// server is an API server.
type server struct {
	name    string
	objects dynamic.Interface
	mapper  meta.RESTMapper
	probe   discovery.DiscoveryInterface
	heads   metadata.Interface
}

// connect prepares to talk to an API server. It asks nothing yet.
func connect(name string, cfg *rest.Config) (*server, error) {
	cfg = rest.CopyConfig(cfg)
	if cfg.QPS == 0 { // the API server shares itself out fairly
		cfg.QPS = -1
	}
	by, err := rest.HTTPClientFor(cfg)
	if err != nil {
		return nil, err
	}
	return connectBy(name, cfg, by)
}

func connectBy(name string, cfg *rest.Config, by *http.Client) (*server, error) {
	objects, err := dynamic.NewForConfigAndClient(cfg, by)
	if err != nil {
		return nil, err
	}
	mapper, err := apiutil.NewDynamicRESTMapper(cfg, by)
	if err != nil {
		return nil, err
	}
	probe, err := discovery.NewDiscoveryClientForConfigAndClient(cfg, by)
	if err != nil {
		return nil, err
	}
	heads, err := metadata.NewForConfigAndClient(cfg, by)
	if err != nil {
		return nil, err
	}
	return &server{name, objects, mapper, probe, heads}, nil
}

// ready reports whether the API server does all its work. One that starts does not know all kinds that it
// will serve a moment later.
func (s *server) ready(ctx context.Context) error {
	if err := s.probe.RESTClient().Get().AbsPath("/readyz").Do(ctx).Error(); err != nil {
		return errors.New("the API server is not ready")
	}
	return nil
}
