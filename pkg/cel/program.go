package cel

import (
	"context"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"
)

// Program is a compiled expression.
type Program struct {
	program cel.Program
	base    int // what it costs without any loop
	most    int // what one evaluation may cost
}

// Eval returns what the expression makes of the variables. It may cost at most limit, or what
// the Options say if that is less; what it did cost, vars tell, after an error, too. An evaluation is bounded, so
// that ctx is looked at before it and not within. The value holds until the variables change.
func (p *Program) Eval(ctx context.Context, vars Vars, limit int) (ref.Val, error) {
	limit = min(limit, p.most)
	m := vars.itself()
	*m = Meter{limit: limit, left: limit}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !m.pay(p.base) {
		return nil, ErrCost
	}
	value, _, err := p.program.Eval(vars)
	if m.exhausted { // even where another part of the expression made up for it
		return nil, ErrCost
	}
	return value, err
}
