package waybill_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/api/waybill/validation"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const header = "apiVersion: waybill.dev/v1alpha1\nkind: ChangeBudget\nmetadata: {name: careful, namespace: fleet}\n"

// everything has each field there is.
const everything = header + `spec:
  selector: {matchLabels: {tier: prod}, matchExpressions: [{key: region, operator: In, values: [eu]}]}
  maxClusters: 10
  maxObjects: 0
  maxDeletions: 5
status:
  conditions: [{type: Exceeded, status: "True", reason: BudgetExceeded, message: m, lastTransitionTime: "2026-01-01T00:00:00Z"}]
  observedGeneration: 2
`

func object(t testing.TB, text string) *krm.Object {
	t.Helper()
	objects, err := krm.Read("budget.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objects[0]
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func asJSON(t testing.TB, v any) (out any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRoundTripKeepsEveryField(t *testing.T) {
	o := object(t, everything)
	budget, err := waybill.ReadChangeBudget(o)
	if err != nil {
		t.Fatal(err)
	}
	want, err := krm.Value(o.Node())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(asJSON(t, want), asJSON(t, budget)); diff != "" {
		t.Errorf("0 and absent stay apart (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(budget, budget.DeepCopyObject()); diff != "" {
		t.Errorf("in a copy, too (-want +got):\n%s", diff)
	}
}

func TestReadAndValidate(t *testing.T) {
	for name, tc := range map[string]struct{ reason, text, want string }{
		"empty":    {"a budget without limits was meant to have some", header, "spec: Required value: it limits nothing: set maxClusters, maxObjects or maxDeletions"},
		"null":     {"a limit without a value is none", header + "spec: {maxObjects: }", "spec: Required value: it limits nothing: set maxClusters, maxObjects or maxDeletions"},
		"full":     {"every field there is", everything, ""},
		"negative": {"less than nothing cannot be kept", header + "spec: {maxClusters: -1, maxDeletions: -2}", "[spec.maxClusters: Invalid value: -1: must be 0 or more, spec.maxDeletions: Invalid value: -2: must be 0 or more]"},
		"selector": {"a selector that cannot be understood must not select all", header + "spec: {maxObjects: 1, selector: {matchExpressions: [{key: a, operator: Near}]}}", `spec.selector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator`},
		"unknown":  {"a typo is not passed over", header + "spec: {maxCluster: 1}", "ChangeBudget fleet/careful (budget.yaml): spec.maxCluster: Forbidden: unknown field"},
		"fraction": {"things are counted", header + "spec: {maxObjects: 1.5}", "ChangeBudget fleet/careful (budget.yaml): spec.maxObjects: Invalid value: want a whole number, got a number"},
		"group":    {"another group's kind is another kind", "apiVersion: other.dev/v1alpha1\nkind: ChangeBudget\nmetadata: {name: a}\n", `ChangeBudget a (budget.yaml): want apiVersion "waybill.dev/v1alpha1" and kind "ChangeBudget", got "other.dev/v1alpha1"`},
	} {
		t.Run(name, func(t *testing.T) {
			budget, err := waybill.ReadChangeBudget(object(t, tc.text))
			if err == nil {
				if errs := validation.ChangeBudget(budget); len(errs) > 0 {
					err = errs.ToAggregate()
				}
			}
			if diff := cmp.Diff(tc.want, message(err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestSelector(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, spec string
		want         []string // which of prod and test
	}{
		"absent": {"a budget is for all unless it says otherwise", "", []string{"prod", "test"}},
		"empty":  {"as everywhere in Kubernetes", "selector: {}", []string{"prod", "test"}},
		"labels": {"else for those that match", "selector: {matchLabels: {tier: prod}}", []string{"prod"}},
	} {
		t.Run(name, func(t *testing.T) {
			budget, err := waybill.ReadChangeBudget(object(t, header+"spec: {"+tc.spec+"}"))
			if err != nil {
				t.Fatal(err)
			}
			selector, err := budget.Selector()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, tier := range []string{"prod", "test"} {
				if selector.Matches(labels.Set{"tier": tier}) {
					got = append(got, tier)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestExceedReason(t *testing.T) {
	type answer struct {
		Reason string
		May    bool
		Err    string
	}
	for name, tc := range map[string]struct {
		reason string
		in     map[string]string
		want   answer
	}{
		"absent": {"no annotation", map[string]string{"a": "b"}, answer{}},
		"given":  {"the reason is kept", map[string]string{waybill.ExceedBudgetAnnotation: "move to v2"}, answer{"move to v2", true, ""}},
		"lines":  {"a line of its own could pass for a trailer in a commit", map[string]string{waybill.ExceedBudgetAnnotation: " move\nWaybill-Owner: me "}, answer{"move Waybill-Owner: me", true, ""}},
		"empty": {
			"without a reason nothing is overridden", map[string]string{waybill.ExceedBudgetAnnotation: " \n"},
			answer{Err: "metadata.annotations[waybill.dev/exceed-budget]: Required value: say why the budget may be exceeded"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			reason, may, err := waybill.ExceedReason(tc.in)
			if diff := cmp.Diff(tc.want, answer{reason, may, message(err)}); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestSchemeKnowsTheKind(t *testing.T) {
	s := runtime.NewScheme()
	if err := waybill.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"ChangeBudget", "ChangeBudgetList"} {
		if !s.Recognizes(waybill.GroupVersion.WithKind(kind)) {
			t.Errorf("%s is not known", kind)
		}
	}
}

// FuzzRead holds that what is accepted is kept by writing and reading it again, and that a selector
// that Validate lets pass can be used.
func FuzzRead(f *testing.F) {
	f.Add([]byte(everything))
	f.Add([]byte(header + "spec: {maxClusters: -1}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		objects, err := krm.Read("fuzz.yaml", data, krm.Limits{})
		if err != nil {
			return
		}
		for _, o := range objects {
			budget, err := waybill.ReadChangeBudget(o)
			if err != nil {
				continue
			}
			written, err := krm.FromTyped(budget)
			if err != nil {
				t.Fatal(err)
			}
			again, err := waybill.ReadChangeBudget(written)
			if err != nil {
				t.Fatalf("what was written cannot be read: %v", err)
			}
			if diff := cmp.Diff(asJSON(t, budget), asJSON(t, again)); diff != "" {
				t.Errorf("writing and reading again keeps everything (-want +got):\n%s", diff)
			}
			if _, err := budget.Selector(); err != nil && len(validation.ChangeBudget(budget)) == 0 {
				t.Errorf("Validate passes over a selector that cannot be used: %v", err)
			}
		}
	})
}
