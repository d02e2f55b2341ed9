package cel

import (
	"time"

	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/stdlib"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// constructor makes a list or a map, and pays for all of its parts. So no value can be larger than the
// cost allows, even if it has the same part many times; else thirty steps could make a list of a billion
// parts, and an error that quotes it would not end. With AtOnce, the comparison is refused instead.
type constructor struct {
	interpreter.InterpretableConstructor
}

// made wraps the constructor of a list or a map. A list of constants is made here, once.
func (e *Env) made(c interpreter.InterpretableConstructor) interpreter.InterpretableV2 {
	if values := constants(c.InitVals()); c.Type() == types.ListType && len(values) > 0 {
		return interpreter.NewConstValue(c.ID(), types.NewRefValList(adapter{}, values))
	}
	if e.options.AtOnce > 0 {
		return c
	}
	return &constructor{c}
}

// constants are the values of parts, nil if one of them is no constant.
func constants(parts []interpreter.InterpretableV2) []ref.Val {
	values := make([]ref.Val, len(parts))
	for i, part := range parts {
		constant, is := part.(interpreter.InterpretableConst)
		if !is {
			return nil
		}
		values[i] = constant.Value()
	}
	return values
}

// Exec implements the library's InterpretableV2.
func (c *constructor) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	return paidParts(frame, c.InterpretableConstructor.Exec(frame))
}

// Eval implements the library's Interpretable.
func (c *constructor) Eval(vars interpreter.Activation) ref.Val {
	return c.Exec(interpreter.AsFrame(vars))
}

// paidText pays for a long text.
func paidText(frame *interpreter.ExecutionFrame, v ref.Val) ref.Val {
	if size := length(v); size > freeText && !pay(frame, size/perUnit) {
		return costs()
	}
	return v
}

// paidName is a function that no expression can name. It wraps the arguments of functions
// whose cost is not known here.
const paidName = "@paid"

// known are the functions whose cost is known here: those of the standard library, and those that return
// their argument.
var known = func() map[string]bool {
	known := map[string]bool{
		operators.OptIndex: true, operators.OptSelect: true, "or": true, "orValue": true, "value": true, "hasValue": true,
		"optional.of": true, "optional.none": true, "optional.ofNonZeroValue": true,
	}
	for _, f := range stdlib.Functions() {
		known[f.Name()] = true
	}
	return known
}()

// paid pays for all parts of an argument of a function whose cost is not known here, but not for a list or map that
// belongs to one loop and grows in place.
func paid(frame *interpreter.ExecutionFrame, v ref.Val) ref.Val {
	switch v.(type) {
	case traits.MutableLister, traits.MutableMapper:
		return v
	}
	return paidParts(frame, v)
}

// paidParts pays for all parts of a value.
func paidParts(frame *interpreter.ExecutionFrame, v ref.Val) ref.Val {
	if large(v) && !payParts(frame, partCost, v) {
		return costs()
	}
	return v
}

// attribute is a variable or a part of one. A long text in it is paid for, once for the one operation that will read
// it.
type attribute struct {
	interpreter.InterpretableAttribute
}

// weighed wraps an attribute, unless it is wrapped already.
func weighed(a interpreter.InterpretableAttribute) interpreter.InterpretableAttribute {
	if _, ours := a.(*attribute); ours {
		return a
	}
	return &attribute{a}
}

// Exec implements the library's InterpretableV2.
func (a *attribute) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	return paidText(frame, a.InterpretableAttribute.Exec(frame))
}

// Eval implements the library's Interpretable.
func (a *attribute) Eval(vars interpreter.Activation) ref.Val {
	return a.Exec(interpreter.AsFrame(vars))
}

// zoned are the functions that find a time zone by its name when they have two arguments.
var zoned = map[string]bool{
	overloads.TimeGetFullYear: true, overloads.TimeGetMonth: true, overloads.TimeGetDayOfYear: true, overloads.TimeGetDate: true,
	overloads.TimeGetDayOfMonth: true, overloads.TimeGetDayOfWeek: true, overloads.TimeGetHours: true, overloads.TimeGetMinutes: true,
	overloads.TimeGetSeconds: true, overloads.TimeGetMilliseconds: true,
}

// fixedZone gives a time a zone that does not depend on the machine. Go uses the zone of the machine for one that is
// written as a number when the two agree at that time.
func fixedZone(v ref.Val) ref.Val {
	t, is := v.(types.Timestamp)
	if !is || t.Location() != time.Local {
		return v
	}
	_, offset := t.Zone()
	return types.Timestamp{Time: t.In(time.FixedZone("", offset))}
}
