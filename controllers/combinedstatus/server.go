package combinedstatus

import (
	"cmp"
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

// server has the clients of one API server.
type server struct {
	name      string
	objects   dynamic.Interface
	mapper    meta.RESTMapper
	discovery discovery.DiscoveryInterface
	metadata  metadata.Interface
}

// connectTo makes clients with an HTTP client of their own. It sends no request yet.
func connectTo(name string, cfg *rest.Config) (*server, error) {
	cfg = rest.CopyConfig(cfg)
	if cfg.QPS == 0 { // no limit here: the API server's own fairness applies
		cfg.QPS = -1
	}
	httpClient, err := rest.HTTPClientFor(cfg)
	if err != nil {
		return nil, err
	}
	return connect(name, cfg, httpClient)
}

func connect(name string, cfg *rest.Config, httpClient *http.Client) (*server, error) {
	objects, err1 := dynamic.NewForConfigAndClient(cfg, httpClient)
	mapper, err2 := apiutil.NewDynamicRESTMapper(cfg, httpClient)
	types, err3 := discovery.NewDiscoveryClientForConfigAndClient(cfg, httpClient)
	heads, err4 := metadata.NewForConfigAndClient(cfg, httpClient)
	if err := cmp.Or(err1, err2, err3, err4); err != nil {
		return nil, err
	}
	return &server{name, objects, mapper, types, heads}, nil
}

// ready reports whether the API server is ready. While it starts it does not serve all its kinds yet.
func (s *server) ready(ctx context.Context) error {
	if err := s.discovery.RESTClient().Get().AbsPath("/readyz").Do(ctx).Error(); err != nil {
		return errors.New("the API server is not ready")
	}
	return nil
}
