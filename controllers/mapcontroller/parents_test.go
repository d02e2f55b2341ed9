package mapcontroller_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// limitPatches allows patches of these Policies only.
func (w *environment) limitPatches(names ...string) {
	w.Helper()
	types := &rbacv1.ClusterRole{}
	w.must(w.Get(w.Context(), client.ObjectKey{Name: "waybill-map-types"}, types))
	for i, rule := range types.Rules {
		if slices.Contains(rule.Resources, "policies") {
			types.Rules[i].Verbs = []string{"list", "watch"}
		}
	}
	types.Rules = append(types.Rules, rbacv1.PolicyRule{APIGroups: []string{group}, Resources: []string{"policies"}, ResourceNames: names, Verbs: []string{"patch"}})
	w.must(w.Update(w.Context(), types))
}

func TestParentThatCannotBePatched(t *testing.T) {
	w := newEnvironment(t)
	w.limitPatches("p")
	w.put(policy)
	w.put(strings.Replace(policy, "name: p,", "name: bad,", 1))
	w.input("a", "hold: 'no'")
	w.put(finalizing)
	w.start()
	w.awaitProbes("one is mapped, and one is not", map[string]any{"p-a-hold": probe("no")})
	w.awaitReady("copies", "False Failing: 1 of the parents have errors")
	w.awaitEvent("bad", "add or remove the finalizer")
	if got := w.warnings("p"); len(got) > 0 {
		t.Errorf("nothing is wrong with the other, but there are events: %v", got)
	}
	w.input("a", "hold: 'yes'")
	w.awaitProbes("and goes on", map[string]any{"p-a-hold": probe("yes")})
	w.grant("map-tests")
	w.awaitProbes("in the end", map[string]any{"p-a-hold": probe("yes"), "bad-a-hold": probe("yes")})
	w.awaitReady("copies", "True")
	w.limitPatches("p")
	w.put(copies)
	w.awaitEvent("bad", "add or remove the finalizer")
	w.eventually("taken from one", func() string { return cmp.Diff("<nil>", w.at(group+"/v1", "Policy", "p", "metadata", "finalizers")) })
	w.input("a", "x: one")
	w.awaitProbes("both are mapped", map[string]any{"p-a-x": probe("one"), "bad-a-x": probe("one")})
	w.grant("map-tests")
	w.awaitReady("copies", "True")
}

// TestParentThatCannotBeReleased deletes a MapController: it releases the other parents all the same.
func TestParentThatCannotBeReleased(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.put(strings.Replace(policy, "name: p,", "name: bad,", 1))
	w.put(finalizing)
	w.start()
	finalizers := func(name string) string { return w.at(group+"/v1", "Policy", name, "metadata", "finalizers") }
	w.eventually("both are bound", func() string {
		return cmp.Diff("[waybill.dev/copies] [waybill.dev/copies]", finalizers("p")+" "+finalizers("bad"))
	})
	w.limitPatches("p")
	w.remove("waybill.dev/v1alpha1", "MapController", "copies")
	w.eventually("one is let go", func() string { return cmp.Diff("<nil>", finalizers("p")) })
	if got := w.awaitReady("copies", "False Failing: it cannot be released"); !strings.Contains(got, "/bad") {
		t.Errorf("the condition does not name the parent: %s", got)
	}
	w.grant("map-tests")
	w.eventually("and all go", func() string {
		return cmp.Diff("gone <nil>", w.at("waybill.dev/v1alpha1", "MapController", "copies", "metadata")+" "+finalizers("bad"))
	})
}

func TestStatusAfterItsOwnerStops(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		stop   func(*environment)
	}{
		"Deleted":   {"it is gone", func(w *environment) { w.remove("waybill.dev/v1alpha1", "MapController", "copies") }},
		"Stalled":   {"it makes no sense any more", func(w *environment) { w.put(strings.Replace(copies, "input.data.map(k, {", "input.data.map(k {", 1)) }},
		"NotServed": {"its inputs are nothing", func(w *environment) { w.put(strings.Replace(copies, "resource: configmaps", "resource: nothings", 1)) }},
		"Silent":    {"it writes none any more", func(w *environment) { w.put(strings.Replace(copies, "hooks:", "statusMode: Report\n  hooks:", 1)) }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnvironment(t)
			w.put(policy)
			w.input("a", "x: one")
			second := strings.NewReplacer("name: copies", "name: second", `parent.metadata.name + "-"`, `"second-"`, "resource: probes", "resource: narrows", `"kind": "Probe"`, `"kind": "Narrow"`).Replace(copies)
			w.put(copies)
			w.start()
			status := func() string { return w.at(group+"/v1", "Policy", "p", "status", "outputs") }
			w.eventually("the first writes", func() string { return cmp.Diff("map[probes:map[detached:0 total:1]]", status()) })
			w.put(second)
			w.awaitReady("second", "True")
			tc.stop(w)
			w.eventually(tc.reason+": the other does", func() string { return cmp.Diff("map[narrows:map[detached:0 total:1]]", status()) })
		})
	}
}
