package workload

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// The groups and resources that no policy can select.
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

// Selectable reports whether policies can select the type of o.
func (r *Resources) Selectable(o *krm.Object) bool {
	if r.ListsObjects(o) {
		return false
	}
	group := o.Group()
	res := r.Lookup(group, o.Kind())
	return res.ListWatch && !excludedGroups[group] && !excludedResources[typeKey{group, res.Plural}]
}

// ListsObjects reports whether o is a list of objects, with or without a name, and not an object of a kind with items: a List of
// Kubernetes, or the list of a known kind or of the kind of its items. An object of a known kind is not a list.
func (r *Resources) ListsObjects(o *krm.Object) bool {
	if !IsList(o) || r.Of(o).Known {
		return false
	}
	of := strings.TrimSuffix(o.Kind(), "List")
	return o.Is("", "List") || r.Lookup(o.Group(), of).Known || slices.ContainsFunc(o.Lookup("items").Content, func(n *yaml.Node) bool {
		kind := krm.Lookup(n, "kind")
		return isObject(n) && kind != nil && kind.Value == of
	})
}

// HoldsObjects reports whether a list has items that are objects. A list without items does, unless it has a name and another project
// may define its kind.
func HoldsObjects(list *krm.Object) bool {
	items := list.Lookup("items").Content
	if len(items) == 0 {
		return list.Name() == "" || !MayDefineFields(list)
	}
	return slices.ContainsFunc(items, isObject)
}

func isObject(n *yaml.Node) bool {
	return krm.Lookup(n, "metadata") != nil || krm.Lookup(n, "apiVersion") != nil && krm.Lookup(n, "kind") != nil
}
