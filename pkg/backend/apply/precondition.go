package apply

import (
	"errors"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// ledger is what the inventory has at each point of a plan, if all before it is done.
type preconditions struct {
	run     *run
	numbers map[table.Key]int64 // changes to what there is: the number, 0 for what is deleted, made for what is new
	sent    map[table.Key]bool  // created or replaced by the plan
}

const created = -1

func (r *run) newPreconditions() *preconditions {
	return &preconditions{run: r, numbers: map[table.Key]int64{}, sent: map[table.Key]bool{}}
}

// enter refuses an operation that does not fit what there is then: nothing is deleted but what the
// inventory has, and nothing twice. A plan that was begun before was entered then, as a whole; what there
// is now is somewhere in its midst.
func (l *preconditions) check(t task) error {
	if l.run.resumed {
		return nil
	}
	number := l.number(t.key)
	switch op := t.op; op.Op {
	case waybill.OpDelete, waybill.OpMove:
		if err := l.checkRecord(number, op); err != nil {
			return err
		}
		if op.Op == waybill.OpDelete {
			l.numbers[t.key] = 0
		}
		return nil
	default:
		if l.sent[t.key] {
			return errors.New("it is in the plan twice")
		}
		if number != op.Number && (number > 0 || op.Number > 0) {
			return fmt.Errorf("number %d is wanted, and the inventory has it as number %d then", op.Number, max(number, 0))
		}
		if l.sent[t.key] = true; number <= 0 {
			l.numbers[t.key] = created
		}
		return nil
	}
}

func (l *preconditions) number(key table.Key) int64 {
	if n, changed := l.numbers[key]; changed {
		return n
	}
	return l.run.byKey[key]
}

func (l *preconditions) checkRecord(number int64, op *waybill.BackendOperation) error {
	rec, _ := l.run.inventory.Record(op.Number)
	if number != op.Number || rec.Kind != op.Kind || rec.ID != op.ID || op.Op == waybill.OpDelete && rec.Parent != op.Parent {
		return fmt.Errorf("the inventory has something else as number %d then", op.Number)
	}
	return nil
}
