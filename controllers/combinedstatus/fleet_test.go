package combinedstatus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/combinedstatus"
	"github.com/waybill-dev/waybill/pkg/api/control"
	statuses "github.com/waybill-dev/waybill/pkg/status"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// TestFleet has many clusters report for a while, with a controller that ends in between, several times. In
// the end there is what package status makes of all that is there, and another controller writes nothing.
func TestFleet(t *testing.T) {
	w := newTestCluster(t, clustertest.Shared(t))
	names := []string{"web", "db", "api", "job"}
	var fleet []string
	for i := range 100 {
		fleet = append(fleet, fmt.Sprintf("edge%03d", i))
		w.cluster(fleet[i])
	}
	var all, some []any
	for i, name := range names {
		w.deployment(name)
		all = append(all, w.entry(deployments, name, collected("each", "sum", "regions")))
		some = append(some, w.entry(deployments, name, collected([]any{"sum", "ready", "none"}[:i%4]...)))
	}
	w.binding("all", fleet, all...)
	w.binding("some", fleet[:70], some...)
	w.deployment("late")
	w.binding("late", fleet[:1], w.entry(deployments, "late", collected("sum")))
	w.collector("each", m{"filter": "returned.status.readyReplicas < obj.spec.replicas", "select": []any{
		m{"name": "cluster", "def": "inventory.name"}, m{"name": "status", "def": "returned.status"}, m{"name": "at", "def": "propagation.lastReturnedUpdateTimestamp"}}})
	w.collector("sum", m{"combinedFields": []any{m{"name": "n", "type": "COUNT"}, m{"name": "ready", "type": "SUM", "subject": "returned.status.readyReplicas"}}})
	w.collector("ready", m{"filter": "has(returned.status.readyReplicas) && returned.status.readyReplicas > 100", "combinedFields": []any{m{"name": "none", "type": "AVG", "subject": "1"}, m{"name": "least", "type": "MIN", "subject": "2"}}})
	w.collector("regions", m{"groupBy": []any{m{"name": "ready", "def": "returned.status.readyReplicas"}}, "combinedFields": []any{m{"name": "n", "type": "COUNT"}}})

	calm := func(o *combinedstatus.Options) { o.Interval = 200 * time.Millisecond } // what is large is not written more often
	for round := range 3 {
		stop := w.start(calm)
		w.storm(uint64(round), fleet, names, 400)
		stop() // in the middle of things
		w.storm(uint64(10+round), fleet, names, 200)
	}
	stop := w.start()
	w.settled()
	stop()
	before := w.versions()
	w.start()
	for ready := range int64(2) { // what is there to be written without need would be, beside the first or before the second
		w.put(workStatuses, w.report("edge000", "late", m{"readyReplicas": ready}))
		w.eventually("it is at work", fmt.Sprintf("late sum: 1 %d", ready), func() string { return w.results("late") })
	}
	w.settled()
	after := w.versions()
	for name, version := range before {
		if after[name] != version && !strings.HasSuffix(name, ".latelate") {
			t.Errorf("%s was written without need", name)
		}
	}
}

// TestServerGoes takes the API server away from a controller, and changes things before it looks again.
func TestServerGoes(t *testing.T) {
	w := newWithDeployments(t)
	w.binding("p", []string{"edge1", "edge2"}, w.entry(deployments, "web", collected("sum")), w.entry(deployments, "db", collected("sum", "list")))
	w.start()
	w.settled()
	w.StopAPIServer(t)
	w.StartAPIServer(t)
	w.put(workStatuses, w.report("edge1", "web", m{"readyReplicas": int64(30)}))
	w.delete(workStatuses, "edge2", "db")
	w.delete(collectors, "", "list")
	w.eventually("what came meanwhile shows", "p sum: 32", func() string { return w.results("web") })
	w.settled()
}

// settled waits until what is there is what package status makes of it.
func (w *testCluster) settled() {
	w.Helper()
	w.eventually("what is there is what package status makes of it", "", func() string { return cmp.Diff(w.oneShot(), w.combined()) })
}

// storm has clusters report at random, several at a time.
func (w *testCluster) storm(seed uint64, fleet, names []string, changes int) {
	w.Helper()
	const writers = 4
	var all sync.WaitGroup
	for i := range writers {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		own := fleet[i*len(fleet)/writers : (i+1)*len(fleet)/writers]
		all.Go(func() {
			for range changes / writers {
				if err := w.reportAtRandom(random, own[random.IntN(len(own))], names[random.IntN(len(names))]); err != nil {
					w.Error(err)
				}
			}
		})
	}
	all.Wait()
}

