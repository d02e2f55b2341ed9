// Package searchreplace is the function search-replace: it finds fields by value, path and file, and
// gives them another value or a comment.
//
// Shape: matchers (by-...), mutators (put-...) and items in; per item a copy with the matching fields
// changed, the item itself where none is. Paths (path.go) and file names (glob.go) are matched one
// step at a time while the object is walked.
// Cost: one copy and one walk of every object whose file matches. The steps of
// a path are looked at once per field, so that deep objects and long keys cost no more than their
// size; regular expressions are Go's, which never backtrack.
// Errors: matchers that cannot be read, or none; per object, a capture group that does not exist, a
// field that cannot be made. No message holds a value of an object that is a Secret, or was one in the
// input, also inside of another object.
// A second run may find nothing, and a run that replaces a by aa changes the files every time: that is
// the user's choice, and each run is still a function of its input.
// Source: the README of search-replace in krm-functions-catalog.
package searchreplace

import (
	"context"
	_ "embed" // for the README

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

//go:embed search-replace.md
var readme string

const functionName, configKind = "search-replace", "SearchReplace"

// Function is search-replace.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run}

// Run changes, or only reports, every field that all matchers agree on.
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	q, err := readQuery(in.Config)
	if err != nil {
		return nil, err
	}
	r := &run{query: q, out: fn.NewOutput(in), budget: edit.NewBudget()}
	for i, o := range in.Items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if q.file == nil || q.file.MatchString(fn.FilePath(o)) {
			r.out.Items[i] = r.apply(o)
		}
	}
	if len(r.out.Results) == 0 {
		r.out.Report(sdk.Info, nil, nil, "no matches")
	}
	return r.out, nil
}

// run is one run over all items.
type run struct {
	*query
	out    *fn.Output
	budget edit.Budget
}

// apply returns o with its matching fields changed: o itself when nothing changed.
func (r *run) apply(o *krm.Object) *krm.Object {
	c := &change{run: r, Changes: edit.NewChanges(o, &r.budget)}
	defer c.Enter(c.Object.Node())()
	err := c.visit(nil, c.Object.Node(), c.path.start(), nil)
	if err == nil && !c.Noted() && r.creates() {
		err = c.create()
	}
	if r.puts() {
		return c.Finish(r.out, o, err, "Mutated field value", " to ")
	}
	return c.Finish(r.out, o, err, "Matched field value", " ")
}
