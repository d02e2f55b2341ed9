package mapcontroller

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

const spending = `
apiVersion: waybill.dev/v1alpha1
kind: MapController
metadata: {name: c}
spec:
  parentResource: {apiVersion: example.org/v1, kind: Policy}
  inputResources: [{apiVersion: v1, resource: services}]
  outputResources: [{apiVersion: v1, resource: configmaps}]
  hooks: {map: {cel: {expression: "input.l.map(a, input.l.map(b, a * b)).size() > 0 ? [] : []"}}}
`

// TestBudget checks the limits of one call, and of all calls of a pass.
func TestBudget(t *testing.T) {
	config, err := krm.Read("c.yaml", []byte(spending), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	types, _ := workload.TypesOf(nil)
	c, err := New(config[0], types, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		reason      string
		size, spent int
		want        string
	}{
		"ordinary":     {"a hundred times an ordinary call", 300, 0, ""},
		"too much":     {"one call has a limit", 3000, 0, "it takes more than 10000000 steps"},
		"the last":     {"what is left is enough", 10, maxAllSteps - 10_000, ""},
		"not enough":   {"what is left is not", 300, maxAllSteps - 10_000, "have taken 600000000 steps, the limit"},
		"nothing left": {"no hook is called any more", 1, maxAllSteps, "have taken 600000000 steps, the limit"},
		"overdrawn":    {"answers may cost more than is left", 1, maxAllSteps + 1000, "have taken 600000000 steps, the limit"},
	} {
		t.Run(name, func(t *testing.T) {
			input, err := krm.Read("s.yaml", []byte("{apiVersion: v1, kind: Service, metadata: {name: a}, l: ["+strings.Repeat("1,", tc.size-1)+"1]}"), krm.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			b := &budget{}
			b.spend(tc.spent)
			_, err = c.call(t.Context(), &Request{Hook: HookMap, Input: input[0], Outputs: Association{}, budget: b})
			if (err != nil) != (tc.want != "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: got %v, want %q", tc.reason, err, tc.want)
			}
			if tc.want == "" && int(b.spent.Load()) <= tc.spent {
				t.Errorf("%s: nothing was spent", tc.reason)
			}
			if err != nil && !isPublic(err) {
				t.Errorf("%s: the error must be public", tc.reason)
			}
		})
	}
}

// TestParts checks that the parts of answers are counted.
func TestParts(t *testing.T) {
	if got := partsOf([]any{"a", map[string]any{"b": nil, "c": []any{int64(1)}}}); got != 6 {
		t.Errorf("got %d parts, want 6", got)
	}
}
