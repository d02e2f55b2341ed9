package status

import (
	"fmt"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/expression"
)

// row is the result of a Program for one report.
type row struct {
	cluster string
	// failure is that of the report, unless the collector refers to manifest.
	failure string
	// dropped says that the filter is false; nothing else counts then.
	dropped bool
	// known says that there is a report.
	known bool
	// nullFilter says that the filter is null.
	nullFilter bool
	// errs are the errors by column in order, the filter first.
	errs []columnError
	// values are the selected columns, or those to group by.
	values []control.Value
	// group is the same text for rows of one group, and no others.
	group string
	// numbers are the values to aggregate, by field.
	numbers []number
}

type columnError struct{ column, text string }

// MaxRowCost is what all expressions of a collector may cost together for one report: about four milliseconds. That is room
// for 28 loops over 500 conditions each, such as conditions.exists(c, c.type == "Available" && c.status == "True").
const MaxRowCost = 2 * DefaultMaxCost

// freeCost is what every expression may cost after the budget of its row is spent, so that a cheap one still works beside one
// that costs too much.
const freeCost = 100

// evaluator makes rows.
type evaluator struct {
	*Program
	vars    *expression.Vars
	options Options
	left    int             // of MaxRowCost, for the row that is being made
	failed  map[string]bool // columns of that row with an error
}

func (e *evaluator) row(r Report) row {
	e.vars.Set(r.Cluster, r.status(), r.Manifest, r.updated())
	e.left = MaxRowCost
	clear(e.failed)
	out := row{cluster: r.Cluster, known: r.Known}
	if !e.readsManifest {
		out.failure = r.Failure
	}
	if out.failure != "" && !e.listing {
		return out
	}
	if e.filtered(&out); out.dropped {
		return out
	}
	if e.listing {
		out.values = e.list()
		return out
	}
	e.group(&out)
	e.numbers(&out)
	return out
}

// fail adds an error of a column, the first one of each name.
func (e *evaluator) fail(r *row, column, text string) {
	if e.failed[column] {
		return
	}
	if e.failed == nil {
		e.failed = map[string]bool{}
	}
	e.failed[column] = true
	r.errs = append(r.errs, columnError{column, text})
}

// eval evaluates an expression within its own limit and that of the row. The expressions of a row are always evaluated in the
// same order, so that other rows make no difference.
func (e *evaluator) eval(def *expression.Expression) (ref.Val, error) {
	limit := e.options.MaxCost
	if limit <= 0 {
		limit = DefaultMaxCost
	}
	v, err := def.Eval(e.vars, min(limit, max(e.left, freeCost)))
	e.left -= e.vars.Spent()
	return v, err
}

// filtered sets whether the row is dropped.
func (e *evaluator) filtered(out *row) {
	if e.filter == nil {
		return
	}
	v, err := e.eval(e.filter)
	if err != nil {
		e.fail(out, "", err.Error())
		return
	}
	keep, is := v.(types.Bool)
	if !is {
		out.nullFilter = v == types.NullValue
		e.fail(out, "", fmt.Sprintf("filter expression has type %s but expected bool or null", v.Type().TypeName()))
		return
	}
	out.dropped = !bool(keep)
}

// list returns the selected columns; the text of an error is a column, too.
func (e *evaluator) list() []control.Value {
	values := make([]control.Value, len(e.selected))
	for i, c := range e.selected {
		if c.last != i {
			continue
		}
		var err error
		if values[i], err = e.value(c.def); err != nil {
			values[i] = textValue(err.Error())
		}
	}
	for i, c := range e.selected {
		values[i] = values[c.last]
	}
	return values
}

func (e *evaluator) value(def *expression.Expression) (control.Value, error) {
	v, err := e.eval(def)
	if err != nil {
		return control.Value{}, err
	}
	out, err := valueOf(v, e.options)
	if err != nil {
		return out, expression.Failed(err)
	}
	return out, nil
}

// numbers evaluates the subjects of the fields.
func (e *evaluator) numbers(out *row) {
	if len(e.fields) == 0 {
		return
	}
	out.numbers = make([]number, len(e.fields))
	for i, c := range e.fields {
		if c.def == nil {
			continue
		}
		v, err := e.eval(c.def)
		if err != nil {
			e.fail(out, c.name, err.Error())
			continue
		}
		out.numbers[i] = numberOf(v)
	}
}
