package follow

import (
	"net/http"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// Mapper knows the types of an API server. It keeps what it was told until it is reset: of a type that is made
// anew with another scope it would know the old one for ever.
type Mapper struct {
	renew func() (meta.RESTMapper, error)

	mu  sync.Mutex
	now meta.RESTMapper
}

var _ meta.ResettableRESTMapper = (*Mapper)(nil)

// NewMapper is a Mapper that has asked nothing yet.
func NewMapper(cfg *rest.Config, by *http.Client) (*Mapper, error) {
	m := &Mapper{renew: func() (meta.RESTMapper, error) { return apiutil.NewDynamicRESTMapper(cfg, by) }}
	var err error
	m.now, err = m.renew()
	return m, err
}

// Reset forgets all types: they are asked for anew.
func (m *Mapper) Reset() {
	if fresh, err := m.renew(); err == nil { // it asks nothing, so that nothing can fail
		m.mu.Lock()
		defer m.mu.Unlock()
		m.now = fresh
	}
}

func (m *Mapper) current() meta.RESTMapper {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// KindFor implements meta.RESTMapper.
func (m *Mapper) KindFor(of schema.GroupVersionResource) (schema.GroupVersionKind, error) {
	return m.current().KindFor(of)
}

// KindsFor implements meta.RESTMapper.
func (m *Mapper) KindsFor(of schema.GroupVersionResource) ([]schema.GroupVersionKind, error) {
	return m.current().KindsFor(of)
}

// ResourceFor implements meta.RESTMapper.
func (m *Mapper) ResourceFor(of schema.GroupVersionResource) (schema.GroupVersionResource, error) {
	return m.current().ResourceFor(of)
}

// ResourcesFor implements meta.RESTMapper.
func (m *Mapper) ResourcesFor(of schema.GroupVersionResource) ([]schema.GroupVersionResource, error) {
	return m.current().ResourcesFor(of)
}

// RESTMapping implements meta.RESTMapper.
func (m *Mapper) RESTMapping(of schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	return m.current().RESTMapping(of, versions...)
}

// RESTMappings implements meta.RESTMapper.
func (m *Mapper) RESTMappings(of schema.GroupKind, versions ...string) ([]*meta.RESTMapping, error) {
	return m.current().RESTMappings(of, versions...)
}

// ResourceSingularizer implements meta.RESTMapper.
func (m *Mapper) ResourceSingularizer(resource string) (string, error) {
	return m.current().ResourceSingularizer(resource)
}

// forget has a mapper asked anew, if it can be.
func forget(mapper meta.RESTMapper) {
	if m, is := mapper.(meta.ResettableRESTMapper); is {
		m.Reset()
	}
}
