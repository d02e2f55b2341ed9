package mapcontroller_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/mapcontroller"
)

func TestTypeThatComesAndGoes(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	late := strings.Replace(copies, "inputResources: [", "inputResources: [{apiVersion: map.example.org/v1, resource: lates}, ", 1)
	w.input("a", "x: one")
	w.put(late)
	w.start()
	got := w.awaitReady("copies", "False NotServed")
	if want := "lates"; !strings.Contains(got, want) {
		t.Errorf("the condition does not name the type: %s", got)
	}
	w.awaitProbes("nothing is done by halves", map[string]any{})
	w.InstallCRDs(t, "testdata/late")
	crd := empty("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "lates.map.example.org")
	t.Cleanup(func() { _ = w.Delete(context.Background(), crd) }) // it may be gone
	w.awaitProbes("it is there", map[string]any{"p-a-x": probe("one")})
	w.awaitReady("copies", "True")
	w.put(`{apiVersion: map.example.org/v1, kind: Late, metadata: {name: l, namespace: NAMESPACE, labels: {color: red}}, data: {x: two}}`)
	both := map[string]any{"p-a-x": probe("one"), "p-l-x": probe("two")}
	w.awaitProbes("and counts", both)
	w.must(w.Delete(t.Context(), crd))
	w.awaitReady("copies", "False")
	w.input("b", "x: three")
	w.eventually("it is gone altogether", func() string {
		if got := w.ready("copies", "Ready"); !strings.HasPrefix(got, "False NotServed") && !strings.HasPrefix(got, "False Refused") {
			return got
		}
		return ""
	})
	if diff := cmp.Diff(both["p-l-x"], w.probes()["p-l-x"]); diff != "" {
		t.Errorf("a deleted type counts as deleted inputs (-want +got):\n%s", diff)
	}
}

func TestForbiddenIsReportedAndDeletesNothing(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "x: one")
	w.input("b", "x: two")
	w.put(copies)
	stop := w.start()
	both := map[string]any{"p-a-x": probe("one"), "p-b-x": probe("two")}
	w.awaitProbes("at first", both)
	w.awaitReady("copies", "True")
	stop()
	role := &rbacv1.ClusterRole{}
	w.must(w.Get(t.Context(), client.ObjectKey{Name: "waybill-map-types"}, role))
	role.Rules = role.Rules[1:] // all but inputs
	w.must(w.Update(t.Context(), role))
	w.remove("v1", "ConfigMap", "a")
	w.start()
	got := w.awaitReady("copies", "False Forbidden")
	for _, want := range []string{"configmaps", "rbac.waybill.dev/aggregate-to-map"} {
		if !strings.Contains(got, want) {
			t.Errorf("the condition does not say %q: %s", want, got)
		}
	}
	w.awaitProbes("nothing is deleted", both)
	w.grant("map-tests")
	w.awaitProbes("the right is there", map[string]any{"p-b-x": probe("two")})
	w.awaitReady("copies", "True")
}

func TestWrongSpecIsStalled(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "x: one")
	w.put(strings.Replace(copies, "input.data.map(k, {", "input.data.map(k {", 1))
	w.start()
	w.awaitReady("copies", "False ValidationError: spec.hooks.map.cel.expression")
	if got := w.ready("copies", "Stalled"); !strings.HasPrefix(got, "True ValidationError") {
		t.Errorf("Stalled: %s", got)
	}
	w.put(strings.Replace(copies, "outputResources: [", "outputResources: [{apiVersion: v1, resource: configmaps}, ", 1))
	w.awaitProbes("mended", map[string]any{"p-a-x": probe("one")})
	w.awaitReady("copies", "True")
	if got := w.ready("copies", "Stalled"); !strings.HasPrefix(got, "False Mapping") {
		t.Errorf("Stalled: %s", got)
	}
	w.put(strings.Replace(copies, "outputResources: [", "outputResources: [{apiVersion: v2, resource: configmaps}, ", 1))
	w.awaitReady("copies", "False ")
	w.awaitProbes("what is not understood changes nothing", map[string]any{"p-a-x": probe("one")})
}

func TestParentsInNoNamespace(t *testing.T) {
	w := newEnvironment(t)
	other := w.Cluster.Namespace(t)
	w.put(`{apiVersion: map.example.org/v1, kind: Fleet, metadata: {name: f}, spec: {interval: 1, selector: {matchLabels: {color: red}}}}`)
	w.input("a", "x: one")
	o := w.read("{apiVersion: v1, kind: ConfigMap, metadata: {name: b, labels: {input: 'yes', color: red}}, data: {x: two}}")
	o.SetNamespace(other)
	w.putObject(o)
	fleets := strings.NewReplacer("resource: policies", "resource: fleets", `+ "-" + k}`, `+ "-" + k, "namespace": input.metadata.namespace}`).Replace(copies)
	w.put(fleets)
	stop := w.start()
	specs := func() string {
		out := map[string]string{}
		for _, p := range w.list(group+"/v1", "Probe", "") {
			if p.GetDeletionTimestamp() == nil {
				out[p.GetNamespace()+"/"+p.GetName()] = p.GetOwnerReferences()[0].Kind
			}
		}
		return cmp.Diff(map[string]string{w.namespace + "/f-a-x": "Fleet", other + "/f-b-x": "Fleet"}, out)
	}
	w.eventually("each in the namespace of its input", specs)
	w.awaitReady("copies", "True")
	time.Sleep(100 * time.Millisecond)
	version := w.at(group+"/v1", "Fleet", "f", "metadata", "resourceVersion")
	time.Sleep(200 * time.Millisecond)
	if now := w.at(group+"/v1", "Fleet", "f", "metadata", "resourceVersion"); now != version || w.at(group+"/v1", "Fleet", "f", "status") != "<nil>" {
		t.Error("a type without a status of its own was given one")
	}
	stop()
	w.start(func(o *mapcontroller.Options) { o.Namespaces = []string{w.namespace} })
	w.input("a", "x: one")
	w.edit(group+"/v1", "Fleet", "f", `{"metadata":{"labels":{"new":"one"}}}`)
	w.awaitReady("copies", "True")
	time.Sleep(200 * time.Millisecond)
	if diff := specs(); diff != "" {
		t.Errorf("objects in namespaces that are not watched count as deleted (-want +got):\n%s", diff)
	}
}
