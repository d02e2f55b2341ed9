package combinedstatus_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/combinedstatus"
)

// newWithDeployments is a testCluster with two Deployments in two clusters, which report 1 and 2 ready replicas of each.
func newWithDeployments(t testing.TB) *testCluster {
	w := newTestCluster(t, clustertest.Shared(t))
	for _, name := range []string{"web", "db"} {
		w.deployment(name)
		for i, cluster := range []string{"edge1", "edge2"} {
			w.cluster(cluster)
			w.put(workStatuses, w.report(cluster, name, m{"replicas": int64(3), "readyReplicas": int64(i + 1)}))
		}
	}
	w.collector("sum", sumOf("returned.status.readyReplicas"))
	w.collector("list", m{"select": []any{m{"name": "c", "def": "inventory.name"}}})
	return w
}

func sumOf(subject string) m {
	return m{"combinedFields": []any{m{"name": "ready", "type": "SUM", "subject": subject}}}
}

// condition is that of a Binding.
func (w *testCluster) condition(binding string) string {
	w.Helper()
	status, _ := w.get(bindings, "", binding).Object["status"].(m)
	conditions, _ := status["conditions"].([]any)
	var out []string
	for _, c := range conditions {
		one := c.(m)
		out = append(out, fmt.Sprintf("%v %v %v: %v", one["type"], one["status"], one["reason"], one["message"]))
	}
	return strings.Join(out, "\n")
}

const available = "StatusCollectorsAvailable True ReconcileSuccess: All StatusCollector(s) are available"

// TestReconcile changes everything that a result depends on, one after the other.
func TestReconcile(t *testing.T) {
	w := newWithDeployments(t)
	both := []string{"edge1", "edge2"}
	w.binding("p", both, w.entry(deployments, "web", collected("sum", "list")), w.entry(deployments, "db", m{}))
	w.start()
	results := func() string { return w.results("web") }
	condition := func() string { return w.condition("p") }
	w.eventually("first of all", "p list: edge1, edge2\np sum: 3", results)
	w.eventually("Bindings say so", available, condition)

	w.put(workStatuses, w.report("edge2", "web", m{"readyReplicas": int64(5)}))
	w.eventually("a report is another one", "p list: edge1, edge2\np sum: 6", results)
	w.delete(workStatuses, "edge1", "web")
	w.collector("sum", sumOf("has(returned.status.readyReplicas) ? returned.status.readyReplicas : 100"))
	w.eventually("one is gone, and a collector is another one", "p list: edge1, edge2\np sum: 105", results)

	w.collector("sum", m{"filter": "nonsense("})
	w.eventually("a collector is invalid", "p list: edge1, edge2", results)
	w.eventually("its Bindings say so", "StatusCollectorsAvailable False ReconcileError: Missing StatusCollector(s) [sum]", condition)
	errs := func() string {
		status, _ := w.get(collectors, "", "sum").Object["status"].(m)
		found, _ := status["errors"].([]any)
		return fmt.Sprint(len(found), status["observedGeneration"])
	}
	w.eventually("and it does, too", "1 0", errs)
	w.collector("sum", sumOf("obj.spec.replicas"))
	w.eventually("it is valid again, and looks at the object", "p list: edge1, edge2\np sum: 6", results)
	w.eventually("nothing is said any more", "0 0", errs)
	w.edit(deployments, w.namespace, "web", func(obj m) { obj["spec"].(m)["replicas"] = int64(7) })
	w.eventually("the object is another one", "p list: edge1, edge2\np sum: 14", results)
	w.delete(collectors, "", "list")
	w.eventually("a collector is gone", "p sum: 14", results)
	w.eventually("and missing", "StatusCollectorsAvailable False ReconcileError: Missing StatusCollector(s) [list]", condition)

	w.binding("q", both[:1], w.entry(deployments, "web", collected("none")))
	w.eventually("there is a result without results", "p sum: 14\nq: nothing", results)
	w.binding("p", both[:1], w.entry(deployments, "web", collected("sum")))
	w.eventually("a Binding has another destination", "p sum: 7\nq: nothing", results)
	w.eventually("and misses nothing", available, condition)
	w.binding("p", both[:1], w.entry(deployments, "web", m{}))
	w.eventually("it no longer requests anything", "q: nothing", results)
	w.delete(bindings, "", "q")
	w.eventually("a Binding is gone", "", results)
}

