// Package upsert is the function upsert-resource: it adds the objects of the config to the package, or
// replaces the objects with the same identity.
//
// Shape: a config that is the object itself, or a list of objects, and items in; the same items out,
// some of them replaced, new ones at the end. An item with the same data is passed on as it is.
// Cost: one look at every item's identity, one copy of every object put in.
// Errors: a config that is missing, holds something that is no object, or names a Kptfile as its file.
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

// Run adds the objects of the config, in order.
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

// pkg is the items, and the index of them by identity.
type pkg struct {
	out    *fn.Output
	places map[krm.ID][]int
	left   int // nodes that may still be put in
}

// mostNodes is far more than configs hold, and fits into memory: an object replaces every one with its
// identity, of which a package may have many.
const mostNodes = 5_000_000

var errMany = fmt.Errorf("have more than %d values, counted for every object of the package that is replaced", mostNodes)

// put replaces every item that r stands for, and adds r when there is none.
func (p *pkg) put(ctx context.Context, r *krm.Object) error {
	found, nodes := false, krm.CountValues(r.Node())
	for _, i := range p.places[r.ID()] {
		if err := ctx.Err(); err != nil {
			return err
		}
		o := p.out.Items[i]
		if !replaces(r, o) {
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

// at puts the path of the config before errMany.
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
	// targetAnnotation names the file of an object of the config.
	targetAnnotation = "config.kubernetes.io/target-path"
	// functionAnnotation and the legacy one marked the configs of functions before kpt 1.0.
	functionAnnotation       = "config.kubernetes.io/function"
	legacyFunctionAnnotation = "config.k8s.io/function"
)

// replaces reports whether r replaces o, which has the same identity.
func replaces(r, o *krm.Object) bool {
	if o.Annotation(functionAnnotation) != "" || o.Annotation(legacyFunctionAnnotation) != "" {
		return false
	}
	target := r.Annotation(targetAnnotation)
	return target == "" || target == fn.FilePath(o)
}

// replace is r in place of o: with the annotations of o that name its position in the package, and its
// comments and order for the fields of both.
func replace(o, r *krm.Object) *krm.Object {
	after := withoutMarks(r)
	before := o.Annotations()
	for _, key := range slices.Sorted(maps.Keys(before)) {
		if krm.BelongsToPackage(key) && !after.HasAnnotation(key) {
			after.SetAnnotation(key, before[key])
		}
	}
	after.ContinueFrom(o)
	return edit.RestoreForm(o, after)
}

// added is r as a new object of the package, in its target file, if any.
func added(r *krm.Object) *krm.Object {
	after := withoutMarks(r)
	if target := r.Annotation(targetAnnotation); target != "" {
		after.SetAnnotation(krm.PathAnnotation, target)
		after.SetAnnotation(krm.LegacyPathAnnotation, target)
	}
	return after
}

// withoutMarks is a copy of r without the annotations for this function.
func withoutMarks(r *krm.Object) *krm.Object {
	c := krm.FromNode(krm.CopyNode(r.Node()))
	c.WideSequences = r.WideSequences
	c.RemoveAnnotations(func(key string) bool {
		return krm.IsOrchestration(key) || key == targetAnnotation || key == functionAnnotation || key == legacyFunctionAnnotation
	})
	return c
}
