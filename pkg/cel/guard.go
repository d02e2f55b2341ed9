package cel

import (
	"fmt"

	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// guard replaces expensive operations by our own.
type guard struct {
	env   *Env
	loops map[int64]loop // by the id of the call of rangeName
}

// metered is a call that is evaluated by a function of ours.
type metered struct {
	interpreter.InterpretableCall
	run func(frame *interpreter.ExecutionFrame) ref.Val
}

// Exec implements the library's InterpretableV2.
func (m *metered) Exec(frame *interpreter.ExecutionFrame) ref.Val { return m.run(frame) }

// Eval implements the library's Interpretable.
func (m *metered) Eval(vars interpreter.Activation) ref.Val { return m.run(interpreter.AsFrame(vars)) }

// operation is a function of two arguments that pays for its work.
type operation = func(frame *interpreter.ExecutionFrame, left, right ref.Val) ref.Val

// guarded is a call of an operation in place of the library's function.
func guarded(call interpreter.InterpretableCall, left, right interpreter.InterpretableV2, do operation) interpreter.InterpretableV2 {
	return &metered{call, func(frame *interpreter.ExecutionFrame) ref.Val {
		left, right := left.Exec(frame), right.Exec(frame)
		if types.IsUnknownOrError(left) {
			return left
		}
		if types.IsUnknownOrError(right) {
			return right
		}
		return types.LabelErrNode(call.ID(), do(frame, left, right))
	}}
}

func (g guard) decorate(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	switch i := i.(type) {
	case interpreter.InterpretableAttribute:
		return weighed(i), nil
	case interpreter.InterpretableConstructor:
		return g.env.made(i), nil
	case interpreter.InterpretableCall:
		return g.call(i), nil
	}
	return i, nil
}

func (g guard) call(call interpreter.InterpretableCall) interpreter.InterpretableV2 {
	switch args := call.Args(); len(args) {
	case 1:
		return g.one(call, args[0])
	case 2:
		return g.two(call, args[0], args[1])
	}
	return call
}

func (g guard) one(call interpreter.InterpretableCall, arg interpreter.InterpretableV2) interpreter.InterpretableV2 {
	var run func(frame *interpreter.ExecutionFrame) ref.Val
	switch call.Function() {
	case rangeName:
		loop := g.loops[call.ID()]
		run = func(frame *interpreter.ExecutionFrame) ref.Val { return loop.enter(frame, arg.Exec(frame)) }
	case paidName:
		run = func(frame *interpreter.ExecutionFrame) ref.Val { return paid(frame, arg.Exec(frame)) }
	case overloads.TypeConvertTimestamp:
		run = func(frame *interpreter.ExecutionFrame) ref.Val { return fixedZone(call.Exec(frame)) }
	case overloads.TypeConvertString, overloads.TypeConvertBytes:
		run = func(frame *interpreter.ExecutionFrame) ref.Val { return paidText(frame, call.Exec(frame)) }
	default:
		return call
	}
	return &metered{call, run}
}

func (g guard) two(call interpreter.InterpretableCall, left, right interpreter.InterpretableV2) interpreter.InterpretableV2 {
	switch name := call.Function(); name {
	case operators.Equals:
		return guarded(call, left, right, g.env.equal)
	case operators.NotEquals:
		return guarded(call, left, right, g.env.notEqual)
	case operators.In:
		return guarded(call, left, right, g.env.in)
	case operators.Add:
		return guarded(call, left, right, add)
	case overloads.Matches:
		return guarded(call, left, right, g.env.matcher(right))
	default:
		if zoned[name] {
			return &metered{call, func(frame *interpreter.ExecutionFrame) ref.Val {
				if !pay(frame, zoneCost) {
					return costs()
				}
				return call.Exec(frame)
			}}
		}
	}
	return call
}

func (e *Env) equal(frame *interpreter.ExecutionFrame, left, right ref.Val) ref.Val {
	if large(left) || large(right) {
		if err := e.compare(frame, left, right); err != nil {
			return err
		}
	}
	return types.Equal(left, right)
}

// compare pays for a comparison; the result is nil when it may run.
func (e *Env) compare(frame *interpreter.ExecutionFrame, values ...ref.Val) ref.Val {
	if most := e.options.AtOnce; most > 0 {
		weight := 0
		for _, v := range values {
			weight += weighTo(v, most-weight)
		}
		if weight > most {
			return types.NewErr("the expression compares more than %d parts at once", most)
		}
	}
	if !payParts(frame, compareCost, values...) {
		return costs()
	}
	return nil
}

func (e *Env) notEqual(frame *interpreter.ExecutionFrame, left, right ref.Val) ref.Val {
	result := e.equal(frame, left, right)
	if types.IsError(result) {
		return result
	}
	return types.Bool(result != types.True)
}

func (e *Env) in(frame *interpreter.ExecutionFrame, element, container ref.Val) ref.Val {
	all, is := container.(traits.Container)
	if !is {
		return noOverload(operators.In)
	}
	looked := []ref.Val{element, container}
	if _, is := container.(traits.Mapper); is {
		looked = looked[:1] // a map looks up
	}
	if err := e.compare(frame, looked...); err != nil {
		return err
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
		return types.WrapErr(ErrTooLong)
	}
	if made > freeText && !pay(frame, made/perUnit) {
		return costs()
	}
	if many := items(left) + items(right); many > maxParts {
		return types.WrapErr(errTooMany)
	} else if _, growing := left.(traits.MutableLister); many > 0 && !growing && !payParts(frame, partCost, left, right) {
		return costs()
	}
	return first.Add(right)
}

func noOverload(function string) ref.Val {
	return types.WrapErr(fmt.Errorf("no such overload: %s", function))
}
