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
	sources    map[reports.Source]struct{}
	collectors *status.Collectors
	bindings   map[string]*Binding
	kinds      map[Resource]*kind

	restructured bool // bindings or kinds changed: subjects and wants must be found anew
	subjects     map[key]*subject
	about        map[reports.Identity][]*subject
	undecided    map[Target]map[string]bool // without version; by binding
	stale        map[key]*subject
	wanted       map[Name]Wanted
	changed      map[Name]struct{} // whose Wanted nobody was told of

	wants   *writeback.Wants
	touched map[reports.Identity]Target // whose status might be returned
}

// New returns an Engine that knows of nothing.
func New(o Options) *Engine {
	return &Engine{
		options: o, reports: reports.New(o.WDS), sources: map[reports.Source]struct{}{},
		collectors: status.NewCollectors(), bindings: map[string]*Binding{}, kinds: map[Resource]*kind{},
		subjects: map[key]*subject{}, about: map[reports.Identity][]*subject{}, undecided: map[Target]map[string]bool{},
		stale: map[key]*subject{}, wanted: map[Name]Wanted{}, changed: map[Name]struct{}{},
		wants: writeback.Resolve(nil), touched: map[reports.Identity]Target{},
	}
}

// PutReport takes in a WorkStatus or a ManifestWork. One that cannot be read reports nothing any more.
func (e *Engine) PutReport(obj map[string]any) error {
	places, err := e.reports.Put(obj)
	source, named := sourceOf(obj)
	switch {
	case err != nil && named:
		e.DeleteReport(source)
	case named:
		e.sources[source] = struct{}{}
		e.reported(places)
	}
	return err
}

func sourceOf(obj map[string]any) (s reports.Source, named bool) {
	metadata, _ := obj["metadata"].(map[string]any)
	kind, _ := obj["kind"].(string)
	s.Kind = reports.Kind(kind)
	s.Namespace, _ = metadata["namespace"].(string)
	s.Name, _ = metadata["name"].(string)
	return s, s.Namespace != "" && s.Name != ""
}

// DeleteReport takes out what a source reported.
func (e *Engine) DeleteReport(source reports.Source) {
	delete(e.sources, source)
	e.reported(e.reports.Delete(source))
}

// Reports is how many objects report.
func (e *Engine) Reports() int { return len(e.sources) }

// reported marks what depends on places.
func (e *Engine) reported(places []reports.Place) {
	for _, at := range places {
		for _, s := range e.about[at.Object] {
			if s.report(at.Cluster) {
				e.stale[s.key] = s
			}
		}
		e.touch(at.Object)
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
	for at, s := range e.subjects {
		if slices.Contains(s.collectors, name) {
			e.stale[at] = s
		}
	}
}

// CollectorErrors is what is wrong with a StatusCollector.
func (e *Engine) CollectorErrors(name string) []string { return e.collectors.Errors(name) }

// PutBinding takes in a Binding.
func (e *Engine) PutBinding(b *Binding) {
	e.bindings[b.Name] = b
	e.restructured = true
}

// DeleteBinding forgets a Binding.
func (e *Engine) DeleteBinding(name string) {
	delete(e.bindings, name)
	e.restructured = true
}

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
