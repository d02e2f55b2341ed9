package mapcontroller

import (
	"time"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/applyset"
)

// memory is what a worker remembers from pass to pass, since its MapController was prepared. To lose it costs some
// requests, and what the comment on states says.
type memory struct {
	gone          map[string]bool        // keys that the API server said are absent
	absent        map[string]time.Time   // inputs that outputs were made of, since when they are absent
	failing       map[string]string      // what is wrong with a parent, the first of it; by key
	refused       string                 // what is wrong with the MapController as a whole
	recorded      map[string]string      // the last warning about a parent
	related       map[live.Resource]bool // types that customize hooks asked for
	droppedStatus map[string]string      // resourceVersion of parents whose status the API server dropped
	// states are what was last applied, where that is too large for an annotation. After a restart, fields
	// that such an output lost meanwhile stay, and a warning says so.
	states map[string][]byte // by owner and output
}

func newMemory() *memory {
	return &memory{gone: map[string]bool{}, absent: map[string]time.Time{}, failing: map[string]string{}, recorded: map[string]string{},
		related:       map[live.Resource]bool{},
		droppedStatus: map[string]string{}, states: map[string][]byte{}}
}

func stateKey(owner string, output applyset.Ref) string { return owner + " " + output.String() }

// lastKnown is what was last applied to an output, if that is not in an annotation of it.
func (m *memory) lastKnown(_, owner, _ string, output applyset.Ref) []byte {
	return m.states[stateKey(owner, output)]
}

// applied notes what an operation that succeeded leads to.
func (m *memory) applied(op applyset.Operation) {
	key := stateKey(op.Owner, op.Ref)
	if op.Action == applyset.ActionDelete || op.Action == applyset.ActionOrphan || op.Action == applyset.ActionRecreate {
		delete(m.states, key)
	} else if len(op.State) > applyset.MaxAnnotationState {
		m.states[key] = op.State
	}
}
