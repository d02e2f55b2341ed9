package mapcontroller

import (
	"time"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/applyset"
)

// memory is what a worker keeps from pass to pass, since its MapController was prepared. Without it, the controller sends
// more requests; see also states.
type memory struct {
	gone          map[string]bool        // keys of objects that do not exist, by the API server
	absent        map[string]time.Time   // since when inputs of existing outputs are absent
	failing       map[string]string      // the first error of a parent, by key
	refused       string                 // an error of the MapController as a whole
	recorded      map[string]string      // the last event about a parent
	related       map[live.Resource]bool // types that customize hooks asked for
	droppedStatus map[string]string      // resourceVersion of parents whose status the API server dropped
	// states hold what was last applied to outputs, where that is too large for an annotation. After a restart, a field that
	// such an output should lose stays, with a warning.
	states map[string][]byte // by owner and output
}

func newMemory() *memory {
	return &memory{gone: map[string]bool{}, absent: map[string]time.Time{}, failing: map[string]string{}, recorded: map[string]string{},
		related: map[live.Resource]bool{}, droppedStatus: map[string]string{}, states: map[string][]byte{}}
}

func stateKey(owner string, output applyset.Ref) string { return owner + " " + output.String() }

// lastKnown is what was last applied to an output, if it is not in an annotation.
func (m *memory) lastKnown(_, owner, _ string, output applyset.Ref) []byte {
	return m.states[stateKey(owner, output)]
}

// applied updates the states after an operation that succeeded.
func (m *memory) applied(op applyset.Operation) {
	key := stateKey(op.Owner, op.Ref)
	if op.Action == applyset.ActionDelete || op.Action == applyset.ActionOrphan || op.Action == applyset.ActionRecreate {
		delete(m.states, key)
	} else if len(op.State) > applyset.MaxAnnotationState {
		m.states[key] = op.State
	}
}
