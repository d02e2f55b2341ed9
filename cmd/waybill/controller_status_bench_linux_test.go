package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// BenchmarkClusterStatus has `waybill controller --status` follow one Deployment in WAYBILL_CLUSTERS clusters (10,000) under five
// StatusCollectors: ms-cpu is the processor time of the controller for one report that changes, from its event to the written
// CombinedStatus. In "sums" all five aggregate; in "list" one lists every cluster, so that the CombinedStatus has about a megabyte.
func BenchmarkClusterStatus(b *testing.B) {
	n, err := strconv.Atoi(os.Getenv("WAYBILL_CLUSTERS"))
	if err != nil {
		n = 10_000
	}
	f := newStatusFleet(b, n)
	for name, fifth := range map[string]string{
		"sums": "  combinedFields: [{name: count, type: COUNT}]\n",
		"list": "  select: [{name: cluster, def: inventory.name}, {name: ready, def: returned.status.readyReplicas}]\n",
	} {
		b.Run(name, func(b *testing.B) {
			f.TB = b
			f.put("control.kubestellar.io/v1alpha1", "StatusCollector", "", "fifth", fmt.Sprintf("spec:\n  limit: %d\n", n)+fifth)
			p := startProcess(b, "controller", "--kubeconfig", f.kubeconfig, "--runtime", "inproc", "--status")
			defer p.end()
			f.change(2)
			f.awaitSum(n + 1)
			time.Sleep(5 * time.Second)
			const changes = 20
			ready, fleet := int64(2), &clusterFleet{TB: b, Cluster: f.Cluster}
			for b.Loop() {
				before := fleet.processorTime(p)
				for range changes {
					ready = 7 - ready // no sum is the number of clusters, which is there as well
					f.change(ready)
					f.awaitSum(n - 1 + int(ready))
				}
				b.ReportMetric(float64((fleet.processorTime(p)-before).Milliseconds())/changes, "ms-cpu")
				now, _ := fleet.memory(p)
				b.ReportMetric(now, "MiB")
			}
		})
	}
}

// statusFleet is a hub with what many clusters report about one Deployment.
type statusFleet struct {
	testing.TB
	*clustertest.Cluster
	client     client.Client
	kubeconfig string
	namespace  string
}

func newStatusFleet(t testing.TB, n int) *statusFleet {
	t.Helper()
	f := &statusFleet{TB: t, Cluster: clustertest.Shared(t)}
	f.InstallCRDs(t, "../../testdata/crds/combinedstatus/always")
	f.namespace, f.kubeconfig = f.Namespace(t), f.Kubeconfig(t, f.Admin())
	var err error
	if f.client, err = client.New(f.Admin(), client.Options{}); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		f.put("control.kubestellar.io/v1alpha1", "StatusCollector", "", fmt.Sprint("sum-", i), "spec:\n  limit: 20\n"+
			"  groupBy: [{name: same, def: returned.status.readyReplicas == obj.spec.replicas}]\n"+
			"  combinedFields: [{name: count, type: COUNT}, {name: sum, type: SUM, subject: returned.status.readyReplicas}]\n")
	}
	f.put("apps/v1", "Deployment", f.namespace, "web", "spec:\n  replicas: 3\n  selector: {matchLabels: {a: b}}\n"+
		"  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}\n")
	destinations := make([]string, n)
	errs := make([]error, n)
	workqueue.ParallelizeUntil(t.Context(), 16, n, func(i int) {
		destinations[i] = "{clusterId: " + edge(i) + "}"
		if errs[i] = f.apply(t.Context(), "v1", "Namespace", "", edge(i), ""); errs[i] == nil {
			errs[i] = f.apply(t.Context(), "control.kubestellar.io/v1alpha1", "WorkStatus", edge(i), "web", f.report(1))
		}
	})
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	f.put("control.kubestellar.io/v1alpha1", "Binding", "", "p", "spec:\n  destinations: ["+strings.Join(destinations, ", ")+"]\n"+
		"  workload: {namespaceScope: [{group: apps, version: v1, resource: deployments, namespace: "+f.namespace+", name: web, resourceVersion: \"1\", "+
		"statusCollectors: [sum-0, sum-1, sum-2, sum-3, fifth]}]}\n")
	return f
}

func edge(i int) string { return fmt.Sprintf("edge-%05d", i) }

func (f *statusFleet) report(ready int64) string {
	return fmt.Sprintf("spec: {sourceRef: {group: apps, version: v1, kind: Deployment, resource: deployments, namespace: %s, name: web}}\n"+
		"status: {readyReplicas: %d, replicas: 3, conditions: [{type: Available, status: \"True\"}]}\n", f.namespace, ready)
}

// put is apply that does not fail.
func (f *statusFleet) put(apiVersion, kind, namespace, name, rest string) {
	f.Helper()
	if err := f.apply(f.Context(), apiVersion, kind, namespace, name, rest); err != nil {
		f.Fatal(err)
	}
}

// apply creates an object, or replaces the one that is there.
func (f *statusFleet) apply(ctx context.Context, apiVersion, kind, namespace, name, rest string) error {
	o := clustertest.Empty(apiVersion, kind, namespace, name)
	if err := yaml.Unmarshal([]byte(rest), &o.Object); err != nil { // adds to what is there
		return err
	}
	err := f.client.Create(ctx, o)
	if client.IgnoreAlreadyExists(err) != nil || err == nil {
		return err
	}
	there := clustertest.Empty(apiVersion, kind, namespace, name)
	if err := f.client.Get(ctx, client.ObjectKeyFromObject(o), there); err != nil {
		return err
	}
	o.SetResourceVersion(there.GetResourceVersion())
	return f.client.Update(ctx, o)
}

// change has the first cluster report something else.
func (f *statusFleet) change(ready int64) {
	f.Helper()
	f.put("control.kubestellar.io/v1alpha1", "WorkStatus", edge(0), "web", f.report(ready))
}

// awaitSum waits until the first collector has summed up so much.
func (f *statusFleet) awaitSum(want int) {
	f.Helper()
	list := &unstructured.UnstructuredList{}
	list.SetAPIVersion("control.kubestellar.io/v1alpha1")
	list.SetKind("CombinedStatusList")
	text := fmt.Sprintf(`"float":"%d","type":"Number"`, want)
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		if err := f.client.List(f.Context(), list, client.InNamespace(f.namespace)); err != nil {
			f.Fatal(err)
		}
		if len(list.Items) == 1 {
			all, err := json.Marshal(list.Items[0].Object["results"])
			if err != nil {
				f.Fatal(err)
			}
			if strings.Contains(string(all), text) {
				return
			}
		}
		if time.Since(began) > time.Minute {
			f.Fatalf("no sum of %d", want)
		}
	}
}
