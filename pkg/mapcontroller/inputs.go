package mapcontroller

import (
	"fmt"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// selectsNoParent says that the MapController selects no parent although objects of their type exist; "" when it selects
// one, or when it may select none. A misspelt label must not delete what a finalizer protects.
func (p *reconciler) selectsNoParent() string {
	all := p.index.all(p.c.parent.GroupKind)
	if len(all) == 0 || p.c.mayBeEmpty || slices.ContainsFunc(all, func(o *namespacedObject) bool { return o.matches(p.c.parent.selector) }) {
		return ""
	}
	at := field.NewPath("spec", "parentResource", "labelSelector")
	text := fmt.Sprintf("%s matches no %s: %s%s", at, p.c.parent.Kind, selection.Text(p.c.parent.selector),
		selection.Near(p.c.parent.selector, labelsOf(all)))
	p.results = append(p.results, fn.NewResult(sdk.Warning, p.c.object, at, "%s", text))
	if p.hasOutputs() {
		p.refused = append(p.refused, "map: "+text+"; all existing outputs stay; "+selection.HowToAllow)
	}
	return text
}

// hasOutputs reports whether some item is an output of the MapController.
func (p *reconciler) hasOutputs() bool {
	return slices.ContainsFunc(p.snapshot.Items, func(o *krm.Object) bool { return applyset.TagsOf(o).Controller == p.c.name })
}

func labelsOf(objects []*namespacedObject) []labels.Set {
	sets := make([]labels.Set, len(objects))
	for i, o := range objects {
		sets[i] = o.Labels()
	}
	return sets
}

// noteUnmatched records that a parent selects no input of a type although it can see some. The explanation needs all of
// them and is made only when a message needs it.
func (par *parent) noteUnmatched(in *resource, visible []*namespacedObject) {
	if len(visible) == 0 {
		return
	}
	if par.unmatched == nil {
		par.unmatched = map[schema.GroupKind]func() string{}
	}
	par.unmatched[in.GroupKind] = func() string { return unmatched(par.selector, in.selector, visible) }
}

// unmatched explains which of two selectors matches none of some objects, and lists near matches.
func unmatched(parent, of labels.Selector, visible []*namespacedObject) string {
	sets := labelsOf(visible)
	switch {
	case !selection.Matches(of, sets):
		return fmt.Sprintf(": nothing matches the labelSelector of the input type, %s%s", selection.Text(of), selection.Near(of, sets))
	case !selection.Matches(parent, sets):
		return fmt.Sprintf(": nothing matches %s%s", selection.Text(parent), selection.Near(parent, sets))
	case parent.Empty() || of.Empty(): // the parent sees its own outputs, or objects without a name
		return ""
	}
	return fmt.Sprintf(": nothing matches both %s and the labelSelector of the input type, %s", selection.Text(parent), selection.Text(of))
}

// whyUnmatched explains why a parent selects no input of a type; "" when there is nothing to explain.
func (par *parent) whyUnmatched(gk schema.GroupKind) string {
	if why := par.unmatched[gk]; why != nil {
		return why()
	}
	return ""
}

// warnUnmatched warns about parents that select no input at all although they can see some, unless a worse result is
// reported.
func (p *reconciler) warnUnmatched(plan *applyset.Plan) {
	if p.snapshot.Live { // where inputs may appear later
		return
	}
	refused := map[string]bool{}
	for _, r := range plan.Results {
		refused[r.Owner] = refused[r.Owner] || r.Reason == applyset.ReasonRefused
	}
	for _, par := range p.parents {
		if par.hold || par.mayBeEmpty || refused[par.key] || len(par.selected) > 0 {
			continue
		}
		for i := range p.c.inputs {
			if why := par.whyUnmatched(p.c.inputs[i].GroupKind); why != "" {
				p.report(sdk.Warning, par, field.NewPath("spec", "selector"), "map(%s): it selects no %s%s", par.key, p.c.inputs[i].field, why)
			}
		}
	}
}

// selectInputs are the inputs of all parents.
func (p *reconciler) selectInputs() (inputs []applyset.Input) {
	for _, par := range p.parents {
		par.selected, par.counts = map[string]bool{}, map[string]int{}
		if par.hold {
			continue
		}
		for i := range p.c.inputs {
			in := &p.c.inputs[i]
			par.counts[in.field] = 0
			visible := p.visible(par, in)
			before := len(inputs)
			for _, o := range visible {
				if !o.matches(par.selector) || !o.matches(in.selector) {
					continue
				}
				key := p.keyOf(o.Object)
				if key == "" {
					continue
				}
				inputs = append(inputs, applyset.Input{Key: key, Owner: par.key, Object: o.Object})
				if !par.selected[key] && !applyset.IsOutputOf(o.Object, par.key, par.item) {
					par.selected[key] = true
					par.counts[in.field]++
				}
			}
			if len(inputs) == before {
				par.noteUnmatched(in, visible)
			}
		}
	}
	return inputs
}

// visible are the objects of a type that a parent sees.
func (p *reconciler) visible(par *parent, of *resource) (seen []*namespacedObject) {
	for namespace, objects := range p.index.byType[of.GroupKind] {
		if par.sees(namespace) {
			seen = append(seen, objects...)
		}
	}
	return seen
}
