package mapcontroller

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/plain"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// answer is the answer of a hook of any kind.
type answer struct {
	outputs   []*krm.Object
	related   []waybill.RelatedRule
	finalized bool
	resync    time.Duration  // 0: no resync
	retry     *time.Duration // the hook has no answer yet
	notes     []applyset.Note
}

// fieldsOf are the fields that an answer to a request may have. The first is required.
func fieldsOf(r *Request) []string {
	if r.Hook == HookCustomize {
		return []string{"relatedResources"}
	}
	fields := []string{"outputs", "finalized"} // the latter counts for HookFinalize alone
	if r.Version == waybill.HookV2 {
		fields = append(fields, "resyncAfterSeconds")
	}
	return fields
}

// readAnswer converts plain data of bounded size to an answer. Strict refuses unknown fields.
func readAnswer(r *Request, data map[string]any, strict bool) (*answer, error) {
	known := fieldsOf(r)
	for _, name := range slices.Sorted(maps.Keys(data)) {
		if strict && !slices.Contains(known, name) {
			return nil, fmt.Errorf("the answer has an unknown field %q", truncate(name))
		}
	}
	list, is := data[known[0]]
	if !is {
		return nil, fmt.Errorf("the answer has no %s", known[0])
	}
	if r.Hook == HookCustomize {
		rules, err := readRules(list)
		return &answer{related: rules}, err
	}
	nodes, err := nodesOf("outputs", list, maxOutputs)
	if err != nil {
		return nil, err
	}
	a := &answer{}
	for _, n := range nodes {
		a.outputs = append(a.outputs, krm.FromNode(n))
	}
	return a, a.readRest(r, data)
}

// readRest reads the fields besides outputs.
func (a *answer) readRest(r *Request, data map[string]any) error {
	if v := data["finalized"]; v != nil && r.Hook == HookFinalize {
		var is bool
		if a.finalized, is = v.(bool); !is {
			return fmt.Errorf("finalized is neither true nor false")
		}
	}
	if v := data["resyncAfterSeconds"]; v != nil && r.Version == waybill.HookV2 {
		seconds, is := plain.Number(v)
		if !is {
			return fmt.Errorf("resyncAfterSeconds is not a number")
		}
		a.resync = durationOf(seconds)
	}
	return nil
}

// durationOf converts seconds to a duration, 0 for none, up to the longest one.
func durationOf(seconds float64) time.Duration {
	switch ns := seconds * float64(time.Second); {
	case !(ns > 0):
		return 0
	case ns >= math.MaxInt64:
		return math.MaxInt64
	default:
		return max(1, time.Duration(ns))
	}
}

// nodesOf converts a list of objects to nodes. Null is an empty list, as some languages write it.
func nodesOf(name string, v any, most int) ([]*yaml.Node, error) {
	list, is := v.([]any)
	if !is && v != nil {
		return nil, fmt.Errorf("%s is not a list", name)
	}
	if len(list) > most {
		return nil, fmt.Errorf("%s has more than %d elements", name, most)
	}
	nodes := make([]*yaml.Node, len(list))
	for i, v := range list {
		if v == nil {
			return nil, fmt.Errorf("%s[%d] is null", name, i)
		}
		if _, is := v.(map[string]any); !is {
			return nil, fmt.Errorf("%s[%d] is not an object", name, i)
		}
		n, err := plain.ToNode(v)
		if err != nil {
			return nil, fmt.Errorf("%s[%d]: %w", name, i, err)
		}
		nodes[i] = n
	}
	return nodes, nil
}

// readRules reads the rules of a customize hook.
func readRules(v any) ([]waybill.RelatedRule, error) {
	nodes, err := nodesOf("relatedResources", v, maxRules)
	rules := make([]waybill.RelatedRule, len(nodes))
	for i, n := range nodes {
		if err := krm.DecodeNode(n, field.NewPath("relatedResources").Index(i), &rules[i]); err != nil {
			return nil, err
		}
	}
	return rules, err
}

// oneLine puts a message on one line of bounded length.
func oneLine(message string) string { return safetext.SingleLine(message, maxMessage) }

// truncate cuts a text to most bytes.
func truncate(text string) string { return safetext.Cut(text, 100, "...") }
