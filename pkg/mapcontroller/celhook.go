package mapcontroller

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	celbound "github.com/waybill-dev/waybill/pkg/cel"
)

// celHook is an expression over the fields of a request.
type celHook struct{ program *celbound.Program }

// celScope determines the variables of an expression: those of one hook in one version.
type celScope struct {
	hook, version string
	related       bool
}

// celEnvs caches environments, as creating one is expensive.
var celEnvs sync.Map // of func() (*celbound.Env, error), by celScope

// env is the environment of a scope. Its variables are the fields that a request to that hook has.
func (s celScope) env() (*celbound.Env, error) {
	made, _ := celEnvs.LoadOrStore(s, sync.OnceValues(func() (*celbound.Env, error) {
		return celbound.New(celbound.Options{
			Language: append(s.variables(), cel.OptionalTypes(), ext.TwoVarComprehensions()), MaxCost: maxSteps, Exact: true,
		})
	}))
	return made.(func() (*celbound.Env, error))()
}

func (s celScope) variables() []cel.EnvOption {
	object := cel.MapType(cel.StringType, cel.DynType)
	groups := cel.MapType(cel.StringType, object)
	all := []cel.EnvOption{cel.Variable("controller", object), cel.Variable("parent", object)}
	if s.hook == HookCustomize {
		return all
	}
	all = append(all, cel.Variable("mapKey", cel.StringType), cel.Variable("outputs", groups), cel.Variable("finalizing", cel.BoolType))
	switch s.hook {
	case HookMap:
		all = append(all, cel.Variable("input", object))
	case HookFinalize:
		all = append(all, cel.Variable("input", cel.DynType)) // or null
	}
	if s.related {
		all = append(all, cel.Variable("related", groups))
	}
	if s.version == waybill.HookV2 && s.hook != HookMap {
		all = append(all, cel.Variable("reason", cel.StringType))
	}
	return all
}

// compileCEL compiles an expression.
func compileCEL(text string, scope celScope) (*celHook, error) {
	if text == "" {
		return nil, errors.New("it is empty")
	}
	env, err := scope.env()
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
	result, err := h.eval(ctx, r)
	if err != nil {
		return nil, err
	}
	switch result := result.(type) {
	case []any:
		return readAnswer(r, map[string]any{fieldsOf(r)[0]: result}, true)
	case map[string]any:
		return readAnswer(r, result, true)
	}
	return nil, errors.New("the result is not a list")
}

// eval evaluates the expression over a request, within the steps that remain.
func (h *celHook) eval(ctx context.Context, r *Request) (any, error) {
	most := r.budget.most()
	if most <= 0 {
		return nil, errAllSteps
	}
	fields, err := r.Fields()
	if err != nil {
		return nil, err
	}
	if _, is := fields["input"]; !is && r.Hook == HookFinalize { // one expression serves both cases
		fields["input"] = nil
	}
	vars := celbound.NewVars(fields)
	value, err := h.program.Eval(ctx, vars, most)
	r.budget.spend(vars.Spent())
	switch {
	case errors.Is(err, celbound.ErrCost) && most < maxSteps:
		return nil, errAllSteps
	case errors.Is(err, celbound.ErrCost):
		return nil, errSteps
	case err != nil:
		return nil, errors.New(oneLine(err.Error()))
	}
	result, err := celbound.Plain(value)
	if err != nil {
		return nil, fmt.Errorf("the result is not plain data: %w", err)
	}
	r.budget.spend(stepsPerPart * partsOf(result))
	return result, nil
}

// The cost limits of expressions, in steps. A step is about one access to one part of an object, some twenty to forty
// nanoseconds.
const (
	// maxSteps limits one call, some 0.3 seconds; maxAllSteps all calls of a reconcile, some 20 seconds.
	maxSteps, maxAllSteps = 10_000_000, 600_000_000
	// stepsPerPart is the additional cost of each part of an answer: the answer is kept until the reconcile ends and takes
	// about a kilobyte for each part.
	stepsPerPart = 300
)

var (
	errSteps = publicError{fmt.Errorf("it takes more than %d steps, the limit of one call; "+
		"a step is about one access to one part of an object: use fewer nested loops, or a function", maxSteps)}
	errAllSteps = publicError{fmt.Errorf("the expressions of this run have taken %d steps, the limit of one run; "+
		"a step is about one access to one part of an object: use fewer nested loops, let parents select fewer inputs, or use a function",
		maxAllSteps)}
)

// budget counts the steps that the expressions of a reconcile took. With one request at a time, it runs out at the same
// request every time.
type budget struct{ spent atomic.Int64 }

// most is the limit of steps for the next call.
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
