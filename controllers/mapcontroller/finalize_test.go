package mapcontroller_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// finalizing keeps the Probe of a deleted parent for as long as its input says so.
const finalizing = copies + `    finalize:
      cel:
        expression: |
          input.data.hold == "yes"
            ? {"finalized": false, "outputs": outputs["Probe.map.example.org/v1"].map(k, outputs["Probe.map.example.org/v1"][k])}
            : {"finalized": true, "outputs": []}
`

func TestFinalize(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "hold: 'yes'")
	w.put(finalizing)
	stop := w.start()
	w.awaitProbes("at first", map[string]any{"p-a-hold": probe("yes")})
	finalizers := func() string { return w.at(group+"/v1", "Policy", "p", "metadata", "finalizers") }
	if diff := cmp.Diff("[waybill.dev/copies]", finalizers()); diff != "" {
		t.Errorf("the parent's finalizers (-want +got):\n%s", diff)
	}
	w.remove(group+"/v1", "Policy", "p")
	w.eventually("it is asked", func() string { return cmp.Diff("[waybill.dev/copies]", finalizers()) })
	stop()
	w.start()
	w.awaitProbes("the hook is not done", map[string]any{"p-a-hold": probe("yes")})
	w.input("a", "hold: 'no'")
	w.awaitProbes("now it is", map[string]any{})
	w.eventually("and the parent may go", func() string { return cmp.Diff("gone", w.at(group+"/v1", "Policy", "p", "metadata")) })
}

// newFinalizing is a environment where the finalizing MapController made one output with the value hold.
func newFinalizing(t *testing.T, hold string) *environment {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "hold: '"+hold+"'")
	w.put(finalizing)
	w.start()
	w.awaitProbes("at first", map[string]any{"p-a-hold": probe(hold)})
	return w
}

// misspelt is policy with a selector that matches nothing, and with annotations.
const misspelt = "{apiVersion: map.example.org/v1, kind: Policy, metadata: {name: p, namespace: NAMESPACE%s}, " +
	"spec: {interval: 9007199254740993, selector: {matchLabels: {colr: red}}}}"

// TestAllowedByMapController allows empty selections by an annotation of the MapController, which does not change its
// generation.
func TestAllowedByMapController(t *testing.T) {
	w := newFinalizing(t, "no")
	w.put(fmt.Sprintf(misspelt, ""))
	w.eventually("the MapController says so", func() string {
		if got := w.ready("copies", "Ready"); !strings.Contains(got, "similar: color=red") {
			return got
		}
		return ""
	})
	w.put(strings.Replace(finalizing, "{name: copies}", "{name: copies, annotations: {waybill.dev/allow-empty-selection: 'true'}}", 1))
	w.awaitProbes("now it is meant", map[string]any{})
}

// TestSelectsNothing lets selectors match nothing, one after another: all outputs stay until an annotation allows it.
func TestSelectsNothing(t *testing.T) {
	w, there := newFinalizing(t, "no"), map[string]any{"p-a-hold": probe("no")}
	awaitError := func(want string) {
		t.Helper()
		w.eventually("the MapController says so", func() string {
			if got := w.ready("copies", "Ready"); !strings.Contains(got, want) {
				return got
			}
			return ""
		})
		w.awaitProbes("and nothing goes", there)
	}
	w.put(strings.Replace(finalizing, "resource: policies}", "resource: policies, labelSelector: {matchLabels: {a: b}}}", 1))
	awaitError("spec.parentResource.labelSelector matches no Policy: a=b")
	w.put(finalizing)
	w.eventually("all is well again", func() string { return cmp.Diff("True Mapping: all parents are mapped", w.ready("copies", "Ready")) })
	w.put(fmt.Sprintf(misspelt, ""))
	awaitError("selects no ConfigMap any more, but outputs made from it exist; they stay: nothing matches colr=red; similar: color=red")
	w.put(fmt.Sprintf(misspelt, ", annotations: {waybill.dev/allow-empty-selection: 'true'}"))
	w.awaitProbes("now it is meant", map[string]any{})
}

func TestFinalizerIsTakenAway(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		do     func(*environment)
		left   string
	}{
		"Deselected": {"a parent that is no longer selected is finalized, and stays", func(w *environment) {
			w.input("a", "hold: 'no'")
			w.put("{apiVersion: map.example.org/v1, kind: Policy, metadata: {name: other, namespace: NAMESPACE, labels: {a: b}}, spec: {selector: {matchLabels: {no: such}}}}")
			w.put(strings.Replace(finalizing, "resource: policies}", "resource: policies, labelSelector: {matchLabels: {a: b}}}", 1))
		}, "<nil>"},
		"Allowed": {"nor does it while none is selected, if that is meant", func(w *environment) {
			w.input("a", "hold: 'no'")
			w.put(strings.Replace(strings.Replace(finalizing, "resource: policies}", "resource: policies, labelSelector: {matchLabels: {a: b}}}", 1),
				"{name: copies}", "{name: copies, annotations: {waybill.dev/allow-empty-selection: 'true'}}", 1))
		}, "<nil>"},
		"HookRemoved":       {"without a hook there is nothing to wait for", func(w *environment) { w.put(copies) }, "<nil>"},
		"ControllerDeleted": {"nor without the MapController", func(w *environment) { w.remove("waybill.dev/v1alpha1", "MapController", "copies") }, "<nil>"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newFinalizing(t, "yes")
			tc.do(w)
			w.eventually(tc.reason, func() string { return cmp.Diff(tc.left, w.at(group+"/v1", "Policy", "p", "metadata", "finalizers")) })
			if name == "ControllerDeleted" {
				w.eventually("which goes", func() string {
					return cmp.Diff("gone", w.at("waybill.dev/v1alpha1", "MapController", "copies", "metadata"))
				})
				w.awaitProbes("and leaves its outputs", map[string]any{"p-a-hold": probe("yes")})
			}
		})
	}
}
