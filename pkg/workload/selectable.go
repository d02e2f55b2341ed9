package workload

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

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
	if r.ListsObjects(o) {
		return false
	}
	group := o.Group()
	res := r.Lookup(group, o.Kind())
	return res.ListWatch && !excludedGroups[group] && !excludedResources[typeKey{group, res.Plural}]
}

// ListsObjects reports whether o is a list of objects, with or without a name, and no object of a kind that has items: a List of
// Kubernetes, or the list of a kind that is known or that its items are of. A kind that was taught is an object, whatever its name.
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

// HoldsObjects reports whether a list has items that are objects, or none at all and no name of a kind that others define.
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
