// Package replacements is the function apply-replacements: it copies the value of a field of one
// object to fields of others.
//
// Shape: replacements and items in; per item a copy with the fields set, the item itself where they have
// the values already. Replacements are done in order, and each sees the results of those before it.
// Objects are selected as kustomize's matchers select them, by an index of their names (index.go): comparing
// each with every target took minutes. Fields are found here (find.go) and not by
// kyaml's PathMatcher, which from v0.21 on looks into texts that hold YAML, without limits, and
// drops what is set in them.
// Cost: a pattern is compared with each name once; what a selector selects is found once, and again
// when a name, label or annotation was set; an item is copied once, when it is first read or set. All
// of it together is limited (work.go).
// Errors: a config with a fault; a source that is not one field of one object; per object, a
// field that is not there. No message holds a value.
// Source: the documentation of kustomize's replacements, to which the README of apply-replacements
// in krm-functions-catalog refers.
package replacements

import (
	"context"
	_ "embed" // for the README
	"errors"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

//go:embed apply-replacements.md
var readme string

const functionName, configKind = "apply-replacements", "ApplyReplacements"

// Function is apply-replacements.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run}

// Run does all replacements, in their order.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	return newWork(ctx).run(in)
}

// run does all replacements within the budget w.
func (w *work) run(in *fn.Input) (*fn.Output, error) {
	plan, err := readPlan(in.Config)
	if err != nil {
		return nil, err
	}
	r, err := newRun(w, in)
	r.byLabels = plan.byLabels
	for i := 0; i < len(plan.replacements) && err == nil; i++ {
		err = r.replace(plan.replacements[i], field.NewPath("replacements").Index(i))
	}
	if ended := w.ctx.Err(); ended != nil {
		return nil, ended
	}
	if err != nil {
		return r.out, err
	}
	r.warnMore()
	return r.result(in)
}

// run is one run over all items.
type run struct {
	*index
	finder *finder
	places *places
	one    [1]*yaml.Node // the result of find for a known node
	out    *fn.Output
	copies []*krm.Object // by item: the copy that is read and edited, nil before that
	faults []int         // by item: how many of its faults were reported
	empty  int           // targets that selected no object

	byLabels bool
}

// mostFaults is how many faults of one object are reported.
const mostFaults = 10

func newRun(w *work, in *fn.Input) (*run, error) {
	n := len(in.Items)
	r := &run{out: fn.NewOutput(in), finder: &finder{work: w}, copies: make([]*krm.Object, n), faults: make([]int, n),
		places: &places{byPath: map[string][]place{}, shapes: make([]int, n), left: mostPlaces}}
	var err error
	r.index, err = newIndex(in.Items, w)
	return r, err
}

// copy is the copy of item i.
func (r *run) copy(i int) *krm.Object {
	if r.copies[i] == nil {
		r.copies[i] = edit.Copy(r.out.Items[i])
	}
	return r.copies[i]
}

// result is the items after all replacements.
func (r *run) result(in *fn.Input) (*fn.Output, error) {
	for i, c := range r.copies {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		switch {
		case c == nil:
		case depth(c.Node()) > krm.DefaultLimits.Depth:
			r.out.Report(sdk.Error, in.Items[i], nil, "would be nested more deeply than the %d levels that can be read", krm.DefaultLimits.Depth)
		default:
			r.out.Items[i] = edit.RestoreForm(in.Items[i], c)
		}
	}
	return r.out, nil
}

// replace does one replacement. A fault of an object is a result; an error ends the run.
func (r *run) replace(p replacement, at *field.Path) error {
	value, err := r.value(p, at)
	for i := 0; i < len(p.targets) && err == nil; i++ {
		err = r.apply(p.targets[i], value, at.Child("targets").Index(i))
	}
	if errors.Is(err, errWork) || errors.Is(err, errWritten) {
		return field.Invalid(at, field.OmitValueType{}, err.Error())
	}
	return err
}
