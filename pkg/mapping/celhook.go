package mapping

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/expression"
)

// celHook is an expression over the fields of a request.
type celHook struct{ program *expression.Program }

// celScope is which variables an expression has: those of one hook in one version.
type celScope struct {
	hook, version string
	related       bool
}

// celEnvs are the languages that were asked for: making one takes longer than most other things.
var celEnvs sync.Map // of func() (*expression.Env, error), by dialect

// env is the language of a dialect. Its variables are the fields that a request to that hook has.
func (d celScope) env() (*expression.Env, error) {
	made, _ := celEnvs.LoadOrStore(d, sync.OnceValues(func() (*expression.Env, error) {
		return expression.New(expression.Options{
			Language: append(d.variables(), cel.OptionalTypes(), ext.TwoVarComprehensions()), MaxCost: maxSteps, Exact: true,
		})
	}))
	return made.(func() (*expression.Env, error))()
}

func (d celScope) variables() []cel.EnvOption {
	object := cel.MapType(cel.StringType, cel.DynType)
	groups := cel.MapType(cel.StringType, object)
	all := []cel.EnvOption{cel.Variable("controller", object), cel.Variable("parent", object)}
	if d.hook == HookCustomize {
		return all
	}
	all = append(all, cel.Variable("mapKey", cel.StringType), cel.Variable("outputs", groups))
	switch d.hook {
	case HookMap:
		all = append(all, cel.Variable("input", object))
	case HookFinalize:
		all = append(all, cel.Variable("input", cel.DynType)) // or null
	}
	if d.related {
		all = append(all, cel.Variable("related", groups))
	}
	if d.version == waybill.HookV2 {
		all = append(all, cel.Variable("finalizing", cel.BoolType))
		if d.hook != HookMap {
			all = append(all, cel.Variable("reason", cel.StringType))
		}
	}
	return all
}

// compileCEL makes an expression ready.
func compileCEL(text string, d celScope) (*celHook, error) {
	if text == "" {
		return nil, errors.New("it is empty")
	}
	env, err := d.env()
	if err != nil {
		return nil, err
	}
	program, err := env.Compile(text)
	if err != nil {
		return nil, errors.New(oneLine(err.Error()))
	}
	return &celHook{program}, nil
}

// call implements hook.
func (h *celHook) call(ctx context.Context, r *Request) (*answer, error) {
	plain, err := h.eval(ctx, r)
	if err != nil {
		return nil, err
	}
	switch plain := plain.(type) {
	case []any:
		return readAnswer(r, map[string]any{fieldsOf(r)[0]: plain}, true)
	case map[string]any:
		return readAnswer(r, plain, true)
	}
	return nil, errors.New("the result is no list")
}

// eval is what the expression makes of a request, within what the pass has left.
func (h *celHook) eval(ctx context.Context, r *Request) (any, error) {
	most := r.budget.most()
	if most <= 0 {
		return nil, errAllSteps
	}
	fields, err := r.Fields()
	if err != nil {
		return nil, err
	}
	if _, is := fields["input"]; !is && r.Hook == HookFinalize { // one expression is for both
		fields["input"] = nil
	}
	vars := expression.NewVars(fields)
	value, err := h.program.Eval(ctx, vars, most)
	r.budget.spend(vars.Spent())
	switch {
	case errors.Is(err, expression.ErrCost) && most < maxSteps:
		return nil, errAllSteps
	case errors.Is(err, expression.ErrCost):
		return nil, errSteps
	case err != nil:
		return nil, errors.New(oneLine(err.Error()))
	}
	plain, err := expression.Plain(value)
	if err != nil {
		return nil, fmt.Errorf("the result is no plain data: %w", err)
	}
	r.budget.spend(stepsPerPart * partsOf(plain))
	return plain, nil
}

// What expressions may cost, in steps. A step is about one look at one part of an object, some twenty to forty
// nanoseconds.
const (
	// maxSteps is for one call, some 0.3 seconds; maxAllSteps for all calls of a pass, some 20 seconds.
	maxSteps, maxAllSteps = 10_000_000, 600_000_000
	// stepsPerPart is what each part of an answer costs besides, of all there are: it is kept until the pass ends, and
	// takes about a kilobyte until then.
	stepsPerPart = 300
)

var (
	errSteps = publicError{fmt.Errorf("it takes more than %d steps, which is as many as one call may take; "+
		"a step is about one look at one part of an object: use fewer loops within loops, or a function", maxSteps)}
	errAllSteps = publicError{fmt.Errorf("the expressions of this run have taken %d steps together, which is as many as they may; "+
		"a step is about one look at one part of an object: use fewer loops within loops, let parents select fewer inputs, or use a function",
		maxAllSteps)}
)

// budget is what the expressions of a pass have cost. Where there is one request at a time, it ends at the same
// request every time.
type budget struct{ spent atomic.Int64 }

// most is how many steps the next call may take.
func (b *budget) most() int { return int(min(maxSteps, maxAllSteps-b.spent.Load())) }

func (b *budget) spend(steps int) { b.spent.Add(int64(steps)) }

// partsOf counts the parts of plain data.
func partsOf(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, part := range v {
			n += partsOf(part)
		}
	case []any:
		for _, part := range v {
			n += partsOf(part)
		}
	}
	return n
}
