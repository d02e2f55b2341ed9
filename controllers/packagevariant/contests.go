package packagevariant

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/internal/live"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// contests finds PackageVariants whose status another controller writes as well, such as Porch's. Two controllers that work
// one PackageVariant would change its drafts in turn: this one pauses, longer each time, and looks again.
//
// It remembers what this process wrote. A status that differs is compared with who wrote it, by the API server's records.
type contests struct {
	server         client.Reader // uncached
	now            func() time.Time
	first, longest time.Duration // of the pauses

	mu      sync.Mutex
	wrote   map[key]written
	writing map[key]bool
	pauses  map[key]pause
}

// written is a status that this process wrote.
type written struct {
	status  [sha256.Size]byte
	version string      // of the object
	at      metav1.Time // in the API server's time
}

// pause is the last pause of a PackageVariant.
type pause struct {
	took  time.Duration
	until time.Time
}

func newContests(server client.Reader, o Options) *contests {
	const firstPause = 10 // retries
	return &contests{server: server, now: o.Now, first: min(firstPause*o.FirstRetry, o.LastRetry), longest: o.LastRetry,
		wrote: map[key]written{}, writing: map[key]bool{}, pauses: map[key]pause{}}
}

// begin says that this process is about to write a status: the event of that may arrive before the answer, which record takes.
func (c *contests) begin(at key) (end func()) {
	set := func(writing bool) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if delete(c.writing, at); writing {
			c.writing[at] = true
		}
	}
	set(true)
	return func() { set(false) }
}

// record remembers a status that this process wrote, as the API server answered.
func (c *contests) record(pv *porchconfig.PackageVariant) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ours := lastWrite(pv, func(manager string) bool { return manager == live.FieldManager })
	c.wrote[client.ObjectKeyFromObject(pv)] = written{sumOf(pv), pv.ResourceVersion, ours.at}
}

// sumOf is a checksum of the status.
func sumOf(pv *porchconfig.PackageVariant) [sha256.Size]byte {
	text, err := json.Marshal(pv.Status)
	if err != nil {
		return [sha256.Size]byte{} // a status always has a form
	}
	return sha256.Sum256(text)
}

func (c *contests) forget(at key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.wrote, at)
	delete(c.pauses, at)
}

// paused reports whether a PackageVariant has to wait.
func (c *contests) paused(at key) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now().Before(c.pauses[at].until)
}

// overwritten reports whether the status of pv, as a cache has it, differs from what this process wrote, outside of a pause.
func (c *contests) overwritten(pv *porchconfig.PackageVariant) bool {
	at := client.ObjectKeyFromObject(pv)
	if c.paused(at) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	last, known := c.wrote[at]
	return known && !c.writing[at] && last.version != pv.ResourceVersion && last.status != sumOf(pv)
}

// check returns a contestedError and begins a pause, if another controller wrote the status of pv after this one. The
// object is read from the API server, as a cache may be behind what this process wrote.
func (c *contests) check(ctx context.Context, pv *porchconfig.PackageVariant) error {
	if !c.overwritten(pv) {
		return nil
	}
	now, at := &porchconfig.PackageVariant{}, client.ObjectKeyFromObject(pv)
	if err := c.server.Get(ctx, at, now); err != nil {
		return client.IgnoreNotFound(err)
	}
	other := lastWrite(now, func(manager string) bool { return manager != live.FieldManager })
	c.mu.Lock()
	defer c.mu.Unlock()
	if other.manager == "" || other.at.Before(new(c.wrote[at].at)) {
		return nil
	}
	c.pauses[at] = c.next(c.pauses[at])
	return &contestedError{other.manager}
}

// next is twice the pause before, unless that is long over.
func (c *contests) next(last pause) pause {
	took := c.first
	if c.now().Before(last.until.Add(2 * c.longest)) {
		took = min(2*last.took, c.longest)
	}
	return pause{took, c.now().Add(took)}
}

// write is a write of a status.
type write struct {
	manager string
	at      metav1.Time
}

// lastWrite is the last write of a controller's part of the status, by a manager of a kind.
func lastWrite(pv *porchconfig.PackageVariant, by func(manager string) bool) (last write) {
	for _, f := range pv.ManagedFields {
		if f.Subresource != "status" || f.Time == nil || f.FieldsV1 == nil || !by(f.Manager) || f.Time.Before(&last.at) {
			continue
		}
		owns := func(field string) bool { return strings.Contains(f.FieldsV1.GetRawString(), field) }
		if f.Manager == live.FieldManager || slices.ContainsFunc(controllerFields, owns) {
			last = write{f.Manager, *f.Time}
		}
	}
	return last
}

// controllerFields are the fields of a status that a controller of PackageVariants writes, as the API server records their
// owners: all conditions, where the definition does not tell them apart, or these.
var controllerFields = []string{`"f:conditions":{}`, `"k:{\"type\":\"Ready\"}"`, `"k:{\"type\":\"Stalled\"}"`, `"f:downstreamTargets"`}
