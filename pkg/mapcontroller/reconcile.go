package mapcontroller

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Result is the result of one reconcile of all parents.
type Result struct {
	// Plan is the engine's plan. Its Items are all items afterwards, its Operations lead there.
	Plan *applyset.Plan
	// Parents are the parents that exist, by key.
	Parents []Parent
	// Results are all results except the status of parents: see Parent.Observed.
	Results sdk.Results
	// Refused lists changes that are refused because a selector of the MapController selects nothing.
	Refused []string
}

// Failed reports whether any result is an error: the caller should retry.
func (r *Result) Failed() bool { return (&fn.Output{Results: r.Results}).Failed() }

// Parent is the result for one parent.
type Parent struct {
	// Key is its canonical key, and Object the item as it was.
	Key    string
	Object *krm.Object
	// Observed is the status before the reconcile, and After the one after the Plan is executed.
	Observed, After Status
	// Held says that no hook was called: the parent is being deleted, or invalid.
	Held bool
	// Finalizing says that only the finalize hook was called, and Finalized that it is done: Controller.Finalizer may be
	// removed once all Operations succeeded.
	Finalizing, Finalized bool
	// Related are the rules by which the customize hook selects more objects: the parent is to be reconciled when one of
	// these changes.
	Related []waybill.RelatedRule
	// RequeueAfter is when a hook requests another call; 0 when none does.
	RequeueAfter time.Duration
	// Errors are the errors of the parent and its keys, each on one line, in the order of the keys.
	Errors []string
}

// reconciler holds the state of one reconcile.
type reconciler struct {
	c                 *Controller
	snapshot          Snapshot
	index             *index
	parents           []*parent
	byKey             map[string]*parent
	refused           []string              // errors of the MapController's own selectors
	labelsByNamespace map[string]labels.Set // labels of namespaces; nil until needed
	reportedKeyless   map[*krm.Object]bool  // objects without a key that were reported
	budget            budget
	results           sdk.Results
	lock              sync.Mutex

	findTypos func() *typos // used when some parent or input does not exist
}

// Run reconciles all parents among w's items. It reads only w and the answers of hooks. An error is ctx's, or says that the
// engine refuses its input.
func (c *Controller) Run(ctx context.Context, w Snapshot) (*Result, error) {
	p := &reconciler{c: c, snapshot: w, index: newIndex(c.types, w.Items), byKey: map[string]*parent{},
		reportedKeyless: map[*krm.Object]bool{}}
	p.findTypos = sync.OnceValue(p.readTypos)
	p.findParents()
	if err := p.customize(ctx); err != nil {
		return nil, err
	}
	view := applyset.View{
		Items: w.Items, Live: w.Live, LastKnown: w.LastKnown,
		Ref: func(o *krm.Object) applyset.Ref { return applyset.Ref{ID: idOf(c.types, o)} },
	}
	plan, err := applyset.Run(ctx, view, []applyset.Edge{p.edge()})
	if err != nil {
		return nil, err
	}
	p.warnUnmatched(plan)
	return &Result{Plan: plan, Parents: p.parentStatuses(plan), Results: append(plan.Report(), p.results...), Refused: p.refused}, nil
}

// report adds a result about a parent.
func (p *reconciler) report(sev sdk.Severity, par *parent, at *field.Path, format string, args ...any) {
	r := fn.NewResult(sev, par.item, at, format, args...)
	r.Message = oneLine(r.Message)
	p.results = append(p.results, r)
	if sev == sdk.Error {
		par.errors = append(par.errors, r.Message)
	}
}

// edge builds the engine's rule.
func (p *reconciler) edge() applyset.Edge {
	c := p.c
	e := applyset.Edge{
		Verb: "map", Controller: c.name, GeneratedBy: Name,
		Inputs: p.selectInputs(), Owners: []applyset.Owner{},
		InputTypes: kindsOf(c.inputs), OutputTypes: kindsOf(c.outputs),
		Project: p.project, Tombstone: p.tombstone, Parallel: p.snapshot.Parallel,
		Merge: applyset.ThreeWay, AllowEmpty: c.spec.AllowEmpty, MaxDeletions: c.limit, DeleteFirst: true,
		Adopt: map[string]applyset.Adoption{waybill.AdoptPreserve: applyset.Preserve,
			waybill.AdoptConverge: applyset.Converge}[c.spec.Adopt],
	}
	e.UpdateOf = func(id krm.ID) applyset.Update { return find(c.outputs, id.Group, id.Kind).update } // other types are no outputs
	if p.isComplete() {
		e.View = applyset.Complete
	}
	for _, par := range p.parents {
		e.Owners = append(e.Owners, applyset.Owner{Key: par.key, Object: par.item, Hold: par.hold, MayBeEmpty: par.mayBeEmpty,
			Unmatched: par.whyUnmatched})
	}
	for _, key := range p.garbageCollected() {
		e.Owners = append(e.Owners, applyset.Owner{Key: key, Hold: true})
	}
	return e
}

// isComplete reports whether an input that is not among the items is known to be deleted.
func (p *reconciler) isComplete() bool {
	view := p.c.spec.View
	return view == waybill.ViewComplete || view == "" && p.snapshot.Live
}

// garbageCollected are the parents that do not exist and whose outputs a garbage collector handles, sorted.
func (p *reconciler) garbageCollected() []string {
	if !p.snapshot.Live {
		return nil
	}
	keys := map[string]bool{}
	for _, o := range p.snapshot.Items {
		t := applyset.TagsOf(o)
		if t.Controller == p.c.name && t.Owner != "" && p.byKey[t.Owner] == nil && (!p.c.spec.AllowEmpty || p.isHeld(t.Owner)) {
			keys[t.Owner] = true
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

func (p *reconciler) isHeld(parent string) bool {
	return p.snapshot.Hold != nil && p.snapshot.Hold(parent)
}
