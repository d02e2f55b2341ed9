package syncfn

import (
	"cmp"
	"context"
	"maps"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// maxRounds bounds the Rounds over a package.
const maxRounds = 10

// sharedAnnotation marks a namespace that was created for copies: other objects may use it, too, and it is never deleted.
const sharedAnnotation = fn.ReservedPrefix + "shared"

// converger executes Rounds in a package.
type converger struct {
	rule      *apisync.Rule
	folders   folders
	items     []*krm.Object
	results   sdk.Results
	reported  map[string]bool
	deleted   int
	removed   sdk.Results                  // reported only if the run succeeds
	misplaced map[string]*krm.Object       // nil until something is to be deleted
	unnamed   map[applyset.Ref]*krm.Object // likewise
}

// converge executes Rounds until nothing is left to do.
func (c *converger) converge(ctx context.Context) (*fn.Output, error) {
	c.checkSides()
	before := 0 // copies
	for n := 0; ; n++ {
		round, err := c.rule.Round(ctx, apisync.Snapshot{Items: c.items, Place: c.folders.place, File: c.folders.file})
		if err != nil {
			return nil, err
		}
		if n == 0 {
			before = round.Copies
		}
		c.collectResults(round)
		switch {
		case round.Idle():
			return c.output(round, before), nil
		case n == maxRounds:
			c.fail(firstChanged(round), "%s(%s): it still changes after %d rounds", apisync.Name, c.rule.Controller(), maxRounds)
			return c.output(round, before), nil
		}
		c.execute(round)
	}
}

// checkSides refuses unknown sides: a misspelt word must not remove an object from its side.
func (c *converger) checkSides() {
	for _, o := range c.items {
		if !slices.Contains([]string{"", "source", "destination"}, o.Annotation(sideAnnotation)) {
			c.fail(o, "%s(%s): its annotation %s is neither source nor destination", apisync.Name, applyset.Key(o), sideAnnotation)
		}
	}
}

// collectResults collects the results of a round: all of the last one, and from earlier ones those that will not occur
// again.
func (c *converger) collectResults(r *apisync.Round) {
	for i, res := range r.Results {
		mayEnd := r.Transient[i] || res.Severity == sdk.Error
		if key := string(res.Severity) + " " + res.Message; (r.Idle() || !mayEnd) && !c.reported[key] {
			c.reported[key] = true
			c.results = append(c.results, res)
		}
	}
}

func (c *converger) fail(about *krm.Object, format string, args ...any) {
	c.results = append(c.results, fn.NewResult(sdk.Error, about, nil, format, args...))
}

// execute executes a round in the package.
func (c *converger) execute(r *apisync.Round) {
	c.checkOrigins(r)
	c.items = r.Items
	edits := edits{now: map[*krm.Object]*krm.Object{}, edited: map[*krm.Object]*krm.Object{}}
	for _, op := range r.Operations {
		if op.Old != nil && op.New != nil {
			edits.now[op.Old] = op.New
		}
		if op.Action == applyset.ActionDelete {
			c.deleted++
			c.removed = append(c.removed, fn.NewResult(sdk.Info, op.Old, nil, "%s(%s %s): %s is removed: %s", apisync.Name, op.Edge, op.Key, op.Ref,
				whyRemoved[op.Reason]))
		}
	}
	for _, w := range r.Statuses {
		w.Apply(edits.of(w.Object))
	}
	for _, w := range r.AnnotationWrites {
		o := edits.of(w.Object)
		for _, name := range slices.Sorted(maps.Keys(w.Annotations)) {
			if text, set := w.Annotations[name].(string); set {
				o.SetAnnotation(name, text)
			}
		}
		o.RemoveAnnotations(func(name string) bool { value, changed := w.Annotations[name]; return changed && value == nil })
	}
	c.items = slices.Clone(c.items)
	for i, o := range c.items {
		c.items[i] = cmp.Or(edits.edited[o], o)
	}
	for _, ref := range r.Namespaces {
		c.addNamespace(ref)
	}
}

// nextIndex is the first index behind all items of a file.
func nextIndex(items []*krm.Object, file string) (next int) {
	for _, o := range items {
		if o.File() == file {
			next = max(next, o.Index()+1)
		}
	}
	return next
}

// whyRemoved says why a copy was deleted.
var whyRemoved = map[applyset.Reason]string{
	applyset.ReasonNotDesired: "its source is being deleted, or no longer needs it",
	applyset.InputMissing:     "its source no longer exists",
	applyset.InputNotSelected: "its source no longer exists",
	applyset.OwnerMissing:     "its primary no longer exists",
}

// edits are edited copies of items, by the current item. now holds newer versions of items.
type edits struct{ now, edited map[*krm.Object]*krm.Object }

// of is the edited copy of an item.
func (e edits) of(o *krm.Object) *krm.Object {
	o = cmp.Or(e.now[o], o)
	if e.edited[o] == nil {
		e.edited[o] = o.DeepCopy()
		e.edited[o].ExpandAliases()
	}
	return e.edited[o]
}

// addNamespace adds an item for a namespace of copies.
func (c *converger) addNamespace(ref applyset.Ref) {
	o := krm.FromNode(krm.MapNode(
		krm.StringNode("apiVersion"), krm.StringNode("v1"), krm.StringNode("kind"), krm.StringNode("Namespace"),
		krm.StringNode("metadata"), krm.MapNode(krm.StringNode("name"), krm.StringNode(ref.Name))))
	at := apisync.Place{Side: apisync.Destination}
	if ref.Place != "" {
		at = apisync.Place{Side: apisync.Source, Cluster: ref.Place}
		o.SetAnnotation(apisync.ClusterAnnotation, ref.Place)
	}
	o.SetAnnotation(fn.GeneratedBy, apisync.Name)
	o.SetAnnotation(sharedAnnotation, "true")
	file := c.folders.file(at, ref.ID)
	o.SetPath(file, nextIndex(c.items, file))
	c.items = append(c.items, o)
}

// firstChanged is the first object that a round would change.
func firstChanged(r *apisync.Round) *krm.Object {
	for _, op := range r.Operations {
		if op.Action != applyset.ActionKeep {
			return cmp.Or(op.Old, op.New)
		}
	}
	for _, w := range r.Statuses {
		return w.Object
	}
	for _, w := range r.AnnotationWrites {
		return w.Object
	}
	return nil
}

// output is the function's output after the last round.
func (c *converger) output(last *apisync.Round, copiesBefore int) *fn.Output {
	if limit := c.rule.Limit(); !limit.Allows(c.deleted, copiesBefore) {
		c.fail(nil, "%s: %d of %d copies would be deleted, more than maxDeletions, %s, allows; nothing is changed", apisync.Name,
			c.deleted, copiesBefore, limit)
	}
	out := &fn.Output{Items: c.items, Results: c.results}
	if out.Failed() {
		return out
	}
	out.Results = append(out.Results, c.removed...)
	out.Report(sdk.Info, nil, nil, "%s(%s): objects=%d, copies=%d", apisync.Name, c.rule.Controller(), last.Objects, last.Copies)
	return out
}
