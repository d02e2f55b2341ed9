package mapcontroller

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/plain"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// answer is a hook's answer, for every kind of hook.
type answer struct {
	outputs   []*krm.Object
	related   []waybill.RelatedRule
	finalized bool
	resync    time.Duration  // 0: no resync
	retry     *time.Duration // the hook has no answer yet
	notes     []applyset.Note
}

// fieldsOf are the fields that an answer to a request may have.
func fieldsOf(r *Request) []string {
	if r.Hook == HookCustomize {
		return []string{"relatedResources"}
	}
	fields := []string{"outputs"}
	if r.Hook == HookFinalize {
		fields = append(fields, "finalized")
	}
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
			return nil, fmt.Errorf("the answer has an unknown field %q", truncate(name, 100))
		}
	}
	if _, is := data[known[0]]; !is {
		return nil, fmt.Errorf("the answer has no %s", known[0])
	}
	if r.Hook == HookCustomize {
		rules, err := readRules(data[known[0]])
		return &answer{related: rules}, err
	}
	list, err := listOf(known[0], data[known[0]])
	if err != nil {
		return nil, err
	}
	a := &answer{}
	if a.outputs, err = readOutputs(list); err != nil {
		return nil, err
	}
	return a, a.readRest(data, known)
}

// readRest reads the fields besides outputs.
func (a *answer) readRest(data map[string]any, known []string) error {
	if v, is := data["finalized"]; is && slices.Contains(known, "finalized") {
		if a.finalized, is = v.(bool); !is && v != nil {
			return fmt.Errorf("finalized is neither true nor false")
		}
	}
	if v, is := data["resyncAfterSeconds"]; is && slices.Contains(known, "resyncAfterSeconds") {
		seconds, is := plain.Number(v)
		if !is && v != nil {
			return fmt.Errorf("resyncAfterSeconds is no number")
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

// listOf reads a list; null is an empty one, as some languages write it.
func listOf(name string, v any) ([]any, error) {
	list, is := v.([]any)
	if !is && v != nil {
		return nil, fmt.Errorf("%s is no list", name)
	}
	if len(list) > maxOutputs {
		return nil, fmt.Errorf("%s has more than %d elements", name, maxOutputs)
	}
	return list, nil
}

// readOutputs converts a list to objects.
func readOutputs(list []any) ([]*krm.Object, error) {
	out := make([]*krm.Object, 0, len(list))
	for i, v := range list {
		switch v := v.(type) {
		case nil:
			return nil, fmt.Errorf("outputs[%d] is null", i)
		case map[string]any:
			n, err := plain.ToNode(v)
			if err != nil {
				return nil, fmt.Errorf("outputs[%d]: %w", i, err)
			}
			out = append(out, krm.FromNode(n))
		default:
			return nil, fmt.Errorf("outputs[%d] is no object", i)
		}
	}
	return out, nil
}

// readRules reads the rules of a customize hook.
func readRules(v any) ([]waybill.RelatedRule, error) {
	list, err := listOf("relatedResources", v)
	if err != nil {
		return nil, err
	}
	if len(list) > maxRules {
		return nil, fmt.Errorf("relatedResources has more than %d elements", maxRules)
	}
	at, rules := field.NewPath("relatedResources"), make([]waybill.RelatedRule, len(list))
	for i, v := range list {
		if _, is := v.(map[string]any); !is {
			return nil, fmt.Errorf("%s is no object", at.Index(i))
		}
		n, err := plain.ToNode(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at.Index(i), err)
		}
		if err := krm.DecodeNode(n, at.Index(i), &rules[i]); err != nil {
			return nil, err
		}
	}
	return rules, nil
}

// oneLine puts a message on one line of bounded length.
func oneLine(message string) string {
	return truncate(strings.Join(strings.Fields(truncate(message, 2*maxMessage)), " "), maxMessage)
}

// truncate cuts a text to most bytes.
func truncate(text string, most int) string { return safetext.Cut(text, most, "...") }
