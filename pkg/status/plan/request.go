package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/status/engine"
)

// Target is what sort of object is written.
type Target string

// The targets.
const (
	TargetCombinedStatus Target = "CombinedStatus"
	TargetBinding        Target = "Binding"
	TargetCollector      Target = "StatusCollector"
	TargetPolicy         Target = "BindingPolicy"
	TargetWorkload       Target = "workload"
)

// Request asks to compare an object with what it should be. Its GroupVersionResource is set for workload only.
type Request struct {
	Target Target
	engine.ObjectRef
}

func (r Request) compare(b Request) int {
	return cmp.Or(cmp.Compare(r.Target, b.Target), r.ObjectRef.Compare(b.ObjectRef))
}

// String is for logs: `workload deployments shop/web`.
func (r Request) String() string {
	name := r.Name
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	if r.Target == TargetWorkload {
		name = r.Resource + " " + name
	}
	return fmt.Sprintf("%s %s", r.Target, name)
}

// Request requests an object.
func (s *State) Request(r Request) { s.requests.Insert(r) }

// requestAll requests all objects of a kind.
func (s *State) requestAll(t Target) {
	for name := range s.objects[t] {
		s.Request(Request{t, engine.ObjectRef{Name: name}})
	}
}

func (s *State) requestCombined(name types.NamespacedName) {
	s.Request(Request{TargetCombinedStatus, engine.ObjectRef{Namespace: name.Namespace, Name: name.Name}})
}

// Block has an object wait for Unblock, whatever changes meanwhile.
func (s *State) Block(r Request) { s.blocked.Insert(r) }

// Unblock ends Block, and requests the object.
func (s *State) Unblock(r Request) {
	s.blocked.Delete(r)
	s.Request(r)
}

// TakeRequests returns all requests, in order, without those that are blocked.
func (s *State) TakeRequests() []Request {
	due := slices.SortedFunc(maps.Keys(s.requests.Difference(s.blocked)), Request.compare)
	s.requests.Clear()
	return due
}

// Refresh applies what Bindings and kinds say, requests the objects whose desired state changed, and returns the changes.
func (s *State) Refresh() engine.Changes {
	s.Engine.Reindex()
	changes := s.Engine.Changes()
	for _, name := range changes.Combined {
		s.requestCombined(name)
	}
	for _, key := range changes.Decided {
		for _, name := range s.undecided[key] {
			s.requestCombined(name)
		}
		delete(s.undecided, key)
	}
	for _, ref := range changes.Returned {
		s.Request(Request{TargetWorkload, ref})
	}
	if changes.Reindexed { // everything may have been decided
		clear(s.undecided)
		for name := range s.combined {
			s.requestCombined(name)
		}
		s.requestAll(TargetBinding)
		s.requestAll(TargetPolicy)
	}
	return changes
}
