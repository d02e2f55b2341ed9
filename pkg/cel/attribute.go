package cel

import (
	"time"

	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// attribute is a variable or a part of one. Where a long text comes from there it is paid for, once
// for the one operation that will go through it.
type attribute struct {
	interpreter.InterpretableAttribute
}

// weighed puts an attribute around one that is none of ours.
func weighed(a interpreter.InterpretableAttribute) interpreter.InterpretableAttribute {
	if _, ours := a.(*attribute); ours {
		return a
	}
	return &attribute{a}
}

// Exec implements the library's InterpretableV2.
func (a *attribute) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	v := a.InterpretableAttribute.Exec(frame)
	if size := length(v); size > freeText && !pay(frame, size/perUnit) {
		return costs()
	}
	return v
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

// zoneLookup pays for finding a time zone.
type zoneLookup struct{ interpreter.InterpretableCall }

// Exec implements the library's InterpretableV2.
func (z *zoneLookup) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	if !pay(frame, zoneCost) {
		return costs()
	}
	return z.InterpretableCall.Exec(frame)
}

// Eval implements the library's Interpretable.
func (z *zoneLookup) Eval(vars interpreter.Activation) ref.Val {
	return z.Exec(interpreter.AsFrame(vars))
}

// fixedZone reads a time. Go takes the zone of the machine for one that is written as a number when
// the two agree at that time; what is reckoned from there would depend on the machine.
type fixedZone struct{ interpreter.InterpretableCall }

// Exec implements the library's InterpretableV2.
func (f *fixedZone) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	v := f.InterpretableCall.Exec(frame)
	t, is := v.(types.Timestamp)
	if !is || t.Location() != time.Local {
		return v
	}
	_, offset := t.Zone()
	return types.Timestamp{Time: t.In(time.FixedZone("", offset))}
}

// Eval implements the library's Interpretable.
func (f *fixedZone) Eval(vars interpreter.Activation) ref.Val {
	return f.Exec(interpreter.AsFrame(vars))
}
