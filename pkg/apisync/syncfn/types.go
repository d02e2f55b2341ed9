package syncfn

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// typesOf are the types of items. A related type that has one plural in two groups has one kind: where only one group has
// a CustomResourceDefinition, the other is the same.
func typesOf(config *waybill.PublishedResource, items []*krm.Object) (workload.Types, field.ErrorList) {
	types, faults := workload.TypesOf(items)
	var declared []string
	for i := range config.Spec.Related {
		origin, copied := config.Spec.Related[i].OriginType(), config.Spec.Related[i].CopyType()
		if origin.Resource != copied.Resource {
			continue
		}
		declared = append(declared, sameKind(types, origin, copied)...)
		declared = append(declared, sameKind(types, copied, origin)...)
	}
	if len(faults) > 0 || len(declared) == 0 {
		return types, faults
	}
	slices.Sort(declared)
	return workload.TypesOf(items, slices.Compact(declared)...)
}

// sameKind declares a type that is not known by one that is; nothing otherwise.
func sameKind(types workload.Types, known, unknown schema.GroupVersionResource) []string {
	kinds := types.Kinds(known.Group, known.Resource)
	if len(kinds) != 1 || len(types.Kinds(unknown.Group, unknown.Resource)) > 0 {
		return nil
	}
	of := types.Lookup(known.Group, kinds[0])
	if !of.Known || types.Lookup(unknown.Group, kinds[0]).Known {
		return nil
	}
	of.Plural = unknown.Resource
	return []string{workload.FormatEntry(unknown.Group, kinds[0], of)}
}
