package cluster

import (
	"context"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/dynamic"

	"github.com/waybill-dev/waybill/controllers/packagevariant"
)

// sources are the objects of the cluster that variants or sets look at. Each kind that one of them
// asked for in its namespace is listed and then watched there, until none asks any more.
type sources struct {
	objects dynamic.Interface
	mapper  meta.RESTMapper
	ready   func(context.Context) error // whether the API server's refusals count
	read    reading
	options Options
	// changed is told whom a change concerns.
	changed func(concerned []key)

	mu    sync.Mutex
	life  context.Context // of the watches
	known map[place]*source
	asked map[key][]packagevariant.Kind
}

// place is a kind in a namespace. Objects of a kind without namespaces are in each.
type place struct {
	packagevariant.Kind
	namespace string
}

func newSources(objects dynamic.Interface, mapper meta.RESTMapper, ready func(context.Context) error, read reading, o Options) *sources {
	return &sources{
		objects: objects, mapper: mapper, ready: ready, read: read, options: o, life: context.Background(),
		known: map[place]*source{}, asked: map[key][]packagevariant.Kind{},
	}
}

// start lets watches run until ctx ends.
func (s *sources) start(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.life = ctx
}

// source is that of a place, which is watched from now on.
func (s *sources) source(at place) *source {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.known[at]
	if found == nil {
		ctx, stop := context.WithCancel(s.life)
		found = &source{at: at, of: s, stop: stop, began: time.Now()}
		s.known[at] = found
		go found.run(ctx)
	}
	return found
}

// lately is how long a source is kept that somebody may be looking at who has not said so yet.
const lately = time.Minute

// note keeps what variants or sets of a namespace asked for in a pass that has ended, and stops the
// watches that nobody there asks for any more.
func (s *sources) note(namespace string, asked map[key][]packagevariant.Kind) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for variant, kinds := range asked {
		s.asked[variant] = kinds
		if len(kinds) == 0 {
			delete(s.asked, variant)
		}
	}
	wanted := map[packagevariant.Kind]bool{}
	for variant, kinds := range s.asked {
		for _, kind := range kinds {
			wanted[kind] = wanted[kind] || variant.Namespace == namespace
		}
	}
	for at, source := range s.known {
		if at.namespace == namespace && !wanted[at.Kind] && time.Since(source.began) > lately {
			source.stop()
			delete(s.known, at)
		}
	}
}

// tell brings back the variants that asked for what is at a place.
func (s *sources) tell(at place) {
	s.mu.Lock()
	var concerned []key
	for variant, kinds := range s.asked {
		if variant.Namespace == at.namespace && slices.Contains(kinds, at.Kind) {
			concerned = append(concerned, variant)
		}
	}
	s.mu.Unlock()
	if len(concerned) > 0 {
		s.changed(concerned)
	}
}
