package publishedresource

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"k8s.io/client-go/util/workqueue"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync/relevance"
)

// memory is what a worker remembers from pass to pass, since its PublishedResource was prepared. Losing it costs some
// requests, and the overflow.
type memory struct {
	relevance relevance.Index
	backoff   workqueue.TypedRateLimiter[string] // of primaries that fail

	mu            sync.Mutex
	failing       map[string]string      // errors by primary
	refused       string                 // what is not deleted, and why
	unavailable   string                 // which workspaces are left out, and why
	waiting       bool                   // some workspaces are not known yet
	statuses      map[live.CacheKey]bool // types, by whether they have a status subresource
	detached      int                    // primaries that do not exist, though copies of them do
	droppedStatus map[string]string      // statuses that an API server dropped, by object
	warned        map[string]bool        // primaries with an event that a status has no place
	// overflow is what was last applied, where that is too large for the Secret, by Secret and entry. After a restart,
	// fields that such an object lost meanwhile stay in its copy.
	overflow map[string]map[string][]byte
}

func newMemory(o Options) *memory {
	return &memory{backoff: workqueue.NewTypedItemExponentialFailureRateLimiter[string](o.FirstRetry, o.LastRetry),
		failing: map[string]string{}, statuses: map[live.CacheKey]bool{}, droppedStatus: map[string]string{},
		warned: map[string]bool{}, overflow: map[string]map[string][]byte{}}
}

// update changes the memory.
func (m *memory) update(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
}

// forget removes a primary.
func (m *memory) forget(primary string) {
	m.relevance.Forget(primary)
	m.backoff.Forget(primary)
	m.update(func() {
		delete(m.failing, primary)
		delete(m.warned, primary)
	})
}

// fault is what is wrong after a pass; nil where all is well.
func (m *memory) fault() *live.Fault {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch n := len(m.failing); {
	case n > 0:
		first := slices.Min(slices.Collect(maps.Keys(m.failing)))
		return &live.Fault{Reason: waybill.ReasonFailing,
			Message: live.Truncate(fmt.Sprintf("%d objects have errors, see their events; the first is %s: %s", n, first, m.failing[first]))}
	case m.refused != "":
		return &live.Fault{Reason: waybill.ReasonRefused, Message: m.refused}
	case m.unavailable != "":
		return &live.Fault{Reason: waybill.ReasonUnavailable, Message: m.unavailable}
	case m.waiting:
		return &live.Fault{Reason: waybill.ReasonProgressing, Message: "not all workspaces are known yet", Brief: true}
	}
	return nil
}
