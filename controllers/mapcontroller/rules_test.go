package mapcontroller_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/mapcontroller"
)

func TestVersionBump(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "x: one")
	w.put(copies)
	w.start()
	w.awaitProbes("at first", map[string]any{"p-a-x": probe("one")})
	uid := w.at(group+"/v1", "Probe", "p-a-x", "metadata", "uid")
	bumped := strings.NewReplacer("{apiVersion: map.example.org/v1, resource: probes}", "{apiVersion: map.example.org/v2, kind: Probe}",
		`"map.example.org/v1", "kind": "Probe"`, `"map.example.org/v2", "kind": "Probe"`, "input.data[k]", "input.data[k] + '!'").Replace(copies)
	w.put(bumped)
	w.awaitProbes("another version", map[string]any{"p-a-x": probe("one!")})
	if got := w.at(group+"/v1", "Probe", "p-a-x", "metadata", "uid"); got != uid {
		t.Error("it was recreated")
	}
	w.put(strings.ReplaceAll(bumped, "map.example.org/v2", "map.example.org/v3"))
	w.awaitReady("copies", "False NotServed")
	w.awaitProbes("a version that no API server serves deletes nothing", map[string]any{"p-a-x": probe("one!")})
}

func TestObjectInTheWay(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "x: one, w: two")
	w.put(`{apiVersion: map.example.org/v1, kind: Probe, metadata: {name: p-a-x, namespace: NAMESPACE}, spec: {mine: true}}`)
	w.put(copies)
	w.start()
	if got := w.awaitEvent("p", "exists, and was not made from"); !strings.HasPrefix(got, "Warning SyncError copies: map(/ConfigMap/") {
		t.Errorf("the event: %s", got)
	}
	w.awaitReady("copies", "False Failing: 1 of the parents have errors")
	w.awaitProbes("it is left alone", map[string]any{"p-a-x": map[string]any{"mine": true}})
	w.input("b", "x: three")
	w.awaitProbes("and others are mapped", map[string]any{"p-a-x": map[string]any{"mine": true}, "p-b-x": probe("three")})
	w.remove(group+"/v1", "Probe", "p-a-x")
	w.awaitProbes("it is out of the way", map[string]any{"p-a-x": probe("one"), "p-a-w": probe("two"), "p-b-x": probe("three")})
	w.awaitReady("copies", "True")
}

func TestTombstone(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "keep: one, x: two")
	w.input("b", "x: three")
	w.put(copies + `    tombstone: {cel: {expression: 'outputs["Probe.map.example.org/v1"].map(k, outputs["Probe.map.example.org/v1"][k]).filter(o, o.metadata.name.endsWith("keep"))'}}` + "\n")
	stop := w.start()
	w.awaitProbes("at first", map[string]any{"p-a-keep": probe("one"), "p-a-x": probe("two"), "p-b-x": probe("three")})
	w.remove("v1", "ConfigMap", "a")
	kept := map[string]any{"p-a-keep": probe("one"), "p-b-x": probe("three")}
	w.awaitProbes("one is kept", kept)
	stop()
	stop = w.start()
	w.input("b", "x: four")
	kept["p-b-x"] = probe("four")
	w.awaitProbes("for as long as it takes", kept)
	w.edit(group+"/v1", "Probe", "p-a-keep", `{"metadata":{"annotations":{"waybill.dev/keep":"true"}}}`)
	w.put(copies)
	w.eventually("without the hook it is let go, as its annotation asks", func() string {
		return cmp.Diff("map[waybill.dev/keep:true]", w.at(group+"/v1", "Probe", "p-a-keep", "metadata", "annotations"))
	})
	stop()
}

func TestSelfExclusion(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.put(`{apiVersion: map.example.org/v1, kind: Probe, metadata: {name: seed, namespace: NAMESPACE, labels: {color: red}}, data: {x: one}}`)
	w.put(strings.NewReplacer("{apiVersion: v1, resource: configmaps, labelSelector: {matchLabels: {input: \"yes\"}}}", "{apiVersion: map.example.org/v1, resource: probes}",
		`+ "-" + k}`, `+ "-" + k, "labels": {"color": "red"}}, "data": input.data`).Replace(copies))
	w.start()
	want := map[string]any{"seed": nil, "p-seed-x": probe("one")}
	w.awaitProbes("one of one", want)
	time.Sleep(300 * time.Millisecond) // nothing should come, and nothing tells when it does not
	if diff := cmp.Diff(want, w.probes()); diff != "" {
		t.Errorf("it feeds on itself (-want +got):\n%s", diff)
	}
}

func TestUpdateMethods(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "x: one")
	w.put(strings.Replace(copies, "resource: probes}", "resource: probes, updateStrategy: {method: Recreate}}", 1))
	w.start()
	w.awaitProbes("at first", map[string]any{"p-a-x": probe("one")})
	uid := w.at(group+"/v1", "Probe", "p-a-x", "metadata", "uid")
	w.input("a", "x: two")
	w.awaitProbes("recreated", map[string]any{"p-a-x": probe("two")})
	if now := w.at(group+"/v1", "Probe", "p-a-x", "metadata", "uid"); now == uid {
		t.Error("it is the same object")
	}
	w.put(strings.Replace(copies, "resource: probes}", "resource: probes, updateStrategy: {method: OnDelete}}", 1))
	w.input("a", "x: three, k: new")
	w.awaitProbes("it waits until another client deletes it", map[string]any{"p-a-x": probe("two"), "p-a-k": probe("new")})
	w.remove(group+"/v1", "Probe", "p-a-x")
	w.awaitProbes("that happens", map[string]any{"p-a-x": probe("three"), "p-a-k": probe("new")})
}

func TestLargeStateIsKept(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	large := strings.Repeat("0123456789abcdef", 5<<10)
	w.input("a", "x: "+large+", w: short")
	w.put(strings.Replace(copies, `"spec": {`, `"extra": has(input.data.more) ? {"more": 1} : {}, "spec": {`, 1))
	w.start(func(o *mapcontroller.Options) { o.Parallel = 1 })
	w.awaitProbes("at first", map[string]any{"p-a-x": probe(large), "p-a-w": probe("short")})
	w.input("a", "x: "+large+", more: short")
	w.eventually("a field more", func() string { return cmp.Diff("map[more:1]", w.at(group+"/v1", "Probe", "p-a-x", "extra")) })
	w.input("a", "x: "+large)
	w.eventually("and gone again", func() string { return cmp.Diff("map[]", w.at(group+"/v1", "Probe", "p-a-x", "extra")) })
	if got := w.at(group+"/v1", "Probe", "p-a-x", "metadata", "annotations", "waybill.dev/last-known"); got != "<nil>" {
		t.Errorf("the annotation has %d bytes", len(got))
	}
}
