package mapping

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Result is what one pass over all parents decided.
type Result struct {
	// Plan is the engine's. Its Items are all items afterwards, its Operations what leads there.
	Plan *correspond.Plan
	// Parents are those that there are, by key.
	Parents []Parent
	// Results are all there is to say, but for how parents stand: see Parent.Observed.
	Results sdk.Results
	// Refused says what does not happen because a selector of the MapController selects nothing.
	Refused []string
}

// Failed reports whether any result is an error: the pass is to be tried again.
func (p *Result) Failed() bool { return (&fn.Output{Results: p.Results}).Failed() }

// Parent is how one parent stands.
type Parent struct {
	// Key is its canonical key, and Object the item as it was.
	Key    string
	Object *krm.Object
	// Observed counts what there was when the pass began, and After what there is once it is carried out.
	Observed, After Status
	// Held says that nothing was asked: it is being deleted, or cannot be understood.
	Held bool
	// Finalizing says that the finalize hook was asked instead of others, and Finalized that it is done:
	// Controller.Finalizer may go, once all Operations succeeded.
	Finalizing, Finalized bool
	// Related are the rules by which the customize hook selects more objects: to look again when one of
	// these changes.
	Related []waybill.RelatedRule
	// RequeueAfter is when a hook wants to be asked again; 0 when none does.
	RequeueAfter time.Duration
	// Errors are what is wrong with it and its keys, each on one line, in the order of the keys.
	Errors []string
}

// reconciler is one pass.
type reconciler struct {
	c                 *Controller
	snapshot          Snapshot
	index             *index
	parents           []*parent
	byKey             map[string]*parent
	refused           []string              // what is wrong with the MapController's own selectors
	labelsByNamespace map[string]labels.Set // labels of namespaces, once somebody asks
	reportedKeyless   map[*krm.Object]bool  // those that were told of
	budget            budget
	results           sdk.Results
	lock              sync.Mutex

	findMisspelt func() map[string]*krm.Object // once some parent or input is gone
}

// Run takes one pass over all parents among w's items. It reads nothing but w and what hooks say. An error
// is ctx's, or says that the engine refuses what it is given.
func (c *Controller) Run(ctx context.Context, w Snapshot) (*Result, error) {
	p := &reconciler{c: c, snapshot: w, index: newIndex(c.types, w.Items), byKey: map[string]*parent{}, reportedKeyless: map[*krm.Object]bool{}}
	p.findMisspelt = sync.OnceValue(p.misspelt)
	p.findParents()
	if err := p.customize(ctx); err != nil {
		return nil, err
	}
	view := correspond.View{
		Items: w.Items, Live: w.Live, LastKnown: w.LastKnown,
		Ref: func(o *krm.Object) correspond.Ref { return correspond.Ref{ID: idOf(c.types, o)} },
	}
	plan, err := correspond.Run(ctx, view, []correspond.Edge{p.edge()})
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

func compareText(a, b string) int { return cmp.Compare(a, b) }

// edge is the engine's rule.
func (p *reconciler) edge() correspond.Edge {
	c := p.c
	e := correspond.Edge{
		Verb: "map", Controller: c.name, GeneratedBy: Name,
		Inputs: p.selectInputs(), Owners: []correspond.Owner{},
		InputTypes: kindsOf(c.inputResources()), OutputTypes: kindsOf(c.outputResources()),
		Project: p.project, Tombstone: p.tombstone, Parallel: p.snapshot.Parallel,
		Merge: correspond.ThreeWay, UpdateOf: p.updateOf, AllowEmpty: c.spec.AllowEmpty, MaxDeletions: c.limit, DeleteFirst: true,
		Adopt: map[string]correspond.Adoption{waybill.AdoptPreserve: correspond.Preserve,
			waybill.AdoptConverge: correspond.Converge}[c.spec.Adopt],
	}
	if p.isComplete() {
		e.View = correspond.Complete
	}
	for _, par := range p.parents {
		e.Owners = append(e.Owners, correspond.Owner{Key: par.key, Object: par.item, Hold: par.hold, MayBeEmpty: par.mayBeEmpty,
			Unmatched: par.whyUnmatched})
	}
	for _, key := range p.garbageCollected() {
		e.Owners = append(e.Owners, correspond.Owner{Key: key, Hold: true})
	}
	return e
}

// isComplete reports whether an input that is not among the items is gone.
func (p *reconciler) isComplete() bool {
	view := p.c.spec.View
	return view == waybill.ViewComplete || view == "" && p.snapshot.Live
}

// garbageCollected are the parents that are not there and whose outputs are left to a garbage collector, sorted.
func (p *reconciler) garbageCollected() []string {
	if !p.snapshot.Live {
		return nil
	}
	keys := map[string]bool{}
	for _, o := range p.snapshot.Items {
		t := correspond.TagsOf(o)
		if t.Controller == p.c.name && t.Owner != "" && p.byKey[t.Owner] == nil && (!p.c.spec.AllowEmpty || p.isHeld(t.Owner)) {
			keys[t.Owner] = true
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

func (p *reconciler) isHeld(parent string) bool {
	return p.snapshot.Hold != nil && p.snapshot.Hold(parent)
}
