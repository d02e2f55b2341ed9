package combinedstatus

import (
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/combinedstatus/engine"
	"github.com/waybill-dev/waybill/pkg/api/control"
)

// Kinds that are followed in any case.
var (
	workStatuses     = schema.GroupVersionResource{Group: control.Group, Version: control.Version, Resource: "workstatuses"}
	manifestWorks    = schema.GroupVersionResource{Group: "work.open-cluster-management.io", Version: "v1", Resource: "manifestworks"}
	collectors       = schema.GroupVersionResource{Group: control.Group, Version: control.Version, Resource: "statuscollectors"}
	bindings         = schema.GroupVersionResource{Group: control.Group, Version: control.Version, Resource: "bindings"}
	policies         = schema.GroupVersionResource{Group: control.Group, Version: control.Version, Resource: "bindingpolicies"}
	combinedStatuses = schema.GroupVersionResource{Group: control.Group, Version: control.Version, Resource: "combinedstatuses"}
)

// answer is whether a kind is served.
type answer int

const (
	unknown answer = iota
	absent
	present
)

// patience is how long the first pass may wait.
type patience int

const (
	fresh patience = iota
	running
	spent
)

// world is what is known, and what is to be done about it.
type world struct {
	mu      sync.Mutex
	waiting atomic.Int32 // that have something to tell
	engine  *engine.Engine
	log     func(err error, what string, about ...any)
	meters  *meters
	wake    chan struct{} // holds one
	begun   chan struct{} // closed when it is whole for the first time
	answers map[schema.GroupVersionResource]answer

	follow   func(engine.Resource, listener) (stop func()) // starts to follow a kind of the workload
	followed map[engine.Resource]*part

	collectors, bindings, policies map[string]*unstructured.Unstructured
	combined                       map[engine.Name]*unstructured.Unstructured
	unreadable                     map[string]bool   // Bindings
	undecodable                    map[string]string // why, of collectors
	patience                       patience
	tasks                          map[task]struct{}
	held                           map[task]bool                  // which are not tried before a pause is over
	kept                           map[engine.About][]engine.Name // which were left alone while something is undecided
	leftOut                        map[engine.Name][]string       // collectors that were logged
	oddResults                     map[engine.Name]struct{}
	reported                       bool // since all reports were looked at for what is odd
	returned                       map[engine.Target]exchange
	refused                        map[engine.Target]refusal
}

func newWorld(o Options, m *meters) *world {
	return &world{
		engine: engine.New(o.Engine), log: o.Log.Error, meters: m, wake: make(chan struct{}, 1), begun: make(chan struct{}),
		answers: map[schema.GroupVersionResource]answer{}, followed: map[engine.Resource]*part{},
		collectors: map[string]*unstructured.Unstructured{}, bindings: map[string]*unstructured.Unstructured{},
		policies: map[string]*unstructured.Unstructured{},
		combined: map[engine.Name]*unstructured.Unstructured{}, unreadable: map[string]bool{}, undecodable: map[string]string{},
		tasks: map[task]struct{}{}, held: map[task]bool{}, kept: map[engine.About][]engine.Name{},
		leftOut: map[engine.Name][]string{}, oddResults: map[engine.Name]struct{}{},
		returned: map[engine.Target]exchange{}, refused: map[engine.Target]refusal{},
	}
}

// part is a listener that changes one part of the world.
type part struct {
	*world
	resource schema.GroupVersionResource
	onPut    func(obj *unstructured.Unstructured)
	onDrop   func(namespace, name string)
	onServed func(kind string)
	knows    bool   // it is known whether it is served, and what there is
	stop     func() // ends the following
	over     bool   // it has ended; what comes is late
}

func (p *part) change(what func()) {
	p.world.change(func() {
		if !p.over {
			what()
		}
	})
}

func (p *part) put(obj *unstructured.Unstructured) {
	p.change(func() { p.onPut(obj) })
}

func (p *part) drop(namespace, name string) {
	p.change(func() { p.onDrop(namespace, name) })
}

func (p *part) served(kind string) {
	p.change(func() {
		p.knows = true
		if p.onServed != nil { // it is of the workload
			p.onServed(kind)
			return
		}
		p.answers[p.resource] = present
		if kind == "" {
			p.answers[p.resource] = absent
		}
	})
}

// change changes the world, and has it looked at.
func (w *world) change(what func()) {
	w.waiting.Add(1)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting.Add(-1)
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
// Nothing depends on BindingPolicies; they may come later, or never.
func (w *world) whole() bool {
	for _, r := range []schema.GroupVersionResource{collectors, bindings, combinedStatuses} {
		if w.answers[r] != present {
			return false
		}
	}
	one, other := w.answers[workStatuses], w.answers[manifestWorks]
	return one != unknown && other != unknown && (one == present || other == present)
}

// complete reports whether it is known of all kinds that are followed what there is of them.
func (w *world) complete() bool {
	for _, p := range w.followed {
		if !p.knows {
			return false
		}
	}
	return true
}

// begin says that the world is whole.
func (w *world) begin() {
	select {
	case <-w.begun:
	default:
		close(w.begun)
	}
}