func (w *testCluster) reportAtRandom(random *rand.Rand, cluster, name string) error {
	in := w.in(workStatuses, cluster)
	if random.IntN(10) == 0 {
		if err := in.Delete(w.Context(), name, metav1.DeleteOptions{}); !apierrors.IsNotFound(err) {
			return err
		}
		return nil
	}
	status := m{"readyReplicas": random.Int64N(4), "x": m{"y": []any{"<&>", 0.5, random.Float64() * 1e9}}}
	if random.IntN(8) == 0 {
		status = nil
	}
	report := &unstructured.Unstructured{Object: w.report(cluster, name, status)}
	if status == nil {
		delete(report.Object, "status")
	}
	_, err := in.Apply(w.Context(), name, report, metav1.ApplyOptions{FieldManager: "agent", Force: true})
	return err
}

// oneShot is what package status makes of all that is in the API server, by name, as plain data.
func (w *testCluster) oneShot() map[string]m {
	w.Helper()
	index := reports.New("")
	for _, r := range w.list(workStatuses) {
		if _, err := index.Put(r.Object); err != nil {
			w.Fatal(err)
		}
	}
	known := statuses.NewCollectors()
	for _, obj := range w.list(collectors) {
		known.Put(into(w, obj, &control.StatusCollector{}))
	}
	out := map[string]m{}
	for _, obj := range w.list(bindings) {
		b := into(w, obj, &control.Binding{})
		for _, o := range b.Spec.Workload.NamespaceScope {
			if len(o.StatusCollectors) > 0 {
				w.oneShotOf(b, o, known, index, out)
			}
		}
	}
	return out
}

func (w *testCluster) oneShotOf(b *control.Binding, o control.NamespaceScopeObject, known *statuses.Collectors, index *reports.Index, out map[string]m) {
	obj := w.get(deployments, o.Namespace, o.Name)
	obj.SetManagedFields(nil)
	id := reports.Identity{Group: o.Group, Version: o.Version, Kind: "Deployment", Resource: o.Resource, Namespace: o.Namespace, Name: o.Name}
	var all []statuses.Report
	for _, d := range b.Spec.Destinations {
		r := index.Of(id).In(d.ClusterID)
		all = append(all, statuses.Report{Cluster: d.ClusterID, Status: r.Status, Known: r.Known, Updated: r.Updated})
	}
	var results []control.NamedStatusCombination
	programs, _ := known.Pick(o.StatusCollectors)
	for _, p := range programs {
		one, _ := p.Evaluate(context.Background(), obj.Object, all, statuses.Options{})
		results = append(results, one)
	}
	results, _ = statuses.Bound(results)
	made, err := statuses.New(statuses.Subject{
		Group: o.Group, Version: o.Version, Kind: "Deployment", Resource: o.Resource, Namespace: o.Namespace, Name: o.Name,
		UID: string(obj.GetUID()), Policy: b.Name, PolicyUID: string(b.OwnerReferences[0].UID),
	}, results)
	if err != nil {
		w.Fatal(err)
	}
	text, err := json.Marshal(made)
	if err != nil {
		w.Fatal(err)
	}
	out[made.Namespace+"/"+made.Name] = stored(plain(w, text)).(m)
}

// stored is what an API server keeps of plain data: no null.
func stored(v any) any {
	switch v := v.(type) {
	case m:
		for key, part := range v {
			if v[key] = stored(part); part == nil {
				delete(v, key)
			}
		}
	case []any:
		for i := range v {
			v[i] = stored(v[i])
		}
	}
	return v
}

// combined are the CombinedStatuses in the API server, without what it adds.
func (w *testCluster) combined() map[string]m {
	w.Helper()
	out := map[string]m{}
	for _, obj := range w.list(combinedStatuses) {
		metadata := obj.Object["metadata"].(m)
		for _, field := range slices.Collect(maps.Keys(metadata)) {
			if !slices.Contains([]string{"name", "namespace", "labels", "ownerReferences"}, field) {
				delete(metadata, field)
			}
		}
		out[obj.GetNamespace()+"/"+obj.GetName()] = obj.Object
	}
	return out
}

func into[T any](t testing.TB, obj unstructured.Unstructured, out *T) *T {
	t.Helper()
	text, err := json.Marshal(obj.Object)
	if err == nil {
		err = json.Unmarshal(text, out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}
