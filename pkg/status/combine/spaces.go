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

// SentSpaces are the workload spaces of the works that a package sends for its Bindings, in order. A work that only hands objects
// over does not count, nor does one with a status, which is a report.
func SentSpaces(items []*krm.Object) []string {
	return spaces(items, func(o *krm.Object) bool { return !saysSomething(o.Group(), o.Kind(), o.Head()) && !onlyHandsOver(o) })
}

// ReportedSpaces are the workload spaces of all works and reports about the Bindings among items, in order.
func ReportedSpaces(items []*krm.Object) []string {
	return spaces(items, func(*krm.Object) bool { return true })
}

func spaces(items []*krm.Object, count func(*krm.Object) bool) []string {
	bindings, found := map[string]bool{}, map[string]bool{}
	for _, o := range items {
		if o.Is(control.Group, control.KindBinding) {
			bindings[o.Name()] = true
		}
	}
	for _, o := range items {
		labels := o.Labels()
		space, labelled := labels[reports.OriginLabel]
		if labelled && reports.Reports(o.Group(), o.Kind()) && bindings[labels[control.OriginBindingLabel]] && count(o) {
			found[space] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
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
