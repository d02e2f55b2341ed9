package mapcontroller_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

func TestStatusCounts(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "x: one, w: two")
	w.input("b", "x: three")
	w.put(copies)
	w.start()
	w.awaitProbes("at first", map[string]any{"p-a-x": probe("one"), "p-a-w": probe("two"), "p-b-x": probe("three")})
	for name, status := range map[string]string{"p-a-x": "True", "p-a-w": "False"} {
		_, err := w.Kubectl(t, w.Admin(), "", "patch", "probes."+group, name, "-n", w.namespace, "--subresource=status", "--type=merge",
			"-p", `{"status":{"conditions":[{"type":"Ready","status":"`+status+`"}]}}`)
		w.must(err)
	}
	w.edit(group+"/v1", "Policy", "p", `{"spec":{"interval":9007199254740993,"more":1}}`)
	want := "map[inputs:map[configmaps:map[total:2]] observedGeneration:2 outputs:map[probes:map[detached:0 ready:1 total:3]]]"
	w.eventually("conditions are counted", func() string { return cmp.Diff(want, w.at(group+"/v1", "Policy", "p", "status")) })
	w.put(strings.Replace(copies, "hooks:", "statusMode: Report\n  hooks:", 1))
	w.eventually("the change is seen", func() string {
		return cmp.Diff("2", w.at(waybill.APIVersion, waybill.KindMapController, "copies", "status", "observedGeneration"))
	})
	w.remove("v1", "ConfigMap", "b")
	w.awaitProbes("one less", map[string]any{"p-a-x": probe("one"), "p-a-w": probe("two")})
	if diff := cmp.Diff(want, w.at(group+"/v1", "Policy", "p", "status")); diff != "" {
		t.Errorf("statusMode Report writes the status (-want +got):\n%s", diff)
	}
}

// TestStatusDroppedBySchema has a type of parents whose schema drops fields of the status.
func TestStatusDroppedBySchema(t *testing.T) {
	w := newEnvironment(t)
	h := newHook(t)
	w.put(strings.Replace(policy, "kind: Policy", "kind: Narrow", 1))
	w.input("a", "x: one")
	w.put(strings.Replace(byWebhook(h, ""), "resource: policies", "resource: narrows", 1))
	w.start()
	w.awaitProbes("mapped", map[string]any{"p-a-x": probe("one")})
	w.eventually("there is room for some of it", func() string {
		return cmp.Diff("map[inputs:map[configmaps:map[total:1]]]", w.at(group+"/v1", "Narrow", "p", "status"))
	})
	time.Sleep(200 * time.Millisecond) // what is on its way
	asked, version := len(h.requestTimes("a")), w.at(group+"/v1", "Narrow", "p", "metadata", "resourceVersion")
	time.Sleep(300 * time.Millisecond)
	if n := len(h.requestTimes("a")); n != asked || w.at(group+"/v1", "Narrow", "p", "metadata", "resourceVersion") != version {
		t.Errorf("it is written again and again: %d questions", n-asked)
	}
	w.awaitReady("copies", "True")
}
