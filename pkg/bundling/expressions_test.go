package bundling

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
	"github.com/google/go-cmp/cmp"
	workv1 "open-cluster-management.io/api/work/v1"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
)

// TestExpressions evaluates the rules that works carry the way an agent does, and reads the result
// the way a rollout does.
func TestExpressions(t *testing.T) {
	agent := newAgent(t)
	for name, tc := range onCluster {
		t.Run(name, func(t *testing.T) {
			rules := emittedRules(t, tc.kind)
			got, err := verdict(agent, rules, decodeObject(t, tc.object))
			if d := cmp.Diff(tc.want, got); d != "" || err != nil {
				t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, d)
			}
		})
	}
}

// TestExpressionsNeverFail takes parts away from objects. No expression may fail: an agent would
// report not Progressing, which is done.
func TestExpressionsNeverFail(t *testing.T) {
	agent, rules := newAgent(t), map[string][]program{}
	names := slices.Sorted(maps.Keys(onCluster))
	for _, tc := range onCluster {
		rules[tc.kind] = emittedRules(t, tc.kind)
	}
	rapid.Check(t, func(r *rapid.T) {
		tc := onCluster[rapid.SampledFrom(names).Draw(r, "object")]
		o := decodeObject(r, tc.object)
		removeFields(r, o["metadata"], true)
		delete(o, rapid.SampledFrom([]string{"spec", "status", ""}).Draw(r, "without"))
		removeFields(r, o["spec"], true)
		removeFields(r, o["status"], tc.kind != "Widget")
		if _, err := verdict(agent, rules[tc.kind], o); err != nil {
			r.Fatalf("%s %v: %v", tc.kind, o, err)
		}
	})
}

// removeFields deletes fields at random, at any depth. firm says that conditions keep what API servers insist
// on for kinds they know: type and status.
func removeFields(r *rapid.T, v any, firm bool) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if rapid.IntRange(0, 3).Draw(r, "take "+key) == 0 {
				delete(v, key)
				continue
			}
			removeFields(r, v[key], firm)
		}
	case []any:
		for _, item := range v {
			m, isMap := item.(map[string]any)
			kept := maps.Clone(m)
			removeFields(r, item, firm)
			if isMap && firm {
				m["type"], m["status"] = kept["type"], kept["status"]
			}
		}
	}
}

// newAgent is CEL as OCM's work agent has it: one variable, the object, whose type is not known.
// The agent adds functions for quantities and the like, which no expression here uses.
func newAgent(t testing.TB) *cel.Env {
	env, err := cel.NewEnv(cel.Variable("object", cel.DynType), ext.Strings(), cel.HomogeneousAggregateLiterals())
	if err != nil {
		t.Fatal(err)
	}
	return env
}

// program is one condition rule.
type program struct {
	condition   string
	expressions []string
}

// emittedRules are the condition rules in the work that brings a KIND called shop/x to a cluster.
func emittedRules(t testing.TB, kind string) (rules []program) {
	apiVersion := map[string]string{"Job": "batch/v1", "Pod": "v1", "Widget": "example.io/v1"}[kind]
	if apiVersion == "" {
		apiVersion = "apps/v1"
	}
	source := fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {namespace: shop, name: x}\n", apiVersion, kind)
	items := fntest.Parse(t, "in.yaml", []byte(source))
	items = append(items, fntest.Parse(t, "binding.yaml", fmt.Appendf(nil, `apiVersion: control.kubestellar.io/v1alpha1
kind: Binding
metadata: {name: shop}
spec:
  workload:
    namespaceScope:
    - {group: %q, version: v1, resource: %ss, namespace: shop, name: x, resourceVersion: ""}
  destinations: [{clusterId: edge1}]
---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: edge1}
`, items[0].Group(), strings.ToLower(kind)))...)
	config := fntest.Parse(t, "config.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {rollout: conditions}\n"))[0]
	out := applyChecked(t, &fn.Input{Items: items, Config: config})
	works := decodeWorks(t, ocmcheck.Works(out.Items))
	if len(works) != 1 {
		t.Fatalf("%d works, want 1: %v", len(works), out.Results)
	}
	for _, w := range works {
		rules = append(rules, programs(w)...)
	}
	return rules
}

func programs(w workv1.ManifestWork) (out []program) {
	for _, rule := range w.Spec.ManifestConfigs[0].ConditionRules {
		out = append(out, program{rule.Condition, rule.CelExpressions})
	}
	return out
}

// verdict is what a rollout makes of rules for an object.
func verdict(agent *cel.Env, rules []program, object map[string]any) (string, error) {
	holds := map[string]bool{}
	for _, rule := range rules {
		holds[rule.condition] = true
		for _, expression := range rule.expressions {
			value, err := evaluate(agent, expression, object)
			if err != nil {
				return "", fmt.Errorf("%s: %w:\n%s", rule.condition, err, expression)
			}
			holds[rule.condition] = holds[rule.condition] && value
		}
	}
	switch {
	case holds["Progressing"] && holds["Degraded"]:
		return fails, nil
	case holds["Progressing"]:
		return waits, nil
	}
	return succeeds, nil
}

func evaluate(agent *cel.Env, expression string, object map[string]any) (bool, error) {
	ast, issues := agent.Compile(expression)
	if issues.Err() != nil {
		return false, issues.Err()
	}
	prg, err := agent.Program(ast)
	if err != nil {
		return false, err
	}
	out, _, err := prg.Eval(map[string]any{"object": object})
	if err != nil {
		return false, err
	}
	value, isBool := out.Value().(bool)
	if !isBool {
		return false, fmt.Errorf("gives %v, which is no boolean", out.Value())
	}
	return value, nil
}

// decodeObject is an object as an agent holds it: whole numbers are integers.
func decodeObject(t rapid.TB, text string) map[string]any {
	object := map[string]any{"metadata": map[string]any{"name": "x", "generation": int64(2)}}
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &object); err != nil {
		t.Fatal(err)
	}
	return integers(object).(map[string]any)
}

func integers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, field := range v {
			v[key] = integers(field)
		}
	case []any:
		for i, item := range v {
			v[i] = integers(item)
		}
	case float64:
		return int64(v)
	}
	return v
}

// applyChecked runs the function and compares every work it makes with the rules of OCM.
func applyChecked(t testing.TB, in *fn.Input) *fn.Output {
	return ocmcheck.Watch(t, Function).Apply(context.Background(), in)
}
