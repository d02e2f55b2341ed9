package translation

import (
	"context"
	"fmt"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation/midonet"
)

// globalKey is the key of Translations of no object. It names the function and not its config, so that it does not depend
// on where options are.
const globalKey = fn.ConfigGroup + "/" + configKind + "//global"

// maxTranslations bounds the Translations of one run: each takes some 25 kB while it is made.
const maxTranslations = 200_000

// convert converts every object with the one that it refers to. The error is that of ctx, or that there are too many
// Translations.
func (t *translator) convert(ctx context.Context) error {
	lacks, made := map[string]bool{}, 0
	for _, w := range t.owners {
		if err := ctx.Err(); err != nil {
			return err
		}
		var referred *krm.Object
		if r, ok := t.converter.Reference(w.object); ok {
			referred = t.known[krm.ID{Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}]
		}
		w.outcome = t.converter.Convert(w.object, referred)
		if uid := w.object.String("metadata", "uid"); len(validation.IsValidLabelValue(uid)) > 0 {
			w.fail(field.Invalid(field.NewPath("metadata", "uid"), uid, "want what a label can hold"))
		}
		if made += len(w.outcome.Translations); made > t.maxTranslations {
			return fmt.Errorf("there would be more than %d Translations; divide the objects into several packages", t.maxTranslations)
		}
		if w.outcome.Missing && t.hasTranslations[w.key] {
			t.doubt(w, lacks)
		}
		if mayLose(w.outcome) && t.hasTranslations[w.key] {
			w.failMisspelt(referred)
		}
	}
	return nil
}

// mayLose reports whether an object may have fewer Translations than before.
func mayLose(o midonet.Outcome) bool { return o.Verdict == midonet.Empty || o.Verdict == midonet.Made }

// doubt keeps the Translations of an object if the one that it refers to is missing and need not be deleted: in a Partial
// view, and where no object of its kind exists. Only the first of a kind reports that.
func (t *translator) doubt(w *owner, lacks map[string]bool) {
	r, _ := t.converter.Reference(w.object)
	switch {
	case extents[t.View] == applyset.Partial:
		w.outcome = midonet.Outcome{Verdict: midonet.Retry, Reason: w.outcome.Reason + " in this view, which is partial"}
	case !t.AllowEmpty && !t.knows(r.Kind):
		w.blocked = true
		if !lacks[r.Kind] {
			lacks[r.Kind] = true
			t.report(sdk.Error, nil, nil, "there is no %s at all, but there are Translations of %s made with it; they stay unless allowEmpty is set",
				r.Kind, w.object.Kind())
		}
	}
}

// knows reports whether any object of a kind counts.
func (t *translator) knows(kind string) bool {
	for id := range t.known {
		if id.Kind == kind {
			return true
		}
	}
	return false
}

func (o *owner) fail(err *field.Error) {
	o.outcome = midonet.Outcome{Verdict: midonet.Failed, Errors: append(o.outcome.Errors, err)}
}

// failMisspelt fails the conversion where a field is misspelt: of the object, or of the one that it refers to.
func (o *owner) failMisspelt(referred *krm.Object) {
	if fault := midonet.Misspelt(o.object); fault != nil {
		o.fail(fault)
	} else if referred == nil {
		return
	} else if fault := midonet.Misspelt(referred); fault != nil {
		o.fail(field.Invalid(field.NewPath("metadata", "name"), field.OmitValueType{},
			fmt.Sprintf("is converted with %s, %s: %s", referred.Describe(), fault.Field, fault.Detail)))
	}
}

// project gives the Translations of one group: those of its owner, or the global ones.
func (t *translator) project(_ context.Context, g *applyset.Group) applyset.Outcome {
	if g.Key == globalKey {
		if !t.Global {
			return t.outputs(g, nil)
		}
		return t.outputs(g, t.converter.Global())
	}
	w := t.byKey[g.Key]
	out := t.decide(g, w)
	for _, n := range w.outcome.Notes {
		out.Notes = append(out.Notes, applyset.Note{Severity: sdk.Info, Field: n.Path, Message: n.Text})
	}
	return out
}

// outputs are the desired and the held Translations of a group, unless it has exactly these.
func (t *translator) outputs(g *applyset.Group, wanted []midonet.Translation) applyset.Outcome {
	if t.isUnchanged(g, wanted) {
		return applyset.KeepAll()
	}
	objects, held := items(wanted, g.Input), t.heldOf(g)
	for _, o := range held {
		objects = append(objects, o.DeepCopy())
	}
	out := applyset.Outputs(objects...)
	out.Notes = t.heldNotes(held)
	return out
}

// tombstone decides about a group whose owner is missing: the held Translations stay, or all where the owner may only be
// misspelt.
func (t *translator) tombstone(_ context.Context, g *applyset.Group) applyset.Outcome {
	if o := t.misspelt[g.Key]; o != nil {
		return applyset.Fail(fmt.Errorf("it is missing, but %s may be meant: correct its kind, or delete the Translations, too",
			o.Describe()))
	}
	if o := t.lostNamespace(g.Key); o != nil {
		return applyset.Fail(fmt.Errorf("it is missing, but %s may be meant: name its namespace, or delete the Translations, too",
			o.Describe()))
	}
	held := t.heldOf(g)
	ids := make([]krm.ID, 0, len(held))
	for _, o := range held {
		ids = append(ids, t.ref(o).ID)
	}
	out := applyset.Keep(ids...)
	out.Notes = t.heldNotes(held)
	return out
}

// lostNamespace is an input that names no namespace, had no Translations, and has the kind and name of a key; nil where there is none.
func (t *translator) lostNamespace(key string) *krm.Object {
	_, id, err := applyset.ParseKey(key)
	id.Namespace = ""
	o := t.unnamed[id]
	if err != nil || o == nil || t.hasTranslations[t.ref(o).String()] {
		return nil
	}
	return o
}

func (t *translator) decide(g *applyset.Group, w *owner) applyset.Outcome {
	policy := onFault[t.OnFault]
	switch {
	case w.conflictError != nil:
		return policy.outcome(w.conflictError)
	case w.moveError != nil:
		return applyset.Fail(w.moveError)
	case w.blocked:
		return applyset.KeepAll()
	}
	switch w.outcome.Verdict {
	case midonet.Made:
		return t.outputs(g, w.outcome.Translations)
	case midonet.Empty:
		out := t.outputs(g, nil)
		out.Notes = append(out.Notes, applyset.Note{Severity: sdk.Info, Message: "it has no Translations: " + w.outcome.Reason})
		return out
	case midonet.Retry:
		return applyset.Retry("its Translations stay as they are: %s", w.outcome.Reason)
	}
	out := policy.outcome(fault{w.outcome.Errors[0]})
	for _, e := range w.outcome.Errors[1:] {
		out.Notes = append(out.Notes, applyset.Note{Severity: policy.severity, Field: field.NewPath(e.Field), Message: e.ErrorBody()})
	}
	return out
}

// fault is an error whose text omits the field, which is reported beside it.
type fault struct{ err *field.Error }

func (f fault) Error() string { return f.err.ErrorBody() }
func (f fault) Unwrap() error { return f.err }
