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
	errTooLong = fmt.Errorf("the expression makes a text of more than %d bytes", maxText)
	errTooMany = fmt.Errorf("the expression makes a list of more than %d parts", maxParts)
)

// guarded is a call that looks at its arguments, and pays for them, before it does anything.
type guarded struct {
	interpreter.InterpretableCall
	left, right interpreter.InterpretableV2
	do          func(frame *interpreter.ExecutionFrame, left, right ref.Val) ref.Val
}

// Exec implements the library's InterpretableV2.
func (g *guarded) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	left, right := g.left.Exec(frame), g.right.Exec(frame)
	if types.IsUnknownOrError(left) {
		return left
	}
	if types.IsUnknownOrError(right) {
		return right
	}
	return types.LabelErrNode(g.ID(), g.do(frame, left, right))
}

// Eval implements the library's Interpretable.
func (g *guarded) Eval(vars interpreter.Activation) ref.Val { return g.Exec(interpreter.AsFrame(vars)) }

// guard puts our own operation in place of those that could run away, loops with bodies of the given
// sizes among them.
func guard(bodies map[int64]int) interpreter.InterpretableDecoratorV2 {
	return func(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
		switch i := i.(type) {
		case interpreter.InterpretableAttribute:
			return weighed(i), nil
		case interpreter.InterpretableConstructor:
			return &constructor{i}, nil
		case interpreter.InterpretableCall:
			return guardCall(i, bodies), nil
		}
		return i, nil
	}
}

func guardCall(call interpreter.InterpretableCall, bodies map[int64]int) interpreter.InterpretableV2 {
	switch args := call.Args(); len(args) {
	case 1:
		return guardOne(call, args[0], bodies[call.ID()])
	case 2:
		return guardTwo(call, args[0], args[1])
	}
	return call
}

func guardOne(call interpreter.InterpretableCall, arg interpreter.InterpretableV2, body int) interpreter.InterpretableV2 {
	switch call.Function() {
	case rangeName:
		return &loopRange{call, arg, body}
	case overloads.TypeConvertTimestamp:
		return &fixedZone{call}
	}
	return call
}

func guardTwo(call interpreter.InterpretableCall, left, right interpreter.InterpretableV2) interpreter.InterpretableV2 {
	switch name := call.Function(); name {
	case operators.Equals:
		return &guarded{call, left, right, equal}
	case operators.NotEquals:
		return &guarded{call, left, right, notEqual}
	case operators.In:
		return &guarded{call, left, right, in}
	case operators.Add:
		return &guarded{call, left, right, add}
	case overloads.Matches:
		return &guarded{call, left, right, matcher(right)}
	default:
		if zoned[name] {
			return &zoneLookup{call}
		}
	}
	return call
}

func equal(frame *interpreter.ExecutionFrame, left, right ref.Val) ref.Val {
	if (large(left) || large(right)) && !payParts(frame, left, right) {
		return costs()
	}
	return types.Equal(left, right)
}

func notEqual(frame *interpreter.ExecutionFrame, left, right ref.Val) ref.Val {
	if result := equal(frame, left, right); types.IsError(result) {
		return result
	} else {
		return types.Bool(result != types.True)
	}
}

func in(frame *interpreter.ExecutionFrame, element, container ref.Val) ref.Val {
	all, is := container.(traits.Container)
	if !is {
		return noOverload(operators.In)
	}
	looked := container
	if _, is := container.(traits.Mapper); is {
		looked = element // a map looks up
	}
	if !payParts(frame, element, looked) {
		return costs()
	}
	return all.Contains(element)
}

func add(frame *interpreter.ExecutionFrame, left, right ref.Val) ref.Val {
	first, is := left.(traits.Adder)
	if !is {
		return noOverload(operators.Add)
	}
	made := length(left) + length(right)
	if made > maxText {
		return types.WrapErr(errTooLong)
	}
	if made > freeText && !pay(frame, made/perUnit) {
		return costs()
	}
	if many := items(left) + items(right); many > maxParts {
		return types.WrapErr(errTooMany)
	} else if _, growing := left.(traits.MutableLister); many > 0 && !growing && !payParts(frame, left, right) {
		return costs()
	}
	return first.Add(right)
}

// constructor makes a list or a map, and pays for all parts of what is put into it. So nothing can
// become larger than what can be paid for, also where it has the same part many times; else thirty
// steps made a list of a billion parts, and an error that quotes it would not come to an end.
type constructor struct {
	interpreter.InterpretableConstructor
}

// Exec implements the library's InterpretableV2.
func (c *constructor) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	made := c.InterpretableConstructor.Exec(frame)
	if large(made) && !payParts(frame, made, types.NullValue) {
		return costs()
	}
	return made
}

// Eval implements the library's Interpretable.
func (c *constructor) Eval(vars interpreter.Activation) ref.Val {
	return c.Exec(interpreter.AsFrame(vars))
}

func noOverload(function string) ref.Val { return types.NewErr("no such overload: %s", function) }
