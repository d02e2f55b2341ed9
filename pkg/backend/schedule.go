package backend

import (
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// schedule checks every operation before the first is tried, and finds out what waits for what. All
// that an operation waits for comes earlier, so that nothing waits for itself.
func (r *run) schedule(operations []waybill.BackendOperation) error {
	last := map[Key]int{}
	chains := map[string]int{}
	for i := range operations {
		t, err := r.task(&operations[i])
		if err != nil {
			return fmt.Errorf("plan: spec.operations[%d]: %s %s: %w", i, cut(operations[i].Op), cut(operations[i].Kind), err)
		}
		chain := t.op.Translation
		if t.op.Op == waybill.OpDelete {
			chain += " delete" // no Translation has a blank in its name
		}
		wait := func(on int, ok bool) {
			if ok && !slices.Contains(t.waits, on) {
				t.waits = append(t.waits, on)
			}
		}
		on, ok := chains[chain]
		wait(on, ok)
		on, ok = last[t.key]
		wait(on, ok)
		if t.item != nil {
			for _, name := range t.item.names {
				on, ok := last[name]
				wait(on, ok)
			}
		}
		chains[chain], last[t.key] = i, i
		r.tasks, r.left = append(r.tasks, t), append(r.left, i)
		r.result.Outcomes = append(r.result.Outcomes, Outcome{Operation: operations[i], State: StateNotAttempted})
	}
	return nil
}

// task checks that an operation says the same thing everywhere.
func (r *run) task(op *waybill.BackendOperation) (t task, err error) {
	t.op = op
	if !translationKey.MatchString(op.Translation) || op.Index < 0 {
		return t, fmt.Errorf("translation %q, index %d: want a namespace/name and 0 or more", cut(op.Translation), op.Index)
	}
	switch op.Op {
	case waybill.OpCreate, waybill.OpReplace:
		if t.item, err = r.table.understand(Resource{Kind: op.Kind, Parent: op.Parent, Body: op.Body}); err != nil {
			return t, err
		}
		if t.key = t.item.key; t.key.ID != op.ID {
			return t, fmt.Errorf("id %q is not that of the body, %q", cut(op.ID), cut(t.key.ID))
		}
		if op.Op == waybill.OpReplace && t.item.kind.replace == nil {
			return t, fmt.Errorf("the kind cannot be replaced")
		}
		return t, nil
	case waybill.OpDelete, waybill.OpMove:
		t.key = r.table.keyOf(waybill.BackendRecord{Kind: op.Kind, Parent: op.Parent, ID: op.ID})
		return t, r.checkRecorded(op)
	}
	return t, fmt.Errorf("no such operation")
}

// checkRecorded makes sure that nothing is deleted but what the inventory has. Where the plan was begun
// before, it may have been deleted then.
func (r *run) checkRecorded(op *waybill.BackendOperation) error {
	rec, ok := r.inventory.records[op.Number]
	switch {
	case r.table.kinds[op.Kind] == nil:
		return fmt.Errorf("the kind is not in table %q", r.table.name)
	case op.Number <= 0 || op.Number >= r.next:
		return fmt.Errorf("number %d was not in the inventory", op.Number)
	case !ok && r.resumed:
		return nil
	case !ok || rec.Kind != op.Kind || rec.ID != op.ID || op.Op == waybill.OpDelete && rec.Parent != op.Parent:
		return fmt.Errorf("the inventory has something else as number %d", op.Number)
	}
	return nil
}
