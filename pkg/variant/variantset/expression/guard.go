package expression

import (
	"fmt"

	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

var (
	errTooLong  = fmt.Errorf("the expression makes a text of more than %d bytes", maxText)
	errTooMany  = fmt.Errorf("the expression makes a list of more than %d parts", maxParts)
	errCompares = fmt.Errorf("the expression compares more than %d parts at once", maxParts)
)

// guarded is a call that looks at its arguments before it does anything.
type guarded struct {
	interpreter.InterpretableCall
	do func(left, right ref.Val) ref.Val
}

// Exec implements the library's InterpretableV2.
func (g *guarded) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	args := g.Args()
	left, right := args[0].Exec(frame), args[1].Exec(frame)
	if types.IsUnknownOrError(left) {
		return left
	}
	if types.IsUnknownOrError(right) {
		return right
	}
	return types.LabelErrNode(g.ID(), g.do(left, right))
}

// Eval implements the library's Interpretable.
func (g *guarded) Eval(vars interpreter.Activation) ref.Val { return g.Exec(interpreter.AsFrame(vars)) }

// guard puts our own operation in place of those that could run away, and maps that have an order
// in place of those that have none.
func guard(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	if literal, is := i.(interpreter.InterpretableConstructor); is && literal.Type() == types.MapType {
		return orderedMap{literal}, nil
	}
	call, is := i.(interpreter.InterpretableCall)
	if !is || len(call.Args()) != 2 {
		return i, nil
	}
	switch call.Function() {
	case operators.Equals:
		return &guarded{call, equal}, nil
	case operators.NotEquals:
		return &guarded{call, notEqual}, nil
	case operators.In:
		return &guarded{call, in}, nil
	case operators.Add:
		return &guarded{call, add}, nil
	case overloads.Matches:
		return &guarded{call, matcher(call.Args()[1])}, nil
	}
	return i, nil
}

func equal(left, right ref.Val) ref.Val {
	if weigh(left)+weigh(right) > maxParts {
		return types.WrapErr(errCompares)
	}
	return types.Equal(left, right)
}

func notEqual(left, right ref.Val) ref.Val {
	if result := equal(left, right); types.IsError(result) {
		return result
	} else {
		return types.Bool(result != types.True)
	}
}

func in(element, container ref.Val) ref.Val {
	all, is := container.(traits.Container)
	if !is {
		return noOverload(operators.In)
	}
	if weighIn(element, container) > maxParts {
		return types.WrapErr(errCompares)
	}
	return all.Contains(element)
}

func add(left, right ref.Val) ref.Val {
	first, is := left.(traits.Adder)
	if !is {
		return noOverload(operators.Add)
	}
	if length(left)+length(right) > maxText {
		return types.WrapErr(errTooLong)
	}
	if items(left)+items(right) > maxParts {
		return types.WrapErr(errTooMany)
	}
	return first.Add(right)
}

func noOverload(function string) ref.Val { return types.NewErr("no such overload: %s", function) }
