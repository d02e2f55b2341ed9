// Package upsert is the function upsert-resource: it puts objects that the config holds into the
// package, in the place of those that have the same identity, else as new ones.
//
// Shape: a config that is the object itself, or a list of objects, and items in; the same items out,
// those meant replaced, new ones at the end. What an item says already is handed on as it is.
// Cost: one look at every item's identity, one copy of every object put in.
// Errors: a config that is missing, holds something that is no object, or is meant for a Kptfile.
// Source: the README of upsert-resource in krm-functions-catalog.
package upsert

import (
	"context"
	_ "embed" // for the README
	"errors"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

//go:embed upsert-resource.md
var readme string

const functionName, configKind = "upsert-resource", "UpsertResource"

// Function is upsert-resource.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run}

// Run puts the objects of the config in, in their order.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	resources, err := readResources(in.Config)
	if err != nil {
		return nil, err
	}
	p := &pkg{out: fn.NewOutput(in), places: map[krm.ID][]int{}, left: mostNodes}
	for i, o := range in.Items {
		p.places[o.ID()] = append(p.places[o.ID()], i)
	}
	for _, r := range resources {
		if err := p.put(ctx, r); err != nil {
			return nil, at(in.Config, err)
		}
	}
	return p.out, nil
}

// pkg is the items, and where which identity stands among them.
type pkg struct {
	out    *fn.Output
	places map[krm.ID][]int
	left   int // nodes that may still be put in
}

// mostNodes is far more than configs hold, and less than memory does: an object goes to every place
// in the package where its identity stands, however often that is.
const mostNodes = 5_000_000

var errMany = fmt.Errorf("have more than %d values, counted for every object of the package that is replaced", mostNodes)

// put replaces every item that r means, and adds r when there is none.
func (p *pkg) put(ctx context.Context, r *krm.Object) error {
	found, nodes := false, krm.CountValues(r.Node())
	for _, i := range p.places[r.ID()] {
		if err := ctx.Err(); err != nil {
			return err
		}
		o := p.out.Items[i]
		if !means(r, o) {
			continue
		}
		if p.left -= nodes; p.left < 0 {
			return errMany
		}
		p.out.Items[i], found = replace(o, r), true
	}
	if found {
		return ctx.Err()
	}
	p.places[r.ID()] = append(p.places[r.ID()], len(p.out.Items))
	p.out.Items = append(p.out.Items, added(r))
	return ctx.Err()
}

// at puts the field that is meant before errMany.
func at(config *krm.Object, err error) error {
	if !errors.Is(err, errMany) {
		return err
	}
	list := "items"
	if config.Lookup(list) == nil {
		list = "resources"
	}
	return field.Invalid(field.NewPath(list), field.OmitValueType{}, err.Error())
}

const (
	// targetAnnotation names the file that an object of the config is meant for.
	targetAnnotation = "config.kubernetes.io/target-path"
	// functionAnnotation marked the configs of functions before kpt 1.0, as did the legacy one.
	functionAnnotation       = "config.kubernetes.io/function"
	legacyFunctionAnnotation = "config.k8s.io/function"
)

// means reports whether r takes the place of o, which has the same identity.
func means(r, o *krm.Object) bool {
	if o.Annotation(functionAnnotation) != "" || o.Annotation(legacyFunctionAnnotation) != "" {
		return false
	}
	target := r.Annotation(targetAnnotation)
	return target == "" || target == fn.FilePath(o)
}

// replace is r in the place of o: with the annotations that say where in the package o stands, and
// the comments and the order of what both have.
func replace(o, r *krm.Object) *krm.Object {
	after := fresh(r)
	before := o.Annotations()
	for _, key := range slices.Sorted(maps.Keys(before)) {
		if krm.BelongsToPackage(key) && !after.HasAnnotation(key) {
			after.SetAnnotation(key, before[key])
		}
	}
	after.ContinueFrom(o)
	return edit.Settle(o, after)
}

// added is r as a new object of the package, in the file that it is meant for, if any.
func added(r *krm.Object) *krm.Object {
	after := fresh(r)
	if target := r.Annotation(targetAnnotation); target != "" {
		after.SetAnnotation(krm.PathAnnotation, target)
		after.SetAnnotation(krm.LegacyPathAnnotation, target)
	}
	return after
}

// fresh is a copy of r without what only says what to do with r.
func fresh(r *krm.Object) *krm.Object {
	c := krm.FromNode(krm.CopyNode(r.Node()))
	c.WideSequences = r.WideSequences
	c.RemoveAnnotations(func(key string) bool {
		return krm.IsOrchestration(key) || key == targetAnnotation || key == functionAnnotation || key == legacyFunctionAnnotation
	})
	return c
}
