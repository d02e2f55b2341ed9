package live

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/waybill-dev/waybill/controllers/internal/apierror"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// FieldManager is the name under which controllers write fields.
const FieldManager = "waybill"

// pageSize is how many objects a list asks for at a time.
const pageSize = 500

// Resource is a type of objects in one version.
type Resource struct {
	schema.GroupVersionResource
	Namespaced bool
}

// Server is a connection to an API server.
type Server struct {
	Name      string // for logs and messages; empty for the only one
	Objects   dynamic.Interface
	Discovery discovery.DiscoveryInterface
	// Config and HTTPClient are for other clients of the same server.
	Config     *rest.Config
	HTTPClient *http.Client

	newMapper func() (meta.RESTMapper, error)
	mapper    atomic.Value
}

// Connect returns a Server that has sent no request yet. Warnings of the API server, which quote what was written, go to
// warnings alone; nil leaves them to cfg. The client does not limit its rate: API servers share themselves fairly among
// clients.
func Connect(name string, cfg *rest.Config, warnings rest.WarningHandlerWithContext) (*Server, error) {
	cfg = rest.CopyConfig(cfg)
	if cfg.QPS == 0 {
		cfg.QPS = -1
	}
	if warnings != nil {
		cfg.WarningHandler, cfg.WarningHandlerWithContext = nil, warnings
	}
	httpClient, err := rest.HTTPClientFor(cfg)
	if err != nil {
		return nil, err
	}
	objects, errObjects := dynamic.NewForConfigAndClient(cfg, httpClient)
	disco, errDiscovery := discovery.NewDiscoveryClientForConfigAndClient(cfg, httpClient)
	s := &Server{Name: name, Objects: objects, Discovery: disco, Config: cfg, HTTPClient: httpClient,
		newMapper: func() (meta.RESTMapper, error) { return apiutil.NewDynamicRESTMapper(cfg, httpClient) }}
	mapper, errMapper := s.newMapper()
	s.mapper.Store(&mapper)
	return s, errors.Join(errObjects, errDiscovery, errMapper)
}

// Mapper maps between kinds and resources. It remembers types until ResetMapper.
func (s *Server) Mapper() meta.RESTMapper { return *s.mapper.Load().(*meta.RESTMapper) }

// ResetMapper forgets all types. Otherwise the mapper would have the old scope of a type that was deleted and created with
// another one.
func (s *Server) ResetMapper() {
	if mapper, err := s.newMapper(); err == nil { // it sends no request, so it cannot fail
		s.mapper.Store(&mapper)
	}
}

// Ready returns an error unless the API server is ready. One that starts does not know all the kinds that it will serve.
func (s *Server) Ready(ctx context.Context) error {
	if s.Discovery.RESTClient().Get().AbsPath("/readyz").Do(ctx).Error() != nil {
		return apierror.ErrNotReady
	}
	return nil
}

// HasGroup reports whether the API server knows an API group, also while the server that it delegates the group to is down.
func (s *Server) HasGroup(ctx context.Context, group string) (bool, error) {
	err := s.Discovery.RESTClient().Get().AbsPath("/apis/" + group).Do(ctx).Error()
	if apierrors.IsNotFound(err) {
		return false, s.Ready(ctx)
	}
	return err == nil, apierror.Stable(err)
}

// HasStatus reports whether a resource has a status subresource; false if it is not served at all.
func (s *Server) HasStatus(of schema.GroupVersionResource) (bool, error) {
	list, err := s.Discovery.ServerResourcesForGroupVersion(of.GroupVersion().String())
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(list.APIResources, func(r metav1.APIResource) bool { return r.Name == of.Resource+"/status" }), nil
}

// Client returns the client for the objects of a resource in a namespace, which cluster-scoped resources ignore.
func (s *Server) Client(of Resource, namespace string) dynamic.ResourceInterface {
	if !of.Namespaced {
		return s.Objects.Resource(of.GroupVersionResource)
	}
	return s.Objects.Resource(of.GroupVersionResource).Namespace(namespace)
}

// Find reads one object from the store; nil if it does not exist.
func (s *Server) Find(ctx context.Context, of Resource, key Key) (*krm.Object, error) {
	found, err := Get(ctx, s.Client(of, key.Namespace), key)
	if found == nil || err != nil {
		return nil, err
	}
	return FromUnstructured(found)
}

// Get reads one object of a namespace from the store; nil if it does not exist. It lists by name, which needs no right that a
// watch does not need, and fails for a resource that is not served: that says nothing about its objects.
func Get(ctx context.Context, in dynamic.ResourceInterface, key Key) (*unstructured.Unstructured, error) {
	list, err := in.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + key.Name})
	if err != nil {
		return nil, err
	}
	for i := range list.Items {
		if list.Items[i].GetName() == key.Name && list.Items[i].GetNamespace() == key.Namespace {
			return &list.Items[i], nil
		}
	}
	return nil, nil
}

// Each calls a function for every object of a resource in a namespace, empty for all, in pages. It stops at the first object
// that cannot be read.
func (s *Server) Each(ctx context.Context, of Resource, namespace string, call func(*krm.Object)) error {
	for o := (metav1.ListOptions{Limit: pageSize}); ; {
		list, err := s.Client(of, namespace).List(ctx, o)
		if err != nil {
			return err
		}
		for i := range list.Items {
			object, err := FromUnstructured(&list.Items[i])
			if err != nil {
				return err
			}
			call(object)
		}
		if o.Continue = list.GetContinue(); o.Continue == "" {
			return nil
		}
	}
}
