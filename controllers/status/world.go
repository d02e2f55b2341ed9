package status

import (
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/status/engine"
	"github.com/waybill-dev/waybill/pkg/api/control"
)

// Kinds that are followed in any case.
var (
	workStatuses     = schema.GroupVersionResource{Group: control.Group, Version: control.Version, Resource: "workstatuses"}
	manifestWorks    = schema.GroupVersionResource{Group: "work.open-cluster-management.io", Version: "v1", Resource: "manifestworks"}
	collectors       = schema.GroupVersionResource{Group: control.Group, Version: control.Version, Resource: "statuscollectors"}
	bindings         = schema.GroupVersionResource{Group: control.Group, Version: control.Version, Resource: "bindings"}
	combinedStatuses = schema.GroupVersionResource{Group: control.Group, Version: control.Version, Resource: "combinedstatuses"}
)

// answer is whether a kind is served.
type answer int

const (
	unknown answer = iota
	absent
	present
)

// world is what is known, and what is to be done about it.
type world struct {
	mu      sync.Mutex
	engine  *engine.Engine
	log     func(err error, what string, about ...any)
	meters  *meters
	wake    chan struct{} // holds one
	asked   func([]engine.Resource)
	answers map[schema.GroupVersionResource]answer

	collectors, bindings map[string]*unstructured.Unstructured
	combined             map[engine.Name]*unstructured.Unstructured
	unreadable           map[string]bool // Bindings
	tasks                map[task]struct{}
	returned             map[engine.Target]exchange
}

func newWorld(o Options, m *meters) *world {
	return &world{
		engine: engine.New(o.Engine), log: o.Log.Error, meters: m, wake: make(chan struct{}, 1),
		answers:    map[schema.GroupVersionResource]answer{},
		collectors: map[string]*unstructured.Unstructured{}, bindings: map[string]*unstructured.Unstructured{},
		combined: map[engine.Name]*unstructured.Unstructured{}, unreadable: map[string]bool{},
		tasks: map[task]struct{}{}, returned: map[engine.Target]exchange{},
	}
}

// part is a listener that changes one part of the world.
type part struct {
	*world
	resource schema.GroupVersionResource
	onPut    func(obj *unstructured.Unstructured)
	onDrop   func(namespace, name string)
	onServed func(kind string)
}

func (p *part) put(obj *unstructured.Unstructured) {
	p.change(func() { p.onPut(obj) })
}

func (p *part) drop(namespace, name string) {
	p.change(func() { p.onDrop(namespace, name) })
}

func (p *part) served(kind string) {
	p.change(func() {
		p.answers[p.resource] = present
		if kind == "" {
			p.answers[p.resource] = absent
		}
		if p.onServed != nil {
			p.onServed(kind)
		}
	})
}

// change changes the world, and has it looked at.
func (w *world) change(what func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	what()
	w.call()
}

// call has the world looked at.
func (w *world) call() {
	select {
	case w.wake <- struct{}{}:
	default: // somebody called already
	}
}

// whole reports whether enough is known to write anything: all the home has, and something that reports.
func (w *world) whole() bool {
	for _, r := range []schema.GroupVersionResource{collectors, bindings, combinedStatuses} {
		if w.answers[r] != present {
			return false
		}
	}
	one, other := w.answers[workStatuses], w.answers[manifestWorks]
	return len(w.unreadable) == 0 && one != unknown && other != unknown && (one == present || other == present)
}
