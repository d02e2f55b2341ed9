package engine

import "github.com/waybill-dev/waybill/pkg/status/reports"

// PutReport adds or replaces a WorkStatus or a ManifestWork. If it cannot be read, it no longer reports anything.
func (e *Engine) PutReport(obj map[string]any) error {
	source, err := reports.SourceOf(obj)
	if err != nil {
		return err
	}
	places, err := e.reports.Put(obj)
	if err != nil {
		e.DeleteReport(source)
		return err
	}
	e.setSource(source, !reports.Concerns(obj, e.options.WDS))
	e.enqueueByReports(places)
	return nil
}

// DeleteReport removes what a source reported.
func (e *Engine) DeleteReport(source reports.Source) {
	e.setSource(source, false)
	delete(e.sources, source)
	e.enqueueByReports(e.reports.Delete(source))
}

func (e *Engine) setSource(source reports.Source, foreign bool) {
	if e.sources[source] {
		e.foreign--
	}
	if e.sources[source] = foreign; foreign {
		e.foreign++
	}
}

// Reports is the number of WorkStatuses and ManifestWorks.
func (e *Engine) Reports() int { return len(e.sources) }

// ForeignReports is the number of those about another workload space, which do not count.
func (e *Engine) ForeignReports() int { return e.foreign }

// Warnings are about the reports, in order. It looks at all of them.
func (e *Engine) Warnings() []reports.Warning { return e.reports.Warnings() }

// enqueueByReports enqueues what depends on changed reports.
func (e *Engine) enqueueByReports(places []reports.Place) {
	for _, at := range places {
		for _, s := range e.byIdentity[at.Object] {
			if s.markChanged(at.Cluster) {
				e.queue.add(s)
			}
		}
		e.queueReturn(at.Object)
	}
}
