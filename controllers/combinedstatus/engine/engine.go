package engine

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
	"github.com/waybill-dev/waybill/pkg/status/reports"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// Options say how results are made. The zero Options are KubeStellar's way.
type Options struct {
	// WDS is the workload space whose reports count; "" takes those of all.
	WDS string
	// Evaluation are the switches of collectors.
	Evaluation status.Options
	// Returning are the switches of status return.
	Returning writeback.Options
}

// Engine holds the state of a fleet and the results that follow from it.
type Engine struct {
	options    Options
	reports    *reports.Index
	sources    map[reports.Source]bool // true: it is about another workload space
	elsewhere  int                     // how many of them are
	collectors *status.Collectors
	bindings   map[string]*Binding
	kinds      map[Resource]*kind

	restructured bool // bindings or kinds changed: subjects and wants must be found anew
	subjects     map[key]*subject
	about        map[reports.Identity][]*subject // by what reports call the object, with its resource and without
	claims       map[Name][]*subject             // those that want a CombinedStatus of that name, in order
	lost         map[string]bool                 // Bindings of which nothing is known

	queue
	layout
	touched map[reports.Identity]Target // whose status might be returned
	changed map[Name]struct{}           // whose Wanted nobody was told of
	news    Changes                     // what else nobody was told of
}

// New returns an Engine that knows of nothing.
func New(o Options) *Engine {
	return &Engine{
		options: o, reports: reports.New(o.WDS), sources: map[reports.Source]bool{},
		collectors: status.NewCollectors(), bindings: map[string]*Binding{}, kinds: map[Resource]*kind{},
		subjects: map[key]*subject{}, about: map[reports.Identity][]*subject{}, layout: newLayout(nil),
		claims: map[Name][]*subject{}, lost: map[string]bool{}, changed: map[Name]struct{}{},
		touched: map[reports.Identity]Target{},
	}
}

// PutCollector takes in a StatusCollector.
func (e *Engine) PutCollector(c *control.StatusCollector) {
	if changed, _ := e.collectors.Put(c); changed {
		e.collected(c.Name)
	}
}

// DeleteCollector forgets a StatusCollector.
func (e *Engine) DeleteCollector(name string) {
	if e.collectors.Delete(name) {
		e.collected(name)
	}
}

func (e *Engine) collected(name string) {
	var concerned []*subject
	for _, s := range e.subjects {
		if slices.Contains(s.collectors, name) {
			concerned = append(concerned, s)
		}
	}
	slices.SortFunc(concerned, func(a, b *subject) int { return a.compare(b.key) })
	for _, s := range concerned {
		e.mark(s)
	}
}

// CollectorErrors is what is wrong with a StatusCollector.
func (e *Engine) CollectorErrors(name string) []string { return e.collectors.Errors(name) }

// Condition says whether the collectors are there that a Binding names.
func (e *Engine) Condition(binding string) metav1.Condition {
	b := e.bindings[binding]
	if b == nil {
		return status.AvailableCondition(nil)
	}
	_, missing := e.collectors.Pick(b.collectors())
	return status.AvailableCondition(missing)
}

// Resources are those of the objects that something is asked for, in order.
func (e *Engine) Resources() []Resource {
	out := map[Resource]struct{}{}
	for _, b := range e.bindings {
		for _, o := range b.Objects {
			if o.anything() {
				out[o.Resource] = struct{}{}
			}
		}
	}
	return slices.SortedFunc(maps.Keys(out), func(a, b Resource) int {
		return Target{Resource: a}.compare(Target{Resource: b})
	})
}
