package apisync

import (
	"cmp"
	"context"
	"maps"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// maxRounds bounds the Rounds over a package.
const maxRounds = 10

// SharedAnnotation marks a namespace that was created for copies: other objects may use it, too, and it is never deleted.
const SharedAnnotation = fn.ReservedPrefix + "shared"

// Converge executes Rounds over the items of a package until nothing is left to do.
func (r *Rule) Converge(ctx context.Context, items []*krm.Object) (*fn.Output, error) {
	s := converger{rule: r, folders: foldersOf(r.config).in(items), items: items, reported: map[string]bool{}}
	s.checkSides()
	var round *Round
	before := 0 // copies
	for n := 0; ; n++ {
		var err error
		round, err = r.Round(ctx, Snapshot{Items: s.items, Place: s.folders.place, File: s.folders.file})
		if err != nil {
			return nil, err
		}
		if n == 0 {
			before = round.Copies
		}
		s.collectResults(round, round.Idle())
		if round.Idle() {
			break
		}
		if n == maxRounds {
			s.fail(firstChanged(round), "%s(%s): it goes on changing after %d rounds", Name, r.name, maxRounds)
			break
		}
		s.execute(round)
	}
	if !r.limit.Allows(s.deleted, before) {
		s.fail(nil, "%s: %d of %d copies would go, more than maxDeletions, %s, allows; nothing is changed", Name,
			s.deleted, before, r.limit)
		return &fn.Output{Items: items, Results: s.results}, nil
	}
	return s.output(round), nil
}

// checkSides refuses unknown sides: a misspelt word must not remove an object from its side.
func (s *converger) checkSides() {
	for _, o := range s.items {
		if side := o.Annotation(SideAnnotation); side != "" && side != "source" && side != "destination" {
			s.fail(o, "%s(%s): its annotation %s is neither source nor destination", Name, applyset.Key(o), SideAnnotation)
		}
	}
}

// converger executes Rounds in a package.
type converger struct {
	rule      *Rule
	folders   folders
	items     []*krm.Object
	results   sdk.Results
	reported  map[string]bool
	deleted   int
	removed   sdk.Results                  // reported only if the run succeeds
	misplaced map[string]*krm.Object       // nil until something is to be deleted
	unnamed   map[applyset.Ref]*krm.Object // likewise
}

// collectResults collects the results of a round: all of the last one, and from earlier ones those that will not occur
// again.
func (s *converger) collectResults(r *Round, last bool) {
	for i, res := range r.Results {
		waits := r.transient[i] || res.Severity == sdk.Error
		if key := string(res.Severity) + " " + res.Message; (last || !waits) && !s.reported[key] {
			s.reported[key] = true
			s.results = append(s.results, res)
		}
	}
}

func (s *converger) fail(about *krm.Object, format string, args ...any) {
	s.results = append(s.results, fn.NewResult(sdk.Error, about, nil, format, args...))
}

// execute executes a round in the package.
func (s *converger) execute(r *Round) {
	s.checkOrigins(r)
	s.items = r.Items
	now := map[*krm.Object]*krm.Object{}
	for _, op := range r.Operations {
		if op.Old != nil && op.New != nil {
			now[op.Old] = op.New
		}
		if op.Action == applyset.ActionDelete {
			s.deleted++
			s.removed = append(s.removed, fn.NewResult(sdk.Info, op.Old, nil, "%s(%s %s): %s is removed: %s", Name, op.Edge, op.Key, op.Ref,
				whyRemoved[op.Reason]))
		}
	}
	edits := edits{}
	for _, w := range r.Statuses {
		o := edits.of(w.Object, now)
		krm.RemoveField(o.Node(), "status")
		if w.Status != nil {
			krm.SetField(o.Node(), "status", krm.SelfContained(krm.CopyNode(w.Status)))
		}
	}
	for _, n := range r.AnnotationWrites {
		o := edits.of(n.Object, now)
		for _, name := range slices.Sorted(maps.Keys(n.Set)) {
			o.SetAnnotation(name, n.Set[name])
		}
		o.RemoveAnnotations(func(name string) bool { return slices.Contains(n.Remove, name) })
	}
	s.items = edits.apply(s.items)
	for _, ref := range r.Namespaces {
		o := s.namespace(ref)
		o.SetPath(o.File(), nextIndex(s.items, o.File()))
		s.items = append(s.items, o)
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
	applyset.ReasonNotDesired: "its source goes, or asks for it no more",
	applyset.InputMissing:     "its source is gone",
	applyset.InputNotSelected: "its source is gone",
	applyset.OwnerMissing:     "what it went along with is gone",
}

// edits are edited copies of items, by the current item.
type edits map[*krm.Object]*krm.Object

// of is the edited copy of an item, of which now may hold a newer version.
func (e edits) of(o *krm.Object, now map[*krm.Object]*krm.Object) *krm.Object {
	if newer := now[o]; newer != nil {
		o = newer
	}
	if e[o] == nil {
		e[o] = o.DeepCopy()
		e[o].ExpandAliases()
	}
	return e[o]
}

func (e edits) apply(items []*krm.Object) []*krm.Object {
	if len(e) == 0 {
		return items
	}
	items = slices.Clone(items)
	for i, o := range items {
		if edited := e[o]; edited != nil {
			items[i] = edited
		}
	}
	return items
}

// namespace is an item for a namespace of copies.
func (s *converger) namespace(ref applyset.Ref) *krm.Object {
	o := krm.FromNode(krm.MapNode(
		krm.StringNode("apiVersion"), krm.StringNode("v1"), krm.StringNode("kind"), krm.StringNode("Namespace"),
		krm.StringNode("metadata"), krm.MapNode(krm.StringNode("name"), krm.StringNode(ref.Name))))
	at := Place{Side: Destination}
	if ref.Place != "" {
		at = Place{Source, ref.Place}
		o.SetAnnotation(ClusterAnnotation, ref.Place)
	}
	o.SetAnnotation(fn.GeneratedBy, Name)
	o.SetAnnotation(SharedAnnotation, "true")
	o.SetPath(s.folders.file(at, ref.ID), 0)
	return o
}

// firstChanged is the first object that a round would change.
func firstChanged(r *Round) *krm.Object {
	for _, op := range r.Operations {
		if op.Action != applyset.ActionKeep {
			return cmp.Or(op.Old, op.New)
		}
	}
	for _, w := range r.Statuses {
		return w.Object
	}
	for _, n := range r.AnnotationWrites {
		return n.Object
	}
	return nil
}

// output is the function's output, with the state after the last round.
func (s *converger) output(last *Round) *fn.Output {
	out := &fn.Output{Items: s.items, Results: s.results}
	if out.Failed() {
		return out
	}
	out.Results = append(out.Results, s.removed...)
	out.Report(sdk.Info, nil, nil, "%s(%s): objects=%d, copies=%d", Name, s.rule.name, last.Objects, last.Copies)
	return out
}
