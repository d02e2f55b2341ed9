package combine

import (
	"maps"
	"slices"
	"strconv"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// Spaces are the workload spaces that items are about, in order: those of the ManifestWorks that a package sends. If it sends none,
// they are those of the reports about its Bindings. A work that only hands objects over counts for neither.
func Spaces(items []*krm.Object) []string {
	bindings := map[string]bool{}
	for _, o := range items {
		if o.Is(control.Group, control.KindBinding) {
			bindings[o.Name()] = true
		}
	}
	sent, reported := map[string]bool{}, map[string]bool{}
	for _, o := range items {
		labels := o.Labels()
		space, labelled := labels[reports.OriginLabel]
		switch {
		case !labelled || !reports.Reports(o.Group(), o.Kind()):
		case saysSomething(o.Group(), o.Kind(), o.Head()):
			reported[space] = reported[space] || bindings[labels[control.OriginBindingLabel]]
		default:
			sent[space] = sent[space] || !onlyHandsOver(o)
		}
	}
	for _, spaces := range []map[string]bool{sent, reported} {
		maps.DeleteFunc(spaces, func(_ string, counts bool) bool { return !counts })
		if len(spaces) > 0 {
			return slices.Sorted(maps.Keys(spaces))
		}
	}
	return nil
}

// onlyHandsOver reports whether all manifests of a work are hand-over entries.
func onlyHandsOver(work *krm.Object) bool {
	entries, err := strconv.Atoi(work.Annotation(fn.HandOver))
	if err != nil {
		return false
	}
	manifests := work.Lookup("spec", "workload", "manifests")
	return manifests != nil && len(manifests.Content) == entries
}
