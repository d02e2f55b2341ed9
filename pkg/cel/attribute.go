package cel

import (
	"time"

	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// attribute is a variable or a part of one. A long text from there is paid for, once for the one operation that will go
// through it.
type attribute struct {
	interpreter.InterpretableAttribute
}

// weighed wraps an attribute that is not wrapped yet.
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

// fixedZone gives a time a zone that does not depend on the machine. Go takes the zone of the machine for one that is
// written as a number when the two agree at that time.
func fixedZone(v ref.Val) ref.Val {
	t, is := v.(types.Timestamp)
	if !is || t.Location() != time.Local {
		return v
	}
	_, offset := t.Zone()
	return types.Timestamp{Time: t.In(time.FixedZone("", offset))}
}
