package mapcontroller_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func TestSeveralOnTheSameTypes(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "x: one")
	second := strings.NewReplacer("name: copies", "name: second", `parent.metadata.name + "-"`, `"second-"`).Replace(copies)
	w.put(copies)
	w.put(second)
	w.start()
	w.awaitProbes("both", map[string]any{"p-a-x": probe("one"), "second-a-x": probe("one")})
	w.awaitReady("copies", "True")
	w.awaitReady("second", "True")
	status := "map[inputs:map[configmaps:map[total:1]] observedGeneration:1 outputs:map[probes:map[detached:0 total:1]]]"
	w.eventually("one of them writes the status", func() string { return cmp.Diff(status, w.at(group+"/v1", "Policy", "p", "status")) })
	time.Sleep(200 * time.Millisecond)
	version := w.at(group+"/v1", "Policy", "p", "metadata", "resourceVersion")
	time.Sleep(200 * time.Millisecond)
	if now := w.at(group+"/v1", "Policy", "p", "metadata", "resourceVersion"); now != version {
		t.Error("they write in turns")
	}
	third := strings.NewReplacer("name: copies", "name: third").Replace(copies)
	w.put(third)
	w.awaitReady("third", "False Failing")
	if note := w.awaitEvent("p", "third: "); !strings.Contains(note, "belongs to another owner") {
		t.Errorf("the event: %s", note)
	}
	w.awaitProbes("an output of another MapController stays", map[string]any{"p-a-x": probe("one"), "second-a-x": probe("one")})
	w.remove("waybill.dev/v1alpha1", "MapController", "third")
	w.remove("waybill.dev/v1alpha1", "MapController", "copies")
	w.input("a", "x: two")
	w.awaitProbes("one is left", map[string]any{"p-a-x": probe("one"), "second-a-x": probe("two")})
}

func TestCustomize(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "x: one")
	w.put(`{apiVersion: map.example.org/v1, kind: Fleet, metadata: {name: f}, spec: {level: 1}}`)
	text := strings.Replace(copies, `"value": input.data[k]`, `"value": input.data[k] + string(related["Fleet.map.example.org/v1"]["f"].spec.level)`, 1)
	text = strings.Replace(text, "    map:\n", "    customize: {version: v2, cel: {expression: '[{\"apiVersion\": \"map.example.org/v1\", \"resource\": \"fleets\"}]'}}\n    map:\n      version: v2\n", 1)
	w.put(text)
	stop := w.start()
	w.awaitProbes("with what is related", map[string]any{"p-a-x": probe("one1")})
	if got := w.warnings("p"); len(got) > 0 {
		t.Errorf("to wait for it is no error, but there are events: %v", got)
	}
	w.edit(group+"/v1", "Fleet", "f", `{"spec":{"level":2}}`)
	w.awaitProbes("it changes", map[string]any{"p-a-x": probe("one2")})
	stop()
	w.edit(group+"/v1", "Fleet", "f", `{"spec":{"level":3}}`)
	w.start()
	w.awaitProbes("while no controller runs", map[string]any{"p-a-x": probe("one3")})
}

func TestConflictingWriter(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "x: one")
	w.put(copies)
	w.start()
	w.awaitProbes("at first", map[string]any{"p-a-x": probe("one")})
	for i := range 60 {
		patch := client.RawPatch(types.MergePatchType, fmt.Appendf(nil, `{"metadata":{"labels":{"n":"%d"}},"spec":{"value":"drift"}}`, i))
		w.must(w.Patch(context.Background(), empty(group+"/v1", "Probe", w.namespace, "p-a-x"), patch))
		if i%10 == 0 {
			w.input("a", fmt.Sprintf("x: v%d", i))
		}
	}
	w.awaitProbes("the controller wins once the other client stops", map[string]any{"p-a-x": probe("v50")})
	if got := w.at(group+"/v1", "Probe", "p-a-x", "metadata", "labels", "n"); got != "59" {
		t.Errorf("their label is %q, want 59", got)
	}
	if got := w.warnings("p"); len(got) > 0 {
		t.Errorf("a conflict with another client is no error, but there are events: %v", got)
	}
}
