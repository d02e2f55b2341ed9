package expression

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// environment is made once: it takes longer than a hundred expressions.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	// The library has one value for all of these errors and writes to it when it is first used.
	// From now on it only reads, so that Expressions may run at the same time.
	types.LabelErrNode(1, types.NoSuchOverloadErr())
	return cel.NewEnv(
		cel.CustomTypeAdapter(adapter{}),
		cel.ParserExpressionSizeLimit(maxLength),
		cel.ParserRecursionLimit(maxDepth),
		cel.Variable("obj", cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable("returned", cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable("inventory", cel.MapType(cel.StringType, cel.StringType)),
		cel.Variable("propagation", cel.MapType(cel.StringType, cel.DynType)),
	)
})

// Expression is a compiled expression.
type Expression struct{ program cel.Program }

// Compile parses and checks an expression and makes it ready to run. What type its results have is
// not looked at.
func Compile(text string) (*Expression, error) {
	env, err := environment()
	if err != nil {
		return nil, err
	}
	parsed, issues := env.Parse(text)
	if issues.Err() != nil {
		return nil, fault("parse", issues)
	}
	checked, issues := env.Check(parsed)
	if issues.Err() != nil {
		return nil, fault("check", issues)
	}
	bodies := meterLoops(checked.NativeRep())
	program, err := env.Program(checked, cel.CustomDecoratorV2(guard(bodies)))
	if err != nil {
		return nil, fmt.Errorf("failed to check expression: %w", err)
	}
	return &Expression{program}, nil
}

// fault is what the library found, in its words: places, lines and arrows.
func fault(what string, issues *cel.Issues) error {
	return fmt.Errorf("failed to %s expression: %s", what, shortened(issues.Err().Error(), maxFaults))
}

// Eval returns what the expression makes of the variables. It may cost at most limit, or MaxCost if
// that is less or limit is not positive. What it returns holds until the variables are set anew.
func (e *Expression) Eval(vars *Vars, limit int) (ref.Val, error) {
	if limit <= 0 || limit > MaxCost {
		limit = MaxCost
	}
	vars.meter = meter{left: limit}
	value, _, err := e.program.Eval(vars)
	if vars.meter.exhausted { // even where another part of the expression made up for it
		err = ErrCost
	}
	if err != nil {
		return nil, Failed(err)
	}
	return value, nil
}

// Failed says of an evaluation that it failed.
func Failed(err error) error {
	return errors.New("failed to evaluate expression: " + shortened(err.Error(), maxMessage))
}

func shortened(message string, most int) string {
	if len(message) > most {
		return strings.ToValidUTF8(message[:most], "") + "..."
	}
	return message
}
