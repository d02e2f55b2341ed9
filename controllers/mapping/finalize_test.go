package mapping_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// finalizing keeps the Probe of a parent that goes for as long as its input says so.
const finalizing = copies + `    finalize:
      cel:
        expression: |
          input.data.hold == "yes"
            ? {"finalized": false, "outputs": outputs["Probe.map.example.org/v1"].map(k, outputs["Probe.map.example.org/v1"][k])}
            : {"finalized": true, "outputs": []}
`

func TestFinalize(t *testing.T) {
	w := newWorld(t)
	w.put(policy)
	w.input("a", "hold: 'yes'")
	w.put(finalizing)
	stop := w.start()
	w.settled("at first", map[string]any{"p-a-hold": probe("yes")})
	finalizers := func() string { return w.at(group+"/v1", "Policy", "p", "metadata", "finalizers") }
	if diff := cmp.Diff("[waybill.dev/copies]", finalizers()); diff != "" {
		t.Errorf("the parent's finalizers (-want +got):\n%s", diff)
	}
	w.remove(group+"/v1", "Policy", "p")
	w.eventually("it is asked", func() string { return cmp.Diff("[waybill.dev/copies]", finalizers()) })
	stop()
	w.start()
	w.settled("the hook is not done", map[string]any{"p-a-hold": probe("yes")})
	w.input("a", "hold: 'no'")
	w.settled("now it is", map[string]any{})
	w.eventually("and the parent may go", func() string { return cmp.Diff("gone", w.at(group+"/v1", "Policy", "p", "metadata")) })
}

func TestFinalizerIsTakenAway(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		do     func(*world)
		left   string
	}{
		"Deselected": {"a parent that is selected no more is finalized, and stays", func(w *world) {
			w.input("a", "hold: 'no'")
			w.put(strings.Replace(finalizing, "resource: policies}", "resource: policies, labelSelector: {matchLabels: {a: b}}}", 1))
		}, "<nil>"},
		"HookRemoved":       {"without a hook there is nothing to wait for", func(w *world) { w.put(copies) }, "<nil>"},
		"ControllerDeleted": {"nor without the MapController", func(w *world) { w.remove("waybill.dev/v1alpha1", "MapController", "copies") }, "<nil>"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.put(policy)
			w.input("a", "hold: 'yes'")
			w.put(finalizing)
			w.start()
			w.settled("at first", map[string]any{"p-a-hold": probe("yes")})
			tc.do(w)
			w.eventually(tc.reason, func() string { return cmp.Diff(tc.left, w.at(group+"/v1", "Policy", "p", "metadata", "finalizers")) })
			if name == "ControllerDeleted" {
				w.eventually("which goes", func() string {
					return cmp.Diff("gone", w.at("waybill.dev/v1alpha1", "MapController", "copies", "metadata"))
				})
				w.settled("and leaves its outputs", map[string]any{"p-a-hold": probe("yes")})
			}
		})
	}
}
