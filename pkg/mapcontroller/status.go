package mapcontroller

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/plain"
)

// Status counts the objects of a parent, by type in the order of the MapController.
type Status struct{ Inputs, Outputs []Count }

// Count counts objects of one type.
type Count struct {
	// Name is the plural, with the group where two types have the same.
	Name string
	// Total is the number of objects; Detached is the number of these outputs that belong to no input.
	Total, Detached int
	// Conditions are, for each type of condition that some output has, the number of outputs that have it with status True.
	// A type begins with a small letter here; "total" and "detached" are "condition.Total" and so on.
	Conditions map[string]int
}

// parentStatuses builds the results of all parents.
func (p *reconciler) parentStatuses(plan *applyset.Plan) (out []Parent) {
	before, after := p.outputsOf(p.snapshot.Items), p.outputsOf(plan.Items)
	for _, s := range plan.Summaries {
		if par := p.byKey[s.Owner]; par != nil && len(s.Detached) > 0 && !p.isComplete() {
			par.unfinished = true // no hook was called for these
		}
	}
	for _, r := range plan.Results {
		if par := p.byKey[r.Owner]; par != nil && r.Severity == sdk.Error {
			par.unfinished = true
			par.errors = append(par.errors, oneLine(r.Message))
		}
	}
	for _, par := range p.parents {
		out = append(out, Parent{
			Key: par.key, Object: par.item, Held: par.hold, Related: par.rules, RequeueAfter: par.requeue, Errors: par.errors,
			Observed: p.status(par, before[par.key]), After: p.status(par, after[par.key]),
			Finalizing: par.deleting, Finalized: par.deleting && !par.unfinished,
		})
	}
	return out
}

// outputsOf are the outputs of this controller among items, by the key of their parent.
func (p *reconciler) outputsOf(items []*krm.Object) map[string][]*krm.Object {
	out := map[string][]*krm.Object{}
	for _, o := range items {
		if t := applyset.TagsOf(o); t.Controller == p.c.name && t.Owner != "" {
			out[t.Owner] = append(out[t.Owner], o)
		}
	}
	return out
}

// status counts the outputs and inputs of a parent.
func (p *reconciler) status(par *parent, outputs []*krm.Object) (s Status) {
	for i := range p.c.inputs {
		s.Inputs = append(s.Inputs, Count{Name: p.c.inputs[i].field, Total: par.counts[p.c.inputs[i].field]})
	}
	for i := range p.c.outputs {
		s.Outputs = append(s.Outputs, Count{Name: p.c.outputs[i].field})
	}
	for _, o := range outputs {
		i := slices.IndexFunc(p.c.outputs, func(of resource) bool { return of.Group == o.Group() && of.Kind == o.Kind() })
		if i < 0 {
			continue
		}
		s.Outputs[i].Total++
		if !par.selected[applyset.TagsOf(o).Input] {
			s.Outputs[i].Detached++
		}
		s.Outputs[i].addConditions(o)
	}
	return s
}

// addConditions counts the conditions of an object.
func (c *Count) addConditions(o *krm.Object) {
	list := o.Lookup("status", "conditions")
	if list == nil || list.Kind != yaml.SequenceNode {
		return
	}
	isTrue := map[string]bool{}
	for _, n := range list.Content {
		kind := krm.Lookup(n, "type")
		if kind == nil || kind.Kind != yaml.ScalarNode || kind.Value == "" {
			continue
		}
		status := krm.Lookup(n, "status")
		name := conditionField(kind.Value)
		isTrue[name] = isTrue[name] || status != nil && status.Value == "True"
	}
	if c.Conditions == nil && len(isTrue) > 0 {
		c.Conditions = map[string]int{}
	}
	for name, is := range isTrue {
		if c.Conditions[name] += 0; is {
			c.Conditions[name]++
		}
	}
}

// conditionField is the name of a condition type in a status.
func conditionField(kind string) string {
	first, size := utf8.DecodeRuneInString(kind)
	name := string(unicode.ToLower(first)) + kind[size:]
	if name == "total" || name == "detached" {
		return "condition." + kind
	}
	return name
}

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
			more = append(more, fmt.Sprintf("%s=%d", truncate(name), c.Conditions[name]))
		}
		if len(more) > 0 {
			part += " (" + strings.Join(more, ", ") + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ")
}

// WriteTo writes the status into a parent, in place: observedGeneration if there is a generation, inputs and outputs. Other
// fields stay. An error says that the parent's status is no map.
func (s Status) WriteTo(o *krm.Object) error {
	status := o.Lookup("status")
	switch {
	case status == nil || status.ShortTag() == yaml.NodeTagNull:
		status = krm.MapNode()
		krm.SetField(o.Node(), "status", status)
	case status.Kind != yaml.MappingNode:
		return errors.New("its status is not a map")
	}
	status.Style &^= yaml.FlowStyle
	if n := o.Lookup("metadata", "generation"); n != nil {
		krm.SetField(status, "observedGeneration", plain.Scalar(n.Tag, n.Value))
	}
	inputs, outputs := krm.MapNode(), krm.MapNode()
	for _, c := range s.Inputs {
		krm.SetField(inputs, c.Name, krm.MapNode(krm.StringNode("total"), intNode(c.Total)))
	}
	for _, c := range s.Outputs {
		n := krm.MapNode(krm.StringNode("total"), intNode(c.Total), krm.StringNode("detached"), intNode(c.Detached))
		for _, name := range slices.Sorted(maps.Keys(c.Conditions)) {
			krm.SetField(n, name, intNode(c.Conditions[name]))
		}
		krm.SetField(outputs, c.Name, n)
	}
	updateField(status, "inputs", inputs)
	updateField(status, "outputs", outputs)
	return nil
}

// updateField sets a field unless it has the same data. It keeps comments and style.
func updateField(m *yaml.Node, name string, n *yaml.Node) {
	old := krm.Lookup(m, name)
	if old != nil && krm.Equivalent(old, n) {
		return
	}
	if old != nil {
		fn.KeepForm(old, n)
	}
	krm.SetField(m, name, n)
}

func intNode(i int) *yaml.Node { return plain.Scalar(yaml.NodeTagInt, fmt.Sprint(i)) }
