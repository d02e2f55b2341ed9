package kptfile

import (
	"reflect"
	"slices"

	v1 "github.com/kptdev/kpt/api/kptfile/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// SetReadinessGates sets info.readinessGates to these condition types in this order. Remaining gates
// keep their comments; without gates the field is removed.
func (f *File) SetReadinessGates(conditionTypes []string) {
	var want []v1.ReadinessGate
	var nodes []*yaml.Node
	for _, t := range conditionTypes {
		want = append(want, v1.ReadinessGate{ConditionType: t})
		nodes = append(nodes, f.nodeOf(want[len(want)-1]))
	}
	if f.Spec.Info == nil && len(want) == 0 || f.Spec.Info != nil && slices.Equal(f.Spec.Info.ReadinessGates, want) {
		return
	}
	if f.Spec.Info == nil {
		f.Spec.Info = &v1.PackageInfo{}
	}
	f.Spec.Info.ReadinessGates = want
	if f.setList("info", "readinessGates", nodes, "conditionType", nil) {
		f.Spec.Info = nil
	}
}

// ReadinessGates returns the condition types of info.readinessGates.
func (f *File) ReadinessGates() (types []string) {
	if f.Spec.Info != nil {
		for _, g := range f.Spec.Info.ReadinessGates {
			types = append(types, g.ConditionType)
		}
	}
	return types
}

// SetConditions sets status.conditions to these, in this order. Remaining conditions keep their
// comments; without conditions the field is removed.
func (f *File) SetConditions(conditions []v1.Condition) {
	if slices.Equal(f.Conditions(), conditions) {
		return
	}
	var nodes []*yaml.Node
	for _, c := range conditions {
		nodes = append(nodes, f.nodeOf(c))
	}
	if f.Spec.Status == nil {
		f.Spec.Status = &v1.Status{}
	}
	f.Spec.Status.Conditions = slices.Clone(conditions)
	if f.setList("status", "conditions", nodes, "type", statusOrder) {
		f.Spec.Status = nil
	}
}

// Conditions returns status.conditions.
func (f *File) Conditions() []v1.Condition {
	if f.Spec.Status == nil {
		return nil
	}
	return f.Spec.Status.Conditions
}

// SetRenderStatus sets status.renderStatus to r; nil removes the field.
func (f *File) SetRenderStatus(r *v1.RenderStatus) {
	if f.Spec.Status == nil && r == nil || f.Spec.Status != nil && reflect.DeepEqual(f.Spec.Status.RenderStatus, r) {
		return
	}
	if f.Spec.Status == nil {
		f.Spec.Status = &v1.Status{}
	}
	f.Spec.Status.RenderStatus = r
	status := childMap(f.root(), "status", RootOrder)
	if r != nil {
		insertField(status, "renderStatus", conform(krm.Lookup(status, "renderStatus"), f.nodeOf(r)), statusOrder)
		return
	}
	krm.RemoveField(status, "renderStatus")
	if len(status.Content) == 0 {
		krm.RemoveField(f.root(), "status")
		f.Spec.Status = nil
	}
}

// setList sets the list at section.field to want and reports whether that emptied and removed the
// section.
func (f *File) setList(section, field string, want []*yaml.Node, key string, order []string) (gone bool) {
	root := f.root()
	parent := childMap(root, section, RootOrder)
	list := krm.Lookup(parent, field)
	if len(want) > 0 {
		list = ensureList(parent, field, list, order)
		list.Content = rebuild(list.Content, want, key)
		return false
	}
	krm.RemoveField(parent, field)
	return len(parent.Content) == 0 && krm.RemoveField(root, section)
}

// ensureList returns list, or a new list set at field of parent if list is not one. An empty
// "[]" becomes a block.
func ensureList(parent *yaml.Node, field string, list *yaml.Node, order []string) *yaml.Node {
	if list == nil || list.Kind != yaml.SequenceNode {
		list = &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
		insertField(parent, field, list, order)
	}
	if len(list.Content) == 0 {
		list.Style &^= yaml.FlowStyle
	}
	return list
}
