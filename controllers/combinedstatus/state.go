package combinedstatus

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/engine"
)

// Kinds that are always watched.
var (
	kubestellar = schema.GroupVersion{Group: control.Group, Version: control.Version}

	workStatuses     = kubestellar.WithResource("workstatuses")
	manifestWorks    = schema.GroupVersionResource{Group: "work.open-cluster-management.io", Version: "v1", Resource: "manifestworks"}
	collectors       = kubestellar.WithResource("statuscollectors")
	bindings         = kubestellar.WithResource("bindings")
	policies         = kubestellar.WithResource("bindingpolicies")
	combinedStatuses = kubestellar.WithResource("combinedstatuses")
)

// state is what the controller knows, and what it has to reconcile. mu guards all but the first fields.
type state struct {
	mu         sync.Mutex
	updaters   atomic.Int32 // how many wait for mu to update the state
	log        logr.Logger
	wake       chan struct{}                                                 // holds one
	synced     chan struct{}                                                 // closed by the first announce
	announce   func()                                                        // called by each reconcile: all is known that has to be
	startWatch func(schema.GroupVersionResource, eventHandler) (stop func()) // of a workload kind

	engine    *engine.Engine
	served    map[schema.GroupVersionResource]bool // of the kinds that are always watched; absent: not known yet
	workloads map[schema.GroupVersionResource]*handler
	firstWait *time.Timer // the first reconcile waits until then for the workload kinds; nil: not yet
	waited    bool        // the first wait is over

	objects           map[target]map[string]*unstructured.Unstructured // Bindings, StatusCollectors, BindingPolicies
	combined          map[types.NamespacedName]*unstructured.Unstructured
	unreadable        map[string]bool   // Bindings
	decodeErrors      map[string]string // of StatusCollectors
	returned          map[engine.ObjectRef]returnedStatus
	rejected          map[engine.ObjectRef]rejection
	undecided         map[engine.ResultKey][]types.NamespacedName // CombinedStatuses that are kept until the engine decides
	reportsChanged    bool                                        // since the reports were last checked for warnings
	combinedWarnings  sets.Set[types.NamespacedName]              // CombinedStatuses with a warning
	leftOutCollectors map[types.NamespacedName][]string           // that were logged

	requests sets.Set[request]
	backoff  sets.Set[request] // these wait for the end of a pause, whatever changes meanwhile
}

func newState(o Options) *state {
	synced := make(chan struct{})
	return &state{
		log: o.Log, wake: make(chan struct{}, 1), synced: synced, announce: sync.OnceFunc(func() { close(synced) }),
		engine: engine.New(o.Engine), served: map[schema.GroupVersionResource]bool{}, workloads: map[schema.GroupVersionResource]*handler{},
		objects:  map[target]map[string]*unstructured.Unstructured{targetBinding: {}, targetCollector: {}, targetPolicy: {}},
		combined: map[types.NamespacedName]*unstructured.Unstructured{}, unreadable: map[string]bool{}, decodeErrors: map[string]string{},
		returned: map[engine.ObjectRef]returnedStatus{}, rejected: map[engine.ObjectRef]rejection{},
		undecided: map[engine.ResultKey][]types.NamespacedName{}, combinedWarnings: sets.New[types.NamespacedName](),
		leftOutCollectors: map[types.NamespacedName][]string{}, requests: sets.New[request](), backoff: sets.New[request](),
	}
}

// update changes the state, and wakes the reconciler.
func (s *state) update(change func()) {
	s.updaters.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.updaters.Add(-1)
	change()
	s.wakeUp()
}

func (s *state) wakeUp() {
	select {
	case s.wake <- struct{}{}:
	default: // it will wake up already
	}
}

// hasSynced reports whether enough is known to write anything: all Bindings, StatusCollectors and
// CombinedStatuses, and all of what reports. Nothing depends on BindingPolicies; they may never be served.
func (s *state) hasSynced() bool {
	one, oneKnown := s.served[workStatuses]
	other, otherKnown := s.served[manifestWorks]
	return s.served[collectors] && s.served[bindings] && s.served[combinedStatuses] && oneKnown && otherKnown && (one || other)
}

// workloadsSynced reports whether all objects of the workload kinds are known.
func (s *state) workloadsSynced() bool {
	for _, h := range s.workloads {
		if !h.synced {
			return false
		}
	}
	return true
}
