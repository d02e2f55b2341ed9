package combinedstatus

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/plan"
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

// state is shared by event handlers and the reconciler. mu guards all but the first fields.
type state struct {
	mu         sync.Mutex
	updaters   atomic.Int32 // how many wait for mu to update the state
	log        logr.Logger
	wake       chan struct{}                                                      // holds one
	synced     chan struct{}                                                      // closed by the first announce
	announce   func()                                                             // called by each reconcile, which is after hasSynced
	startWatch func(schema.GroupVersionResource, live.WatchHandler) (stop func()) // of a workload kind

	plan           *plan.State
	served         map[schema.GroupVersionResource]bool // of the kinds that are always watched; absent: not known yet
	workloads      map[schema.GroupVersionResource]*handler
	firstWait      *time.Timer // the first reconcile waits until then for the workload kinds; nil: not yet
	waited         bool        // the first wait is over
	reportsChanged bool        // since the reports were last checked for warnings
}

func newState(o Options) *state {
	synced := make(chan struct{})
	return &state{
		log: o.Log, wake: make(chan struct{}, 1), synced: synced, announce: sync.OnceFunc(func() { close(synced) }),
		plan: plan.New(o.Engine), served: map[schema.GroupVersionResource]bool{}, workloads: map[schema.GroupVersionResource]*handler{},
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
	default: // it wakes up anyway
	}
}

// hasSynced reports whether enough is known to write: all Bindings, StatusCollectors and CombinedStatuses, and all reports.
// Nothing depends on BindingPolicies, which may never be served.
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

// watchWorkloads starts the watches of workload kinds that have none.
func (s *state) watchWorkloads(resources ...schema.GroupVersionResource) {
	for _, r := range resources {
		if s.workloads[r] == nil {
			s.workloads[r] = s.workloadHandler(r)
			s.workloads[r].stop = s.startWatch(r, s.workloads[r])
		}
	}
}

// stopUnusedWatches stops the watches of kinds that no Binding names, after all returned statuses of their objects are
// removed.
func (s *state) stopUnusedWatches() {
	for r, h := range s.workloads {
		if s.plan.Engine.Unused(r) {
			h.stop()
			h.stopped = true
			delete(s.workloads, r)
			s.plan.ForgetWorkloads(r)
		}
	}
}

// watches reports whether a workload kind is watched, in any version.
func (s *state) watches(resource schema.GroupResource) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for r := range s.workloads {
		if r.GroupResource() == resource {
			return true
		}
	}
	return false
}
