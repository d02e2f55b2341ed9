package combinedstatus_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/combinedstatus"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// returned is the status of a Deployment, and its labels of those that say where it is from.
func (w *testCluster) returned(name string) string {
	w.Helper()
	obj := w.get(deployments, w.namespace, name)
	text, err := json.Marshal(obj.Object["status"])
	if err != nil {
		w.Fatal(err)
	}
	out := []string{string(text)}
	for _, label := range []string{writeback.SingletonLabel, writeback.MultiLabel} {
		if value, is := obj.GetLabels()[label]; is {
			out = append(out, strings.TrimPrefix(label, "managed-by.kubestellar.io/")+"="+value)
		}
	}
	return strings.Join(out, " ")
}

// TestReturn has statuses go back into Deployments, and leave them again; also after a restart.
func TestReturn(t *testing.T) {
	w := newWithDeployments(t)
	web := func() string { return w.returned("web") }
	one, all := m{"wantSingletonReportedState": true}, m{"wantMultiWECReportedState": true}
	w.binding("p", []string{"edge2"}, w.entry(deployments, "web", one), w.entry(deployments, "db", m{}))
	stop := w.start()
	w.eventually("the status of the one cluster", `{"readyReplicas":2,"replicas":3} singletonstatus=true`, web)
	w.put(workStatuses, w.report("edge2", "web", m{"replicas": int64(3), "readyReplicas": int64(3)}))
	w.eventually("it is another one", `{"readyReplicas":3,"replicas":3} singletonstatus=true`, web)
	w.binding("p", []string{"edge1", "edge2"}, w.entry(deployments, "web", all), w.entry(deployments, "db", m{}))
	w.eventually("the least of both, of which the API server keeps no zeros", `{"readyReplicas":1,"replicas":3} multiwecstatus=true`, web)
	stop()
	before := w.get(deployments, w.namespace, "web").GetResourceVersion()
	w.start()
	w.binding("q", []string{"edge1"}, w.entry(deployments, "db", one))
	w.eventually("another object", `{"readyReplicas":1,"replicas":3} singletonstatus=true`, func() string { return w.returned("db") })
	if after := w.get(deployments, w.namespace, "web").GetResourceVersion(); after != before {
		t.Errorf("the status was written without need: %s", web())
	}
	w.binding("p", []string{"edge1", "edge2"}, w.entry(deployments, "web", one))
	w.eventually("which of the two?", `{}`, web)
	w.delete(bindings, "", "q")
	w.eventually("no Binding requests it", `{}`, func() string { return w.returned("db") })
}

// TestLateKinds starts where neither the kind of the workload nor one that reports is served. What is there
// stays until more is known.
func TestLateKinds(t *testing.T) {
	w := newTestCluster(t, clustertest.Start(t))
	w.cluster("edge1")
	w.binding("p", []string{"edge1"}, w.entry(gadgets, "g", m{"statusCollectors": []any{"sum"}, "wantSingletonReportedState": true}))
	w.collector("sum", sumOf("returned.status.level"))
	w.put(combinedStatuses, m{"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "CombinedStatus", "metadata": m{"namespace": w.namespace, "name": "old", "labels": m{
		"status.kubestellar.io/api-group": "example.com", "status.kubestellar.io/resource": "gadgets", "status.kubestellar.io/namespace": w.namespace, "status.kubestellar.io/name": "g", "status.kubestellar.io/binding-policy": "p"}}})
	w.start()
	w.eventually("it works", available, func() string { return w.condition("p") })
	if got := w.results("g"); got != "p: nothing" {
		t.Errorf("before anything is known about the kind: %q", got)
	}
	w.InstallCRDs(t, "../../testdata/crds/combinedstatus/later")
	w.put(gadgets, m{"apiVersion": "example.com/v1", "kind": "Gadget", "metadata": m{"namespace": w.namespace, "name": "g"}})
	work := m{"apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork", "metadata": m{"namespace": "edge1", "name": "w"}, "status": m{"resourceStatus": m{"manifests": []any{m{
		"resourceMeta":   m{"group": "example.com", "version": "v1", "kind": "Gadget", "resource": "gadgets", "namespace": w.namespace, "name": "g"},
		"statusFeedback": m{"values": []any{m{"name": "level", "fieldValue": m{"type": "Integer", "integer": int64(4)}}}},
	}}}}}
	work["spec"] = m{"manifestConfigs": []any{m{
		"resourceIdentifier": m{"group": "example.com", "resource": "gadgets", "namespace": w.namespace, "name": "g"},
		"feedbackRules":      []any{m{"type": "JSONPaths", "jsonPaths": []any{m{"name": "level", "path": ".status.level"}}}},
	}}}
	w.put(manifestWorks, work)
	w.setStatus(manifestWorks, "edge1", "w", work["status"])
	w.eventually("both kinds have come", "p sum: 4", func() string { return w.results("g") })
	w.eventually("a kind without a status apart has it, too", "map[level:4]", func() string { return fmt.Sprint(w.get(gadgets, w.namespace, "g").Object["status"]) })
	if len(w.list(combinedStatuses)) != 1 {
		t.Errorf("the old one stays:\n%s", w.results("g"))
	}
	w.InstallCRDs(t, "../../testdata/crds/combinedstatus/policies")
	w.policy("p", nil)
	w.binding("p", nil, w.entry(gadgets, "g", m{"wantSingletonReportedState": true}))
	w.eventually("policies have come as well", "0 []: "+strings.NewReplacer("apps", "example.com", "deployments", "gadgets", "Deployment", "Gadget").Replace(w.wrongCount("g=0")),
		func() string { return w.policyStatus("p") })
}

// setStatus writes the status of a kind that has it apart.
func (w *testCluster) setStatus(r schema.GroupVersionResource, namespace, name string, status any) {
	w.Helper()
	obj := w.get(r, namespace, name)
	obj.Object["status"] = status
	if _, err := w.in(r, namespace).UpdateStatus(w.Context(), obj, metav1.UpdateOptions{}); err != nil {
		w.Fatal(err)
	}
}

// TestTwoServers has a hub that is not the home.
func TestTwoServers(t *testing.T) {
	hub, home := newTestCluster(t, clustertest.Start(t)), newTestCluster(t, clustertest.Shared(t))
	hub.namespace = home.namespace
	hub.cluster("edge1")
	home.deployment("web")
	home.collector("sum", sumOf("returned.status.readyReplicas"))
	home.binding("p", []string{"edge1"}, home.entry(deployments, "web", collected("sum")))
	hub.binding("p", []string{"edge1"}, home.entry(deployments, "web", collected("sum")))
	hub.start(func(o *combinedstatus.Options) { o.Home = home.controller() })
	home.eventually("nothing reports", "p sum: ", func() string { return home.results("web") })
	hub.put(workStatuses, hub.report("edge1", "web", m{"readyReplicas": int64(1)}))
	home.eventually("the hub reports, the home shows", "p sum: 1", func() string { return home.results("web") })
	if got := hub.results("web") + hub.condition("p"); got != "" {
		t.Errorf("something was written to the hub: %s", got)
	}
}
