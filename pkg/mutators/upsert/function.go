// Package upsert is the function upsert-resource: it puts objects that the config holds into the
// package, in the place of those that have the same identity, else as new ones.
//
// Shape: a config that is the object itself, or a list of objects, and items in; the same items out,
// those meant replaced, new ones at the end. What an item says already is handed on as it is.
// Cost: one look at every item's identity, one copy of every object put in.
// Errors: a config that is missing, or holds something that is no object.
// Source: the README of upsert-resource in krm-functions-catalog.
package upsert

import (
	"context"
	_ "embed" // for the README
	"maps"
	"slices"

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
func Run(_ context.Context, in *fn.Input) (*fn.Output, error) {
	resources, err := readResources(in.Config)
	if err != nil {
		return nil, err
	}
	p := &pkg{out: fn.NewOutput(in), places: map[krm.ID][]int{}}
	for i, o := range in.Items {
		p.places[o.ID()] = append(p.places[o.ID()], i)
	}
	for _, r := range resources {
		p.put(r)
	}
	return p.out, nil
}

// pkg is the items, and where which identity stands among them.
type pkg struct {
	out    *fn.Output
	places map[krm.ID][]int
}

// put replaces every item that r means, and adds r when there is none.
func (p *pkg) put(r *krm.Object) {
	found := false
	for _, i := range p.places[r.ID()] {
		if o := p.out.Items[i]; means(r, o) {
			p.out.Items[i], found = replace(o, r), true
		}
	}
	if found {
		return
	}
	p.places[r.ID()] = append(p.places[r.ID()], len(p.out.Items))
	p.out.Items = append(p.out.Items, added(r))
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
	return target == "" || target == file(o)
}

// file is where o stands in its package. Where it was read from is unknown to a program.
func file(o *krm.Object) string {
	if path := o.Annotation(krm.PathAnnotation); path != "" {
		return path
	}
	return o.Annotation(krm.LegacyPathAnnotation)
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
