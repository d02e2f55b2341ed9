package backend

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// run is one application of a plan.
type run struct {
	client  *Client
	table   *Table
	store   Store
	options Options
	result  *Result

	inventory *Inventory
	byKey     map[Key]int64    // record numbers
	naming    map[Key][]naming // what was seen to name this
	unsaved   unsaved

	tasks   []task
	left    []int // tasks that are not done, in order
	resumed bool
	next    int64 // next number when the plan was made
}

// naming is a record that names something, as its parent or by a reference.
type naming struct {
	number    int64
	reference bool
}

// task is an operation and what it waits for.
type task struct {
	op    *waybill.BackendOperation
	item  *item // what is sent, if anything is
	key   Key
	waits []int // tasks that must be done before; all of them come earlier
	done  bool
	first bool // nothing was known of the resource before it was last tried
}

// begin checks the plan against the inventory and makes tasks of it.
func (r *run) begin(plan *waybill.BackendPlan, inventory *Inventory) error {
	spec := &plan.Spec
	if spec.Backend != r.table.name {
		return fmt.Errorf("the plan is for backend %q, not for %q", spec.Backend, r.table.name)
	}
	begun := jsonDigest(*spec)
	if inventory.Digest() != spec.Inventory.Digest {
		if r.resumed = inventory.plan == begun; !r.resumed {
			return ErrStale
		}
	}
	r.inventory, r.next = inventory, spec.Inventory.Next
	if err := r.index(); err != nil {
		return err
	}
	if err := r.schedule(spec.Operations); err != nil {
		return err
	}
	if len(r.tasks) > 0 {
		r.unsaved.plan = begun
	}
	return nil
}

// index makes the inventory ready for questions.
func (r *run) index() error {
	r.byKey, r.naming = map[Key]int64{}, map[Key][]naming{}
	for _, rec := range r.inventory.Records() {
		key := r.table.keyOf(rec)
		if n, twice := r.byKey[key]; twice {
			return fmt.Errorf("the inventory has %s twice, as %d and as %d", key, n, rec.Number)
		}
		r.see(key, rec)
	}
	return nil
}

// see takes note of a record.
func (r *run) see(key Key, rec waybill.BackendRecord) {
	r.byKey[key] = rec.Number
	parents, references := r.table.named(rec)
	for _, name := range parents {
		r.naming[name] = append(r.naming[name], naming{rec.Number, false})
	}
	for _, name := range references {
		r.naming[name] = append(r.naming[name], naming{rec.Number, true})
	}
}

// change makes a change to the inventory, and has it saved before the next call.
func (r *run) change(remove []int64, put ...waybill.BackendRecord) {
	for _, n := range remove {
		if key := r.table.keyOf(r.inventory.records[n]); r.byKey[key] == n {
			delete(r.byKey, key)
		}
		r.unsaved.remove(n)
	}
	r.inventory.Take(Change{Next: r.inventory.next, Remove: remove, Put: put})
	for _, rec := range put {
		r.see(r.table.keyOf(rec), rec)
		r.unsaved.put(rec)
	}
}

// flush saves what has changed.
func (r *run) flush(ctx context.Context) error {
	c := r.unsaved.change(r.inventory.next)
	if c.empty() {
		return nil
	}
	if err := r.store.Save(ctx, c); err != nil {
		return fmt.Errorf("save the inventory: %w", err)
	}
	r.unsaved = unsaved{}
	return nil
}

// unsaved is what has changed since the last save. A nil record is one that is no more.
type unsaved struct {
	plan    string
	records map[int64]*waybill.BackendRecord
}

func (u *unsaved) put(rec waybill.BackendRecord) { u.set(rec.Number, &rec) }

func (u *unsaved) remove(number int64) { u.set(number, nil) }

func (u *unsaved) set(number int64, rec *waybill.BackendRecord) {
	if u.records == nil {
		u.records = map[int64]*waybill.BackendRecord{}
	}
	u.records[number] = rec
}

// change is all of it, in order.
func (u *unsaved) change(next int64) Change {
	c := Change{Plan: u.plan, Next: next}
	for _, n := range slices.Sorted(maps.Keys(u.records)) {
		if rec := u.records[n]; rec != nil {
			c.Put = append(c.Put, *rec)
		} else {
			c.Remove = append(c.Remove, n)
		}
	}
	return c
}

// finish says what became of every operation.
func (r *run) finish() *Result {
	for i := range r.tasks {
		o := &r.result.Outcomes[i]
		if o.State != StateNotAttempted {
			continue
		}
		for _, w := range r.tasks[i].waits {
			if !r.tasks[w].done {
				o.WaitsFor = fmt.Sprintf("%s %s", r.tasks[w].op.Op, r.tasks[w].key)
				break
			}
		}
	}
	return r.result
}
