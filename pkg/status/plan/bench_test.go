package plan_test

import (
	"fmt"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/engine"
	"github.com/waybill-dev/waybill/pkg/status/plan"
)

const benchClusters = 10_000

var deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}

// summing is four collectors that aggregate; the fifth lists what its filter keeps.
func benchCollectors(filter string) (all []*control.StatusCollector) {
	ready := "has(returned.status.readyReplicas) ? returned.status.readyReplicas : 0"
	same := "has(returned.status.readyReplicas) && returned.status.readyReplicas == obj.spec.replicas"
	limit := int64(benchClusters)
	for i := range 4 {
		all = append(all, &control.StatusCollector{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("sum", i)}, Spec: control.StatusCollectorSpec{Limit: &limit,
			GroupBy:        []control.NamedExpression{{Name: "same", Def: same}},
			CombinedFields: []control.CombinedField{{Name: "n", Type: "COUNT"}, {Name: "sum", Type: "SUM", Subject: &ready}}}})
	}
	return append(all, &control.StatusCollector{ObjectMeta: metav1.ObjectMeta{Name: "list"}, Spec: control.StatusCollectorSpec{Limit: &limit, Filter: &filter,
		Select: []control.NamedExpression{{Name: "cluster", Def: "inventory.name"}, {Name: "ready", Def: ready}}}})
}

func object(b testing.TB, typed any) *unstructured.Unstructured {
	out, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	if err != nil {
		b.Fatal(err)
	}
	return &unstructured.Unstructured{Object: out}
}

func benchReport(cluster int, ready int64) map[string]any {
	return map[string]any{
		"apiVersion": control.APIVersion, "kind": "WorkStatus", "metadata": map[string]any{"namespace": fmt.Sprintf("edge-%05d", cluster), "name": "web"},
		"spec": map[string]any{"sourceRef": map[string]any{"group": "apps", "version": "v1", "kind": "Deployment", "resource": "deployments", "namespace": "shop", "name": "web"}},
		"status": map[string]any{"readyReplicas": ready, "replicas": int64(3), "conditions": []any{
			map[string]any{"type": "Available", "status": "True"}, map[string]any{"type": "Progressing", "status": "True"}}},
	}
}

// newBenchState is one Deployment in many clusters under five collectors.
func newBenchState(b testing.TB, filter string) *plan.State {
	s := plan.New(engine.Options{})
	binding := &control.Binding{ObjectMeta: metav1.ObjectMeta{Name: "p"}}
	var names []string
	for _, c := range benchCollectors(filter) {
		names = append(names, c.Name)
		if err := s.SetCollector(types.NamespacedName{Name: c.Name}, object(b, c)); err != nil {
			b.Fatal(err)
		}
	}
	for i := range benchClusters {
		putReport(b, s, i, 1)
		binding.Spec.Destinations = append(binding.Spec.Destinations, control.Destination{ClusterID: fmt.Sprintf("edge-%05d", i)})
	}
	binding.Spec.Workload.NamespaceScope = []control.NamespaceScopeObject{{Group: "apps", Version: "v1", Resource: "deployments", Namespace: "shop", Name: "web",
		Modulation: control.Modulation{StatusCollectors: names}}}
	s.SetWorkload(engine.ObjectRef{GroupVersionResource: deployments, Namespace: "shop", Name: "web"}, &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"namespace": "shop", "name": "web", "uid": "u"}, "spec": map[string]any{"replicas": int64(3)}}})
	s.Engine.SetKind(deployments, "Deployment")
	if err := s.SetBinding(types.NamespacedName{Name: "p"}, object(b, binding)); err != nil {
		b.Fatal(err)
	}
	return s
}

func putReport(b testing.TB, s *plan.State, cluster int, ready int64) {
	if err := s.Engine.PutReport(benchReport(cluster, ready)); err != nil {
		b.Fatal(err)
	}
}

// pass evaluates and plans all that is requested, and notes the writes as done. It returns the writes of CombinedStatuses.
func pass(b testing.TB, s *plan.State) (writes int) {
	s.Refresh()
	for s.Engine.Waiting() > 0 {
		if _, err := s.Engine.Evaluate(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
		s.Refresh()
	}
	for _, r := range s.TakeRequests() {
		w, err := s.Plan(r, time.Unix(0, 0))
		if err != nil {
			b.Fatal(err)
		}
		if w == nil {
			continue
		}
		if w.Target == plan.TargetCombinedStatus {
			writes++
			w.Done(w.Object)
		}
	}
	return writes
}

// BenchmarkOne is one report that changes among 10,000 clusters with five collectors, from the report to the write. In "sums" the
// collector that lists keeps nothing, in "few" a hundredth of all clusters, and in "all" every cluster.
func BenchmarkOne(b *testing.B) {
	for name, filter := range map[string]string{"sums": "false", "few": "inventory.name.endsWith('07')", "all": "true"} {
		b.Run(name, func(b *testing.B) {
			s, ready := newBenchState(b, filter), int64(1)
			if n := pass(b, s); n != 1 {
				b.Fatalf("want one result, got %d", n)
			}
			b.ReportAllocs()
			for b.Loop() {
				ready = 3 - ready
				putReport(b, s, 7, ready)
				if n := pass(b, s); n != 1 {
					b.Fatalf("want one write, got %d", n)
				}
			}
		})
	}
}
