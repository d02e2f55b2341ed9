package syncing

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"github.com/waybill-dev/waybill/controllers/follow"
	"github.com/waybill-dev/waybill/pkg/syncing"
)

// server is one of the API servers: the destination, whose name is "", or a workspace.
type server struct {
	follow.Server
	name, path string
	discovery  discovery.DiscoveryInterface
	events     typedcorev1.EventsGetter // nil at the destination
	tell       record.EventRecorder     // of one start; nil at the destination
}

// connect prepares to talk to an API server. It asks nothing yet.
func connect(name, path string, cfg *rest.Config, m *meters) (*server, error) {
	cfg = rest.CopyConfig(cfg)
	if cfg.QPS == 0 { // API servers share themselves out fairly
		cfg.QPS = -1
	}
	cfg.WarningHandler, cfg.WarningHandlerWithContext = nil, m
	by, err := rest.HTTPClientFor(cfg)
	if err != nil {
		return nil, err
	}
	objects, errObjects := dynamic.NewForConfigAndClient(cfg, by)
	mapper, errMapper := follow.NewMapper(cfg, by)
	asks, errAsks := discovery.NewDiscoveryClientForConfigAndClient(cfg, by)
	typed, errTyped := kubernetes.NewForConfigAndClient(cfg, by)
	s := &server{name: name, path: path, discovery: asks}
	s.Server = follow.Server{Objects: objects, Mapper: mapper, Ready: s.isReady}
	if err := errors.Join(errObjects, errMapper, errAsks, errTyped); err != nil {
		return nil, err
	}
	if name != "" {
		s.events = typed.CoreV1()
	}
	return s, nil
}

// at is where the server's objects are.
func (s *server) at() syncing.Place {
	if s.name == "" {
		return syncing.Place{Side: syncing.Destination}
	}
	return syncing.Place{Side: syncing.Source, Cluster: s.name}
}

// isReady reports whether the API server does all its work.
func (s *server) isReady(ctx context.Context) error {
	if s.discovery.RESTClient().Get().AbsPath("/readyz").Do(ctx).Error() != nil {
		return errors.New("the API server is not ready")
	}
	return nil
}

// started is the server with a recorder of events that works until ctx ends.
func (s *server) started(ctx context.Context) *server {
	run := *s
	if s.events != nil {
		b := record.NewBroadcaster(record.WithContext(ctx))
		b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: s.events.Events("")})
		run.tell = b.NewRecorder(runtime.NewScheme(), corev1.EventSource{Component: manager})
	}
	return &run
}

// hasStatus reports whether objects of a type have a status that is written on its own.
func (s *server) hasStatus(of schema.GroupVersionResource) (bool, error) {
	list, err := s.discovery.ServerResourcesForGroupVersion(of.GroupVersion().String())
	if apierrors.IsNotFound(err) {
		return false, nil // nor is the type served, which its follower says
	}
	if err != nil {
		return false, err
	}
	for _, r := range list.APIResources {
		if r.Name == of.Resource+"/status" {
			return true, nil
		}
	}
	return false, nil
}

// resource is where objects of a type are written.
func (s *server) resource(k kind, namespace string) dynamic.ResourceInterface {
	if !k.namespaced {
		return s.Objects.Resource(k.GroupVersionResource)
	}
	return s.Objects.Resource(k.GroupVersionResource).Namespace(namespace)
}
