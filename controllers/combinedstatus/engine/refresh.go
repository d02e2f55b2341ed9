package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/waybill-dev/waybill/pkg/status"
)

// Name is where a CombinedStatus is.
type Name struct{ Namespace, Name string }

// Compare orders names.
func (n Name) Compare(b Name) int {
	return cmp.Or(cmp.Compare(n.Namespace, b.Namespace), cmp.Compare(n.Name, b.Name))
}

// About is what the labels of a CombinedStatus say: the object, in whatever version, and the policy.
type About struct {
	Policy string
	Target
}

// AboutOf reads them.
func AboutOf(labels map[string]string) About {
	return About{labels[status.LabelPolicy], Target{
		Resource{labels[status.LabelGroup], "", labels[status.LabelResource]}, labels[status.LabelNamespace], labels[status.LabelName],
	}}
}

// Changes are what came of what was put in.
type Changes struct {
	// Restructured says that Bindings or kinds changed: what was undecided may be decided.
	Restructured bool
	// Decided are those about which something was undecided before, in the order in which it was decided.
	Decided []About
	// Combined are the CombinedStatuses that should be others now, or not be, in order.
	Combined []Name
	// Returned are the objects whose status may have to be written, in order.
	Returned []Target
	// Refused are errors of what no CombinedStatus can be written for, in the order of what they are about.
	Refused []error
	// Rows is how many rows were evaluated.
	Rows int
}

// Refresh takes in all that has changed, evaluates it, and says what came of it. It stops when ctx ends,
// with an error; what is left is done the next time.
func (e *Engine) Refresh(ctx context.Context) (Changes, error) {
	e.Arrange()
	_, err := e.Evaluate(ctx, nil)
	return e.Changes(), err
}

// Arrange takes in what has changed about Bindings and kinds.
func (e *Engine) Arrange() {
	if e.restructured {
		e.layOut()
		e.restructured, e.news.Restructured = false, true
	}
}

// Changes are what came of all that was arranged and evaluated since they were last asked for.
func (e *Engine) Changes() Changes {
	out := e.news
	out.Combined = slices.SortedFunc(maps.Keys(e.changed), Name.Compare)
	clear(e.changed)
	out.Returned = slices.SortedFunc(maps.Values(e.touched), Target.compare)
	clear(e.touched)
	slices.SortFunc(out.Refused, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	e.news = Changes{}
	return out
}

// Keeps reports whether nothing is decided yet about a CombinedStatus.
func (e *Engine) Keeps(a About) bool { return e.undecided[a] || e.lost[a.Policy] }

// refresh evaluates what is old about a subject, and reports whether more let it come to an end.
func (e *Engine) refresh(ctx context.Context, s *subject, more func(Step) bool) (done bool, err error) {
	programs, _ := e.collectors.Pick(s.collectors)
	if done, err = s.evaluate(ctx, programs, e.reports.Of(s.id), e.options.Evaluation, more); err != nil || !done {
		return false, err
	}
	results, warnings := s.combine(programs)
	results, leftOut := status.Bound(results)
	e.decide(s)
	object, err := status.New(s.about, results)
	if err != nil {
		e.news.Refused = append(e.news.Refused, err)
		e.unwant(s)
		return true, nil
	}
	e.want(s, Wanted{Object: object, Warnings: warnings, LeftOut: leftOut})
	return true, nil
}

// decide notes that a subject has been evaluated.
func (e *Engine) decide(s *subject) {
	if !s.decided {
		s.decided = true
		delete(e.undecided, s.whatAbout())
		e.news.Decided = append(e.news.Decided, s.whatAbout())
	}
}
