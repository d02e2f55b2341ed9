package mapping

import (
	"cmp"
	"context"
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

// selectInputs are the inputs of all parents.
func (p *reconciler) selectInputs() (inputs []correspond.Input) {
	for _, par := range p.parents {
		par.selected, par.counts = map[string]bool{}, map[string]int{}
		if par.hold {
			continue
		}
		for i := range p.c.inputs {
			in := &p.c.inputs[i]
			par.counts[in.field] = 0
			visible := p.visible(par, &in.resource)
			before := len(inputs)
			for _, o := range visible {
				if !o.matches(par.selector) || !o.matches(in.selector) {
					continue
				}
				key := p.keyOf(o.Object)
				if key == "" {
					continue
				}
				inputs = append(inputs, correspond.Input{Key: key, Owner: par.key, Object: o.Object})
				if !par.selected[key] && !par.owns(o.Object) {
					par.selected[key] = true
					par.counts[in.field]++
				}
			}
			if len(inputs) == before {
				par.noteUnmatched(in, visible)
			}
		}
	}
	return inputs
}

// visible are the objects of a type that a parent sees.
func (p *reconciler) visible(par *parent, of *resource) (seen []*namespacedObject) {
	for namespace, objects := range p.index.byType[of.GroupKind] {
		if par.sees(namespace) {
			seen = append(seen, objects...)
		}
	}
	return seen
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
