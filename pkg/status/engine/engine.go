package engine

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
	"github.com/waybill-dev/waybill/pkg/status/reports"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// Options say how results are made. The zero Options do as KubeStellar does.
type Options struct {
	// WDS is the workload space whose reports count; "" for all.
	WDS string
	// Evaluation has the options for collectors.
	Evaluation status.Options
	// Returning has the options for returned statuses.
	Returning writeback.Options
}

// Engine holds the state of a fleet and the results that follow from it.
type Engine struct {
	options    Options
	reports    *reports.Index
	sources    map[reports.Source]bool // true: the report is about another workload space
	foreign    int                     // the number of those
	collectors *status.Collectors
	bindings   map[string]*Binding
	unreadable map[string]bool // Bindings of which no readable state is known
	kinds      map[schema.GroupVersionResource]*kind

	index      index
	indexStale bool // bindings or kinds changed: index and subjects must be rebuilt
	subjects   map[subjectKey]*subject
	byIdentity map[reports.Identity][]*subject     // by the identity in reports, with and without the resource
	byName     map[types.NamespacedName][]*subject // those that want a CombinedStatus of that name, in order
	queue      queue                               // of subjects to evaluate
	returns    map[reports.Identity]ObjectRef      // whose status may have to be returned, since the last Changes
	combined   map[types.NamespacedName]struct{}   // whose Desired changed since the last Changes
	changes    Changes                             // the rest of the next Changes
}

// New returns an empty Engine.
func New(o Options) *Engine {
	return &Engine{
		options: o, reports: reports.New(o.WDS), sources: map[reports.Source]bool{},
		collectors: status.NewCollectors(), bindings: map[string]*Binding{}, unreadable: map[string]bool{},
		kinds: map[schema.GroupVersionResource]*kind{}, index: newIndex(nil),
		subjects: map[subjectKey]*subject{}, byIdentity: map[reports.Identity][]*subject{},
		byName: map[types.NamespacedName][]*subject{}, returns: map[reports.Identity]ObjectRef{},
		combined: map[types.NamespacedName]struct{}{},
	}
}

// PutCollector adds or replaces a StatusCollector.
func (e *Engine) PutCollector(c *control.StatusCollector) {
	if changed, _ := e.collectors.Put(c); changed {
		e.enqueueByCollector(c.Name)
	}
}

// DeleteCollector removes a StatusCollector.
func (e *Engine) DeleteCollector(name string) {
	if e.collectors.Delete(name) {
		e.enqueueByCollector(name)
	}
}

func (e *Engine) enqueueByCollector(name string) {
	for _, key := range slices.SortedFunc(maps.Keys(e.subjects), subjectKey.compare) {
		if s := e.subjects[key]; slices.Contains(s.collectors, name) {
			e.queue.add(s)
		}
	}
}

// CollectorErrors returns what is wrong with a StatusCollector.
func (e *Engine) CollectorErrors(name string) []string { return e.collectors.Errors(name) }

// Condition is the condition of a Binding: whether the collectors that it names exist.
func (e *Engine) Condition(binding string) metav1.Condition {
	b := e.bindings[binding]
	if b == nil {
		return status.AvailableCondition(nil)
	}
	_, missing := e.collectors.Pick(b.collectors())
	return status.AvailableCondition(missing)
}

// Resources are the resources of the objects for which a Binding requests something, in order.
func (e *Engine) Resources() []schema.GroupVersionResource {
	return slices.SortedFunc(maps.Keys(resources(e.bindings)), func(a, b schema.GroupVersionResource) int {
		return ObjectRef{GroupVersionResource: a}.Compare(ObjectRef{GroupVersionResource: b})
	})
}