// TestEditedByOthers edits results; all is put right but what others added.
func TestEditedByOthers(t *testing.T) {
	w := newWithDeployments(t)
	w.binding("p", []string{"edge1", "edge2"}, w.entry(deployments, "web", collected("sum")))
	w.put(combinedStatuses, m{"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "CombinedStatus", "metadata": m{"namespace": w.namespace, "name": "mine", "labels": m{"status.kubestellar.io/name": "mine"}}})
	w.put(combinedStatuses, m{"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "CombinedStatus", "metadata": m{"namespace": w.namespace, "name": "stale", "labels": m{
		"status.kubestellar.io/api-group": "apps", "status.kubestellar.io/resource": "deployments", "status.kubestellar.io/namespace": w.namespace, "status.kubestellar.io/name": "db", "status.kubestellar.io/binding-policy": "p"}}})
	w.start()
	want := func() map[string]m {
		out := w.oneShot()
		for _, one := range out {
			one["metadata"].(m)["labels"].(m)["team"] = "shop"
		}
		out[w.namespace+"/mine"] = m{"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "CombinedStatus", "metadata": m{"namespace": w.namespace, "name": "mine", "labels": m{"status.kubestellar.io/name": "mine"}}}
		return out
	}
	right := func() string { return cmp.Diff(want(), w.combined()) }
	w.eventually("what is not due goes", "p sum: 3", func() string { return w.results("web") + w.results("db") })
	name := ""
	for _, obj := range w.list(combinedStatuses) {
		if obj.GetName() != "mine" {
			name = obj.GetName()
		}
	}
	edits := map[string]func(m){
		"other results": func(obj m) {
			obj["results"].([]any)[0].(m)["rows"] = []any{}
		},
		"no results": func(obj m) { delete(obj, "results") },
		"no owner":   func(obj m) { delete(obj["metadata"].(m), "ownerReferences") },
		"no label":   func(obj m) { delete(obj["metadata"].(m)["labels"].(m), "status.kubestellar.io/resource") },
		"a label that is another's": func(obj m) {
			obj["metadata"].(m)["labels"].(m)["status.kubestellar.io/name"] = "db"
		},
	}
	w.edit(combinedStatuses, w.namespace, name, func(obj m) { obj["metadata"].(m)["labels"].(m)["team"] = "shop" })
	for reason, edit := range edits {
		w.edit(combinedStatuses, w.namespace, name, edit)
		w.eventually(reason, "", right)
	}
	w.delete(combinedStatuses, w.namespace, name)
	w.eventually("it is deleted", "p sum: 3", func() string { return w.results("web") })

	w.edit(bindings, "", "p", func(m) {})
	if _, err := w.Kubectl(t, w.Admin(), "", "patch", "bindings.control.kubestellar.io", "p", "--subresource=status", "--type=merge", "-p",
		`{"status":{"observedGeneration":4,"errors":["a template"],"conditions":[{"type":"Other","status":"True","reason":"R","message":"m"}]}}`); err != nil {
		t.Fatal(err)
	}
	w.eventually("a transport wrote over the condition", "Other True R: m\n"+available, func() string { return w.condition("p") })
	if got := fmt.Sprint(w.get(bindings, "", "p").Object["status"].(m)["observedGeneration"], w.get(bindings, "", "p").Object["status"].(m)["errors"]); got != "4 [a template]" {
		t.Errorf("what others say is lost: %s", got)
	}
}

// TestNoWritesWithoutChange changes what matters to no result, then something that matters to one. All others stand still.
func TestNoWritesWithoutChange(t *testing.T) {
	w := newWithDeployments(t)
	w.collector("broken", m{"filter": "nonsense("})
	w.collector("nan", m{"filter": "false", "combinedFields": []any{m{"name": "avg", "type": "AVG", "subject": "1"}}})
	w.binding("p", []string{"edge1", "edge2"}, w.entry(deployments, "web", collected("sum", "nan", "broken")))
	w.binding("q", []string{"edge1"}, w.entry(deployments, "db", collected("sum")))
	w.start()
	w.eventually("all is there", "p nan: NaN\np sum: 3", func() string { return w.results("web") })
	w.eventually("so is the other", "q sum: 1", func() string { return w.results("db") })
	w.eventually("and the conditions", available, func() string { return w.condition("q") })
	w.eventually("both of them", "StatusCollectorsAvailable False ReconcileError: Missing StatusCollector(s) [broken]", func() string { return w.condition("p") })
	w.eventually("and the error", "true", func() string { return fmt.Sprint(w.get(collectors, "", "broken").Object["status"] != nil) })
	before := w.versions()
	w.put(workStatuses, w.report("edge1", "web", m{"replicas": int64(9), "readyReplicas": int64(1)}))
	w.edit(workStatuses, "edge2", "web", func(obj m) { obj["metadata"].(m)["labels"] = m{"a": "b"} })
	w.put(workStatuses, w.report("edge2", "db", m{"readyReplicas": int64(9)}))
	w.edit(collectors, "", "list", func(obj m) { obj["metadata"].(m)["labels"] = m{"a": "b"} })
	for ready := range int64(2) {
		w.put(workStatuses, w.report("edge1", "db", m{"readyReplicas": 5 + ready}))
		w.eventually("the last of it shows", fmt.Sprintf("q sum: %d", 5+ready), func() string { return w.results("db") })
	}
	after := w.versions()
	for name := range after {
		if strings.HasSuffix(name, ".qq") || name == "statuscollectors /list" { // what was meant
			delete(before, name)
			delete(after, name)
		}
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("written without need (-before +after):\n%s", diff)
	}
}

// generation counts the writes of the one CombinedStatus about a Deployment.
func (w *testCluster) generation(name string) int64 {
	w.Helper()
	for _, obj := range w.list(combinedStatuses) {
		if obj.GetLabels()["status.kubestellar.io/name"] == name {
			return obj.GetGeneration()
		}
	}
	return 0
}

// TestInterval changes what one result is made of, again and again: it is written once in each interval.
func TestInterval(t *testing.T) {
	w := newWithDeployments(t)
	w.binding("p", []string{"edge1", "edge2"}, w.entry(deployments, "web", collected("sum")))
	const interval = 500 * time.Millisecond
	w.start(func(o *combinedstatus.Options) { o.Interval = interval })
	w.eventually("it begins", "p sum: 3", func() string { return w.results("web") })
	began, before := time.Now(), w.generation("web")
	for i := range int64(200) {
		w.put(workStatuses, w.report("edge1", "web", m{"readyReplicas": i}))
	}
	w.eventually("it ends", "p sum: 201", func() string { return w.results("web") })
	intervals := int64(time.Since(began)/interval) + 2 // the one before, the one begun
	if writes := w.generation("web") - before; writes > intervals || writes < 1 {
		t.Errorf("%d writes in %d intervals", writes, intervals)
	}
}
