// Package setters is the function apply-setters: it fills in the fields whose comments say which
// setters they are made of, as in "image: nginx:1.27 # kpt-set: nginx:${tag}"; and create-setters, which writes these
// comments, and list-setters, which reads them.
//
// Shape: setter values and items in; per item a copy with the marked fields set, the item itself
// where they have the values already. Such a comment is a pattern (pattern.go); the part of a setter that
// has no value stays as it is in the field.
// Cost: one copy and one walk of every object that has a marked field, a search for the mark in
// every other. No regular expression: comments come from untrusted packages.
// Errors: per object, a setter without a value of which the field holds none either; a list whose setter
// is no list. No message holds a value of an object that is a Secret, or was one in the input.
// Source: the README of apply-setters in krm-functions-catalog.
package setters

import (
	"context"
	_ "embed" // for the README
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

//go:embed apply-setters.md
var readme string

const functionName, configKind = "apply-setters", "ApplySetters"

// Function is apply-setters.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run}

// Options are those of apply-setters.
type Options struct {
	// Setters are the values by the names of their setters. Without any, nothing is set.
	Setters map[string]string `json:"setters"`
}

func readValues(config *krm.Object) (map[string]string, error) {
	if config == nil {
		return nil, nil
	}
	var opts Options
	err := edit.Decode(config, configKind, &opts, func(entries []edit.Entry) field.ErrorList {
		opts.Setters = edit.Texts(entries)
		return nil
	})
	return opts.Setters, err
}

// Run fills in every marked field of which at least one setter has a value.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	values, err := readValues(in.Config)
	if err != nil {
		return nil, err
	}
	r := &run{values: values, out: fn.NewOutput(in), budget: edit.NewBudget()}
	for i, o := range in.Items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if isMarked(o.Node()) {
			r.out.Items[i] = r.apply(o)
		}
	}
	if len(r.out.Results) == 0 {
		r.out.Report(sdk.Info, nil, nil, "no matches for input setter(s)")
	}
	return r.out, nil
}

// run is one run over all items.
type run struct {
	values map[string]string
	out    *fn.Output
	budget edit.Budget
}

// apply returns o with its marked fields filled in: o itself when nothing changed.
func (r *run) apply(o *krm.Object) *krm.Object {
	s := &setting{run: r, Changes: edit.NewChanges(o, &r.budget)}
	err := s.visit(s.Object.Node(), nil)
	return s.Finish(r.out, o, err, "set field value", " to ")
}

// isMarked reports whether any comment that a field can have begins with the mark.
func isMarked(n *yaml.Node) bool {
	return strings.HasPrefix(n.LineComment, mark) || slices.ContainsFunc(n.Content, isMarked)
}
