package combinedstatus_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/controllers/combinedstatus"
)

// TestWarnings has much that is odd; the log tells of each once, and metrics count what is odd now.
func TestWarnings(t *testing.T) {
	w := newWithDeployments(t)
	again := w.report("edge1", "web", m{"readyReplicas": int64(50)})
	again["metadata"] = m{"namespace": "edge1", "name": "web-again"}
	w.put(workStatuses, again)
	away := w.report("edge2", "away", m{"readyReplicas": int64(50)})
	away["metadata"] = m{"namespace": "edge2", "name": "away", "labels": m{"transport.kubestellar.io/originWdsName": "other"}}
	w.put(workStatuses, away)
	w.collector("null", m{"filter": "null", "select": []any{m{"name": "c", "def": "inventory.name"}}})
	var fleet []string
	for i := range 21 {
		fleet = append(fleet, fmt.Sprint("far", i))
	}
	w.collector("many", m{"select": []any{m{"name": "c", "def": "1"}}})
	w.binding("p", []string{"edge1", "edge2"}, w.entry(deployments, "web", collected("sum", "null")), w.entry(deployments, "db", collected("null")))
	w.binding("q", fleet, w.entry(deployments, "web", collected("many")))
	w.start(func(o *combinedstatus.Options) { o.Engine.WDS = "here" })
	odd := func() string {
		v := w.values()
		return fmt.Sprint(v["warnings report"], v["warnings elsewhere"], v["warnings result"])
	}
	w.eventually("all is counted", "1 1 3", odd)
	const (
		double = `2 reports (WorkStatus) from cluster \"edge1\" about Deployment`
		null   = `StatusCollector \"null\", cluster \"edge1\": the filter is null in 2 of 2 clusters`
		many   = `StatusCollector \"many\": 21 rows are more than spec.limit, 20; all are kept`
		other  = "reports about other workload spaces do not count"
	)
	sum := func() string { return lastLine(strings.Split(w.results("web"), "\nq ")[0]) }
	for i := range int64(3) {
		w.put(workStatuses, w.report("edge2", "web", m{"readyReplicas": 20 + i}))
		w.eventually("the first by name counts", fmt.Sprintf("p sum: %d", 21+i), sum)
	}
	for _, what := range []string{double, null, many, other} {
		if n := strings.Count(w.log.String(), what); n != 1 {
			t.Errorf("%s: logged %d times", what, n)
		}
	}
	w.delete(workStatuses, "edge1", "web-again")
	w.delete(workStatuses, "edge2", "away")
	w.delete(collectors, "", "null")
	w.eventually("it is gone", "0 0 1", odd)
}

// TestReportNamespace has an object without a namespace, about which results stand in one of their own.
func TestReportNamespace(t *testing.T) {
	w := newWithDeployments(t)
	t.Cleanup(func() { w.endNamespace("kubestellar-report") })
	const tells = "results cannot be written because a namespace is missing"
	w.binding("p", []string{"edge1"}, w.entry(deployments, "web", collected("sum")))
	var all []any
	for i := range 5 {
		entry := w.entry(namespaces, fmt.Sprint("absent", i), collected("sum"))
		delete(entry, "namespace")
		all = append(all, entry)
	}
	w.put(bindings, m{"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "Binding", "metadata": m{"name": "cluster"},
		"spec": m{"workload": m{"clusterScope": all}, "destinations": []any{m{"clusterId": "edge1"}}}})
	w.start()
	w.eventually("it is logged", "true", func() string { return fmt.Sprint(strings.Contains(w.log.String(), tells)) })
	w.put(workStatuses, w.report("edge1", "web", m{"readyReplicas": int64(9)}))
	w.eventually("others go on", "p sum: 9", func() string { return w.results("web") })
	if text := w.log.String(); strings.Count(text, tells) != 1 || !strings.Contains(text, "controllers/manifests/combinedstatus") {
		t.Errorf("want it told once, with what helps:\n%s", text)
	}
	data, err := os.ReadFile(filepath.Join("..", "manifests", "combinedstatus", "namespace.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	w.apply(string(data))
	for i := range 5 {
		w.eventually("it is there now", "cluster sum: ", func() string { return w.results(fmt.Sprint("absent", i)) })
	}
}

// endNamespace deletes a namespace; there is no namespace controller here.
func (w *testCluster) endNamespace(name string) {
	w.Helper()
	ctx, in := context.Background(), w.objects.Resource(namespaces)
	if err := in.Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		w.Fatal(err)
	}
	obj, err := in.Get(ctx, name, metav1.GetOptions{})
	if err == nil {
		obj.Object["spec"] = m{"finalizers": []any{}}
		_, err = in.Update(ctx, obj, metav1.UpdateOptions{}, "finalize")
	}
	if err != nil {
		w.Fatal(err)
	}
}

// TestVersionNotServed has a Binding ask by a version that the API server does not know. An object in another
// version is another object: what is there stays, and the log says by which versions one could ask.
func TestVersionNotServed(t *testing.T) {
	w := newWithDeployments(t)
	w.binding("p", []string{"edge1"}, w.entry(deployments, "web", collected("sum")), w.entry(deployments, "db", m{}))
	stop := w.start()
	w.eventually("the version is served", "p sum: 1", func() string { return w.results("web") })
	stop()
	future := deployments
	future.Version = "v9"
	w.binding("p", []string{"edge1"}, w.entry(future, "web", m{"statusCollectors": []any{"sum"}, "wantSingletonReportedState": true}), w.entry(deployments, "db", collected("sum")))
	w.put(workStatuses, w.report("edge1", "web", m{"readyReplicas": int64(5)}))
	w.start()
	w.eventually("what is served goes on", "p sum: 1", func() string { return w.results("db") })
	w.eventually("the log tells", "true", func() string { return fmt.Sprint(strings.Contains(w.log.String(), "version=v9")) })
	if text := w.log.String(); !strings.Contains(text, "resource=deployments.apps version=v9 reason=\"the API server does not serve the kind in this version") || !strings.Contains(text, "served=[v1]") {
		t.Errorf("want the version and those that are served:\n%s", text)
	}
	if got := w.results("web") + w.returned("web"); got != "p sum: 1{}" {
		t.Errorf("what is there stays, and nothing else comes: %s", got)
	}
}
