package apply

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// schedule checks every operation before the first is tried, and makes tasks with their dependencies.
func (r *run) schedule(operations []waybill.BackendOperation) error {
	pre := r.newPreconditions()
	for i := range operations {
		t, err := r.newTask(&operations[i])
		if err == nil {
			err = pre.check(t)
		}
		if err != nil {
			return fmt.Errorf("plan: spec.operations[%d]: %s %s: %w", i, table.Short(operations[i].Op), table.Short(operations[i].Kind), err)
		}
		r.tasks, r.remaining = append(r.tasks, t), append(r.remaining, i)
		r.result.Outcomes = append(r.result.Outcomes, Outcome{Operation: operations[i], State: StateNotAttempted})
	}
	r.addDependencies()
	return nil
}

// addDependencies makes each task depend on the one before it of its Translation, and on its prerequisites: what its resource
// links to. For a deletion, everything that links to the resource has to be deleted first, or changed to link elsewhere,
// since otherwise the resource is still in use. A task depends only on earlier ones, so there is no cycle.
func (r *run) addDependencies() {
	steps := make([]plan.Step, len(r.tasks))
	for i := range r.tasks {
		steps[i] = r.planStep(&r.tasks[i])
	}
	needs, cyclic := plan.Prerequisites(r.table, steps)
	chains := map[string]int{}
	for i := range r.tasks {
		t := &r.tasks[i]
		if !cyclic[i] {
			if before, is := chains[t.chain()]; is {
				t.dependsOn = append(t.dependsOn, before)
			}
			chains[t.chain()] = i
		}
		t.dependsOn = append(t.dependsOn, needs[i]...)
	}
}

func (r *run) planStep(t *task) plan.Step {
	s := plan.Step{Op: t.op.Op, Key: t.key, Item: t.item}
	if rec, there := r.inventory.Record(r.byKey[t.key]); there {
		s.Record = &rec
	}
	return s
}

// chain names the sequence that a task belongs to: the deletions of a Translation, or its other operations.
func (t *task) chain() string {
	if t.op.Op == waybill.OpDelete {
		return t.op.Translation + " delete" // a Translation has no space in its name
	}
	return t.op.Translation
}

// newTask checks that the fields of an operation agree with each other.
func (r *run) newTask(op *waybill.BackendOperation) (t task, err error) {
	t.op = op
	if !inventory.IsTranslationKey(op.Translation) || op.Index < 0 {
		return t, fmt.Errorf("translation %q, index %d: want a namespace/name and 0 or more", table.Short(op.Translation), op.Index)
	}
	switch op.Op {
	case waybill.OpCreate, waybill.OpReplace:
		if t.item, err = r.table.Resolve(table.Resource{Kind: op.Kind, Parent: op.Parent, Body: op.Body}); err != nil {
			return t, err
		}
		if t.key = t.item.Key; t.key.ID != op.ID {
			return t, fmt.Errorf("id %q is not that of the body, %q", table.Short(op.ID), table.Short(t.key.ID))
		}
		if op.Op == waybill.OpReplace && t.item.Kind.Replace == nil {
			return t, fmt.Errorf("the kind cannot be replaced")
		}
		return t, nil
	case waybill.OpDelete, waybill.OpMove:
		t.key = r.table.KeyOf(waybill.BackendRecord{Kind: op.Kind, Parent: op.Parent, ID: op.ID})
		return t, r.checkNumber(op)
	}
	return t, fmt.Errorf("no such operation")
}

// checkNumber refuses a number that cannot be in the inventory of the plan.
func (r *run) checkNumber(op *waybill.BackendOperation) error {
	switch {
	case r.table.Kind(op.Kind) == nil:
		return fmt.Errorf("the kind is not in table %q", r.table.Name())
	case op.Number <= 0 || op.Number >= r.next:
		return fmt.Errorf("number %d was not in the inventory", op.Number)
	}
	return nil
}
