package engine

import "github.com/waybill-dev/waybill/pkg/status/reports"

// PutReport takes in a WorkStatus or a ManifestWork. One that cannot be read reports nothing any more.
func (e *Engine) PutReport(obj map[string]any) error {
	places, err := e.reports.Put(obj)
	source, named := sourceOf(obj)
	switch {
	case err != nil && named:
		e.DeleteReport(source)
	case named:
		e.note(source, e.isElsewhere(obj))
		e.reported(places)
	}
	return err
}

func sourceOf(obj map[string]any) (s reports.Source, named bool) {
	kind, _ := obj["kind"].(string)
	s = reports.Source{Kind: reports.Kind(kind), Namespace: metadataText(obj, "namespace"), Name: metadataText(obj, "name")}
	return s, s.Namespace != "" && s.Name != ""
}

// originLabel names the workload space of what is reported about.
const originLabel = "transport.kubestellar.io/originWdsName"

// isElsewhere reports whether what reports does so about another workload space than ours.
func (e *Engine) isElsewhere(obj map[string]any) bool {
	metadata, _ := obj["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	origin, labelled := labels[originLabel]
	return e.options.WDS != "" && labelled && origin != e.options.WDS
}

// DeleteReport takes out what a source reported.
func (e *Engine) DeleteReport(source reports.Source) {
	e.note(source, false)
	delete(e.sources, source)
	e.reported(e.reports.Delete(source))
}

func (e *Engine) note(source reports.Source, elsewhere bool) {
	if e.sources[source] {
		e.elsewhere--
	}
	if e.sources[source] = elsewhere; elsewhere {
		e.elsewhere++
	}
}

// Reports is how many objects report.
func (e *Engine) Reports() int { return len(e.sources) }

// Elsewhere is how many of them report about another workload space, and do not count.
func (e *Engine) Elsewhere() int { return e.elsewhere }

// Warnings are what is odd about the reports, in order. It looks at all of them.
func (e *Engine) Warnings() []reports.Warning { return e.reports.Warnings() }

// reported marks what depends on places.
func (e *Engine) reported(places []reports.Place) {
	for _, at := range places {
		for _, s := range e.about[at.Object] {
			if s.report(at.Cluster) {
				e.mark(s)
			}
		}
		e.touch(at.Object)
	}
}
