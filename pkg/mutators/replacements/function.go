// Package replacements is the function apply-replacements: it copies the value of a field of one
// object to fields of others.
//
// Shape: replacements and items in; per item a copy with the fields set, the item itself where they
// say so already. Replacements are done in their order, and each sees what the ones before it did.
// Objects are selected by kustomize's own matchers. Fields are found here (find.go) and not by
// kyaml's PathMatcher, which from v0.21 on looks into texts that hold YAML, without bounds, and
// drops what is set in them.
// Cost: every target of every replacement is compared with every item; an item is copied once, when
// it is first set.
// Errors: a config that makes no sense; a source that is not one field of one object; per object, a
// field that is not there. No message holds a value.
// Source: the documentation of kustomize's replacements, to which the README of apply-replacements
// in krm-functions-catalog refers.
package replacements

import (
	"context"
	_ "embed" // for the README
	"fmt"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/resid"
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
func Run(_ context.Context, in *fn.Input) (*fn.Output, error) {
	plan, err := readPlan(in.Config)
	if err != nil {
		return nil, err
	}
	r := &run{out: fn.NewOutput(in), copies: make([]*krm.Object, len(in.Items)), budget: edit.NewBudget()}
	for i, p := range plan {
		value, err := r.value(p, field.NewPath("replacements").Index(i))
		if err != nil {
			return r.out, err
		}
		for _, t := range p.targets {
			r.apply(t, value)
		}
	}
	for i, c := range r.copies {
		switch {
		case c == nil:
		case depth(c.Node()) > krm.DefaultLimits.Depth:
			r.out.Report(sdk.Error, in.Items[i], nil, "would be nested more deeply than the %d levels that can be read", krm.DefaultLimits.Depth)
		default:
			r.out.Items[i] = edit.Settle(in.Items[i], c)
		}
	}
	return r.out, nil
}

// run is one run over all items.
type run struct {
	out    *fn.Output
	copies []*krm.Object // by item: the copy that is edited, nil before the first edit
	budget edit.Budget
}

// now is item i as it is by now.
func (r *run) now(i int) *krm.Object {
	if r.copies[i] != nil {
		return r.copies[i]
	}
	return r.out.Items[i]
}

// apply sets the fields of one target in every object it selects.
func (r *run) apply(t *target, value *yaml.Node) {
	for i, o := range r.out.Items {
		if !t.selects(r.now(i)) {
			continue
		}
		if r.copies[i] == nil {
			r.copies[i] = edit.Copy(o)
		}
		if at, err := r.set(r.copies[i].Node(), t, value); err != nil {
			r.out.Report(sdk.Error, o, at, "%v", err)
		}
	}
}

// set sets the fields of t in the object o.
func (r *run) set(o *yaml.Node, t *target, value *yaml.Node) (*field.Path, error) {
	for _, path := range t.paths {
		nodes, err := path.find(o, t.create(value))
		if err != nil {
			return path.at, err
		}
		for _, n := range nodes {
			fresh, err := t.Options.join(n, value)
			if err == nil {
				err = r.budget.Spend(size(fresh))
			}
			if err != nil {
				return path.at, err
			}
			put(n, fresh)
		}
	}
	return nil, nil
}

// value is what the source of p says: a text, or a field of the one object it selects.
func (r *run) value(p replacement, at *field.Path) (*yaml.Node, error) {
	if p.SourceValue != nil {
		return edit.NewScalar(*p.SourceValue), nil
	}
	at = at.Child("source")
	source, err := r.only(p.Source.ID, at)
	if err != nil {
		return nil, err
	}
	nodes, err := p.source.find(edit.Copy(source).Node(), nothing)
	if err == nil && len(nodes) != 1 {
		err = errSeveral
	}
	if err == nil && !says(nodes[0]) {
		err = errEmpty
	}
	if err != nil {
		return nil, field.Invalid(at.Child("fieldPath"), p.Source.FieldPath, err.Error()+" in "+source.ID().String())
	}
	value, err := p.Source.Options.part(nodes[0])
	if err != nil {
		return nil, field.Invalid(at.Child("options"), field.OmitValueType{}, err.Error())
	}
	return value, nil
}

// only is the one object that id selects.
func (r *run) only(id ID, at *field.Path) (source *krm.Object, err error) {
	var names []string
	for i := range r.out.Items {
		if o := r.now(i); identity(o).IsSelectedBy(id.id()) {
			source, names = o, append(names, o.ID().String())
		}
	}
	switch slices.Sort(names); len(names) {
	case 0:
		return nil, field.NotFound(at, id.String())
	case 1:
		return source, nil
	}
	return nil, field.Invalid(at, id.String(), fmt.Sprintf("selects %d objects, among them %s and %s", len(names), names[0], names[1]))
}

// identity is o as kustomize's selectors take it.
func identity(o *krm.Object) resid.ResId {
	return resid.NewResIdWithNamespace(resid.Gvk{Group: o.Group(), Version: o.Version(), Kind: o.Kind()}, o.Name(), o.Namespace())
}
