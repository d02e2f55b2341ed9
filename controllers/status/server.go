package status

import (
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"github.com/waybill-dev/waybill/controllers/internal/live"
)

// server is an API server.
type server struct {
	*live.Server
	metadata metadata.Interface
}

// connect prepares a connection to an API server. It sends no request yet.
func connect(name string, cfg *rest.Config) (*server, error) {
	to, err := live.Connect(name, cfg, nil)
	if err != nil {
		return nil, err
	}
	heads, err := metadata.NewForConfigAndClient(to.Config, to.HTTPClient)
	return &server{to, heads}, err
}
