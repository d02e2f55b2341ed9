package apply

import (
	"errors"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// preconditions checks operations against the inventory that the earlier operations of the plan lead to.
type preconditions struct {
	run     *run
	numbers map[table.Key]int64 // changes by the plan: 0 for what it deletes, created for what it creates
	sent    map[table.Key]bool  // what the plan has created or replaced
}

const created = -1

func (r *run) newPreconditions() *preconditions {
	return &preconditions{run: r, numbers: map[table.Key]int64{}, sent: map[table.Key]bool{}}
}

// check refuses an operation that does not fit the inventory at that point: a plan deletes only what the inventory has, and
// nothing twice. A resumed plan was checked when it was started, and the inventory is now in the middle of it.
func (p *preconditions) check(t task) error {
	if p.run.resumed {
		return nil
	}
	number := p.number(t.key)
	switch op := t.op; op.Op {
	case waybill.OpDelete, waybill.OpMove:
		if err := p.checkRecord(number, op); err != nil {
			return err
		}
		if op.Op == waybill.OpDelete {
			p.numbers[t.key] = 0
		}
		return nil
	default:
		if p.sent[t.key] {
			return errors.New("the plan contains it twice")
		}
		if number != op.Number && (number > 0 || op.Number > 0) {
			return fmt.Errorf("the plan gives it number %d, but the inventory has it as number %d at this point of the plan",
				op.Number, max(number, 0))
		}
		if p.sent[t.key] = true; number <= 0 {
			p.numbers[t.key] = created
		}
		return nil
	}
}

func (p *preconditions) number(key table.Key) int64 {
	if n, changed := p.numbers[key]; changed {
		return n
	}
	return p.run.byKey[key]
}

func (p *preconditions) checkRecord(number int64, op *waybill.BackendOperation) error {
	rec, _ := p.run.inventory.Record(op.Number)
	if number != op.Number || rec.Kind != op.Kind || rec.ID != op.ID || op.Op == waybill.OpDelete && rec.Parent != op.Parent {
		return fmt.Errorf("the inventory has another resource as number %d at this point of the plan", op.Number)
	}
	return nil
}
