package workload

import "github.com/waybill-dev/waybill/pkg/krm"

// excludedGroups and excludedResources are what nothing selects.
var (
	excludedGroups = map[string]bool{
		"flowcontrol.apiserver.k8s.io": true,
		"discovery.k8s.io":             true,
		"apiregistration.k8s.io":       true,
		"coordination.k8s.io":          true,
		"control.kubestellar.io":       true,
	}
	excludedResources = map[typeKey]bool{
		{"", "events"}:                             true,
		{"events.k8s.io", "events"}:                true,
		{"", "nodes"}:                              true,
		{"", "endpoints"}:                          true,
		{"storage.k8s.io", "csistoragecapacities"}: true,
		{"storage.k8s.io", "csinodes"}:             true,
		{"control.kubestellar.io", "workstatuses"}: true,
	}
)

// Selectable reports whether the type of o is one that policies can select.
func (r *Resources) Selectable(o *krm.Object) bool {
	group := o.Group()
	res := r.Lookup(group, o.Kind())
	return res.ListWatch && !excludedGroups[group] && !excludedResources[typeKey{group, res.Plural}]
}
