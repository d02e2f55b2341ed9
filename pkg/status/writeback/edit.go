package writeback

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// ObjectIn converts an object of a file. The error is about a status that is no JSON.
func ObjectIn(id reports.Identity, o *krm.Object) (Object, error) {
	out := Object{ID: id, Labels: o.Labels()}
	node := o.Lookup("status")
	if node == nil {
		return out, nil
	}
	status, err := krm.Value(node)
	if err != nil {
		return Object{}, fmt.Errorf("%s: status: %w", o.Describe(), err)
	}
	out.Status, _ = status.(map[string]any)
	return out, nil
}

// Edit executes a decision on o, which it may change. Comments and the order of fields stay, except in the status. An object
// that needs no change stays the same, byte for byte.
func Edit(o *krm.Object, d Decision) error {
	if !d.Changed {
		return nil
	}
	status, err := krm.NodeOf(d.Status)
	if err != nil {
		return fmt.Errorf("%s: write status: %w", o.Describe(), err)
	}
	o.ExpandAliases() // an alias elsewhere may refer to what is removed
	root := o.Node()
	krm.SetField(root, "status", status)
	metadata := mapAt(root, "metadata")
	labels := mapAt(metadata, "labels")
	for _, label := range d.Drop {
		krm.RemoveField(labels, label)
	}
	if d.Label != "" {
		krm.SetField(labels, d.Label, krm.StringNode(LabelValue))
	}
	if len(labels.Content) == 0 {
		krm.RemoveField(metadata, "labels")
	}
	return nil
}

// mapAt returns the map at a key of m, and creates it if it is missing.
func mapAt(m *yaml.Node, key string) *yaml.Node {
	next := krm.Lookup(m, key)
	if next == nil || next.Kind != yaml.MappingNode {
		next = krm.MapNode()
		krm.SetField(m, key, next)
	} else if len(next.Content) == 0 {
		next.Style &^= yaml.FlowStyle // {} gets fields
	}
	return next
}
