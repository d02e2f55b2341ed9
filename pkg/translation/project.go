package translation

import (
	"context"
	"fmt"
	"maps"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation/midonet"
)

// globalKey is the key of what is of no object. It names the function and not its config, so that it
// stays the same wherever options stand.
const globalKey = fn.ConfigGroup + "/" + configKind + "//global"

// convert converts every object with the one that it refers to.
func (t *translator) convert() {
	for _, w := range t.owners {
		var referred *krm.Object
		if r, ok := t.converter.Reference(w.object); ok {
			referred = t.known[krm.ID{Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}]
		}
		w.outcome = t.converter.Convert(w.object, referred)
		if uid := w.object.String("metadata", "uid"); len(validation.IsValidLabelValue(uid)) > 0 {
			w.fail(field.Invalid(field.NewPath("metadata", "uid"), uid, "want what a label can hold"))
		}
	}
}

func (w *owner) fail(err *field.Error) {
	w.outcome = midonet.Outcome{Verdict: midonet.Failed, Errors: append(w.outcome.Errors, err)}
}

// project says what one group is to have: what its owner was converted to, or what is global.
func (t *translator) project(_ context.Context, g *correspond.Group) correspond.Outcome {
	if g.Key == globalKey {
		if !t.Global {
			return correspond.Outputs()
		}
		return t.outputs(g, t.converter.Global())
	}
	w := t.byKey[g.Key]
	out := t.decide(g, w)
	for _, n := range w.outcome.Notes {
		out.Notes = append(out.Notes, correspond.Note{Severity: sdk.Info, Field: n.Path, Message: n.Text})
	}
	return out
}

// outputs are the Translations, for a group that does not have them yet.
func (t *translator) outputs(g *correspond.Group, wanted []midonet.Translation) correspond.Outcome {
	if t.isUnchanged(g, wanted) {
		return correspond.KeepAll()
	}
	return correspond.Outputs(items(wanted, g.Input)...)
}

func (t *translator) decide(g *correspond.Group, w *owner) correspond.Outcome {
	if w.clash != nil {
		return correspond.Fail(w.clash)
	}
	switch w.outcome.Verdict {
	case midonet.Made:
		return t.outputs(g, w.outcome.Translations)
	case midonet.Empty:
		out := correspond.Outputs()
		out.Notes = []correspond.Note{{Severity: sdk.Info, Message: "it has no Translations: " + w.outcome.Reason}}
		return out
	case midonet.Retry:
		return correspond.Retry("its Translations stay as they are: %s", w.outcome.Reason)
	}
	out := correspond.Fail(fault{w.outcome.Errors[0]})
	for _, e := range w.outcome.Errors[1:] {
		out.Notes = append(out.Notes, correspond.Note{Severity: sdk.Error, Field: field.NewPath(e.Field), Message: e.ErrorBody()})
	}
	return out
}

// fault is an error whose text leaves out the place, which is told beside it.
type fault struct{ err *field.Error }

func (f fault) Error() string { return f.err.ErrorBody() }
func (f fault) Unwrap() error { return f.err }

// summarize says for every kind how many inputs there are and what they have.
func (t *translator) summarize(plan *correspond.Plan) {
	type count struct{ inputs, outputs int }
	by := map[string]count{}
	for _, s := range plan.Summaries {
		w := t.byKey[s.Owner]
		if s.Controller != t.controller || w == nil {
			continue
		}
		c := by[w.object.Kind()]
		by[w.object.Kind()] = count{c.inputs + s.Inputs, c.outputs + s.Outputs}
	}
	for _, kind := range slices.Sorted(maps.Keys(by)) {
		c := by[kind]
		t.report(sdk.Info, nil, nil, "%s of kind %s, %s", numbered(c.inputs, "input"), kind, numbered(c.outputs, "Translation"))
	}
}

func numbered(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
