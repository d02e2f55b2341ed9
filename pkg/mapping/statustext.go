package mapping

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// String is the status in a line: "inputs services=1, outputs probes=2 (detached=1, ready=2)".
func (s Status) String() string {
	return "inputs " + countsText(s.Inputs) + ", outputs " + countsText(s.Outputs)
}

func countsText(counts []Count) string {
	var parts []string
	for _, c := range counts {
		part := fmt.Sprintf("%s=%d", c.Name, c.Total)
		var more []string
		if c.Detached > 0 {
			more = append(more, fmt.Sprintf("detached=%d", c.Detached))
		}
		for _, name := range slices.Sorted(maps.Keys(c.Conditions)) {
			more = append(more, fmt.Sprintf("%s=%d", truncate(name, 100), c.Conditions[name]))
		}
		if len(more) > 0 {
			part += " (" + strings.Join(more, ", ") + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ")
}

// WriteTo writes the status into a parent, which is the caller's: observedGeneration if there is a
// generation, inputs and outputs. Other fields stay. An error says that there is no room for it.
func (s Status) WriteTo(o *krm.Object) error {
	status := o.Lookup("status")
	switch {
	case status == nil || status.ShortTag() == yaml.NodeTagNull:
		status = krm.MapNode()
		krm.SetField(o.Node(), "status", status)
	case status.Kind != yaml.MappingNode:
		return fmt.Errorf("its status is no map")
	}
	status.Style &^= yaml.FlowStyle
	if n := o.Lookup("metadata", "generation"); n != nil {
		krm.SetField(status, "observedGeneration", scalar(n.Tag, n.Value))
	}
	for _, part := range []struct {
		name   string
		counts []Count
		write  func(Count) *yaml.Node
	}{{"inputs", s.Inputs, inputNode}, {"outputs", s.Outputs, outputNode}} {
		n := krm.MapNode()
		for _, c := range part.counts {
			krm.SetField(n, c.Name, part.write(c))
		}
		old := krm.Lookup(status, part.name)
		if old != nil && krm.Equivalent(old, n) {
			continue
		}
		if old != nil {
			fn.KeepForm(old, n)
		}
		krm.SetField(status, part.name, n)
	}
	return nil
}

func inputNode(c Count) *yaml.Node { return krm.MapNode(krm.StringNode("total"), intNode(c.Total)) }

func outputNode(c Count) *yaml.Node {
	n := inputNode(c)
	krm.SetField(n, "detached", intNode(c.Detached))
	for _, name := range slices.Sorted(maps.Keys(c.Conditions)) {
		krm.SetField(n, name, intNode(c.Conditions[name]))
	}
	return n
}

func intNode(i int) *yaml.Node { return scalar(yaml.NodeTagInt, fmt.Sprint(i)) }
