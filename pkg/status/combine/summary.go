package combine

import (
	"context"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status"
	"github.com/waybill-dev/waybill/pkg/status/reports"
	"github.com/waybill-dev/waybill/pkg/template/expansion"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Summary is what is known about all objects that Bindings name.
type Summary struct {
	// Objects are in the order of the names of Bindings, then in that of the Binding.
	Objects []Object
	// Items are the given items, some with a returned status.
	Items []*krm.Object
	// Unbound says that there is no Binding at all.
	Unbound bool
	// LeftOut are the workload spaces of all reports, in order, if none of them counts.
	LeftOut []string
	// Results are errors and warnings, in no particular order.
	Results sdk.Results
}

// Object is what is known about one object under one Binding.
type Object struct {
	Subject status.Subject
	// Destinations are the clusters that the Binding sends the object to, and Reporting those of them that report about the
	// last version; both in order.
	Destinations, Reporting []string
	// Problems are the destinations that failed, lost the object, report about an older version or do not know, in order. A
	// destination in neither list is silent.
	Problems []Problem
	// Missing are the named collectors that do not exist or are invalid.
	Missing []string
	// Combined is nil when no collector is named, and when it cannot be written.
	Combined *control.CombinedStatus

	about *krm.Object // the object; the Binding if the object is not in the package
}

// Failed reports whether any result is an error.
func (s *Summary) Failed() bool { return (&fn.Output{Results: s.Results}).Failed() }

// NewSummary evaluates items. It does not stop at faults; the error is that of ctx.
func NewSummary(ctx context.Context, items []*krm.Object, opts Options) (*Summary, error) {
	s := newSummarizer(items, opts)
	s.readReports()
	s.reportEmpty()
	return s.evaluate(ctx)
}

// NewSummaryOf is NewSummary for reports that are not among the items: those among them do not count, nor does opts.WDSName.
// The index must not change meanwhile.
func NewSummaryOf(ctx context.Context, items []*krm.Object, seen *reports.Index, opts Options) (*Summary, error) {
	s := newSummarizer(items, opts)
	s.index = seen
	for _, w := range seen.Warnings() {
		s.report(sdk.Warning, nil, nil, "%s: %s", w.Source, w.Text)
	}
	return s.evaluate(ctx)
}

// Generated are the CombinedStatuses as function combine-status writes them into a package without any.
func (s *Summary) Generated() []*krm.Object {
	out := file(s.Objects, nil)
	for _, o := range out {
		o.SetAnnotation(fn.GeneratedBy, Name)
	}
	return out
}

func newSummarizer(items []*krm.Object, opts Options) *summarizer {
	s := &summarizer{opts: opts, given: items, allowance: expansion.NewAllowance(), out: &Summary{Items: slices.Clone(items)}}
	kinds, errs, results := workload.NewBoundResources(items, nil)
	s.kinds, s.out.Results = kinds, results
	s.fault(nil, sdk.Error, errs)
	s.readCollectors()
	return s
}

// evaluate evaluates everything; the reports are known.
func (s *summarizer) evaluate(ctx context.Context) (*Summary, error) {
	s.readBindings()
	s.out.Unbound = len(s.ofKind(control.KindBinding)) == 0
	s.identify()
	s.returnStatuses()
	for _, b := range s.bindings {
		if err := s.addBinding(ctx, b); err != nil {
			return nil, err
		}
	}
	return s.out, nil
}

// summarizer is one evaluation of items.
type summarizer struct {
	opts       Options
	given      []*krm.Object
	kinds      *workload.Resources
	collectors *status.Collectors
	index      *reports.Index
	counted    int       // items that report about this workload space
	named      int       // those of them that name it
	spaces     []string  // that other items report about
	bindings   []binding // sorted by name
	identities map[*krm.Object]reports.Identity
	returned   map[*krm.Object]*krm.Object // objects with their new status
	plain      map[*krm.Object]plain
	inventory  *workload.Inventory  // nil until a name needs it
	allowance  *expansion.Allowance // of names
	out        *Summary
}

// ofKind returns the items of a KubeStellar kind, in an order that does not depend on that of the items.
func (s *summarizer) ofKind(kind string) []*krm.Object {
	return workload.OfKind(s.given, control.Group, kind)
}

func (s *summarizer) report(sev sdk.Severity, o *krm.Object, at *field.Path, format string, args ...any) {
	s.out.Results = append(s.out.Results, fn.NewResult(sev, o, at, format, args...))
}

// fault reports errors about o, each at its field.
func (s *summarizer) fault(o *krm.Object, sev sdk.Severity, errs field.ErrorList) {
	for _, err := range errs {
		var at *field.Path
		if err.Field != "" {
			at = field.NewPath(err.Field)
		}
		s.report(sev, o, at, "%v", err)
	}
}
