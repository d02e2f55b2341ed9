package apply

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// run is one execution of a plan.
type run struct {
	client  *httpclient.Client
	table   *table.Table
	store   inventory.Store
	options Options
	result  *Result

	inventory *inventory.Inventory
	byKey     map[table.Key]int64          // record numbers
	referrers map[table.Key]map[int64]bool // numbers of the records that link to a key, and whether only by a reference
	pending   pendingChange

	tasks         []task
	remaining     []int // tasks that are not done, in the order in which they are tried
	resumed       bool
	next          int64     // next number when the plan was made
	pausedUntil   time.Time // the backend accepts no requests until then
	tookLongPause bool      // because of a request to wait longer than LongestWait
}

// task is an operation and what it depends on.
type task struct {
	op         *waybill.BackendOperation
	item       *table.Item // what is sent; nil for a deletion or a move
	key        table.Key
	dependsOn  []int // tasks that have to be done before; all of them come earlier
	done       bool
	wasUnknown bool      // the inventory had no record of the resource before the last attempt
	notBefore  time.Time // the backend does not accept it until then
}

// start checks the plan against the inventory and makes tasks of it.
func (r *run) start(plan *waybill.BackendPlan, inv *inventory.Inventory) error {
	spec := &plan.Spec
	if spec.Backend != r.table.Name() {
		return fmt.Errorf("the plan is for backend %q, not for %q", spec.Backend, r.table.Name())
	}
	if err := inv.CheckBackend(r.table.Name()); err != nil {
		return fmt.Errorf("the inventory: %w", err)
	}
	if err := r.checkAddress(inv.URL); err != nil {
		return err
	}
	digest := inventory.DigestOf(*spec)
	if inv.Digest() != spec.Inventory.Digest {
		if r.resumed = inv.Plan == digest; !r.resumed {
			return ErrStale
		}
	}
	r.inventory, r.next = inv, spec.Inventory.Next
	if err := r.buildIndex(); err != nil {
		return err
	}
	if err := r.schedule(spec.Operations); err != nil {
		return err
	}
	if len(r.tasks) > 0 {
		r.pending.plan = digest
	}
	return nil
}

// checkAddress compares the address of the client with the one in the inventory, and records a new one.
func (r *run) checkAddress(known string) error {
	at := r.client.Address()
	if known == at {
		return nil
	}
	if known != "" && !r.options.URLMoved {
		return &MovedError{Was: known, Is: at}
	}
	r.pending.url = at
	return nil
}

// flush saves the pending change.
func (r *run) flush(ctx context.Context) error {
	c := r.pending.change(r.inventory.Next)
	if c.Empty() {
		return nil
	}
	if err := r.store.Save(ctx, c); err != nil {
		return fmt.Errorf("save the inventory: %w", err)
	}
	r.pending = pendingChange{}
	return nil
}

// finish completes the outcomes of the operations.
func (r *run) finish() *Result {
	for i := range r.tasks {
		o := &r.result.Outcomes[i]
		if o.State != StateNotAttempted {
			continue
		}
		if at := slices.IndexFunc(r.tasks[i].dependsOn, func(on int) bool { return !r.tasks[on].done }); at >= 0 {
			first := r.tasks[r.tasks[i].dependsOn[at]]
			o.WaitsFor = fmt.Sprintf("%s %s", first.op.Op, first.key)
		}
	}
	return r.result
}
