package engine_test

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/engine"
	"github.com/waybill-dev/waybill/pkg/status/reports"
)

const clusters = 2000

// newFleet is one Deployment in many clusters under ten collectors.
func newFleet(b testing.TB) *engine.Engine {
	e := engine.New(engine.Options{})
	subject, limit := "has(returned.status.readyReplicas) ? returned.status.readyReplicas : 0", int64(clusters)
	binding := &control.Binding{ObjectMeta: metav1.ObjectMeta{Name: "p"}}
	var names []string
	for i := range 10 {
		c := &control.StatusCollector{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("c", i)}, Spec: control.StatusCollectorSpec{Limit: &limit,
			GroupBy: []control.NamedExpression{{Name: "same", Def: "has(returned.status.readyReplicas) && returned.status.readyReplicas == obj.spec.replicas"}}, CombinedFields: []control.CombinedField{{Name: "n", Type: "COUNT"}, {Name: "sum", Type: "SUM", Subject: &subject}}}}
		names = append(names, c.Name)
		e.PutCollector(c)
	}
	for i := range clusters {
		put(b, e, i, 1)
		binding.Spec.Destinations = append(binding.Spec.Destinations, control.Destination{ClusterID: fmt.Sprint("edge", i)})
	}
	binding.Spec.Workload.NamespaceScope = []control.NamespaceScopeObject{{Group: "apps", Version: "v1", Resource: "deployments", Namespace: "shop", Name: "web", Modulation: control.Modulation{StatusCollectors: names}}}
	e.PutObject(deployments, m{"metadata": m{"namespace": "shop", "name": "web", "uid": "u"}, "spec": m{"replicas": int64(3)}})
	e.SetKind(deployments, "Deployment")
	e.PutBinding(engine.NewBinding(binding))
	return e
}

func put(b testing.TB, e *engine.Engine, cluster int, ready int64) {
	source := reports.Source{Kind: reports.WorkStatus, Namespace: fmt.Sprint("edge", cluster), Name: "web"}
	if err := e.PutReport(m{
		"apiVersion": control.APIVersion, "kind": "WorkStatus", "metadata": m{"namespace": source.Namespace, "name": source.Name},
		"spec":   m{"sourceRef": m{"group": "apps", "version": "v1", "kind": "Deployment", "resource": "deployments", "namespace": "shop", "name": "web"}},
		"status": m{"readyReplicas": ready, "replicas": int64(3)},
	}); err != nil {
		b.Fatal(err)
	}
}

// refresh expects one result and the rows that it may take.
func refresh(b testing.TB, e *engine.Engine, rows int) {
	if c, err := e.Refresh(b.Context()); err != nil || len(c.Combined) != 1 || c.Rows != rows {
		b.Fatalf("want one result of %d rows, got %+v, %v", rows, c, err)
	}
}

// BenchmarkAll is the first pass over all that clusters report.
func BenchmarkAll(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		refresh(b, newFleet(b), 10*clusters)
	}
}

// BenchmarkOne is one report that changes.
func BenchmarkOne(b *testing.B) {
	e, ready := newFleet(b), int64(1)
	refresh(b, e, 10*clusters)
	b.ReportAllocs()
	for b.Loop() {
		ready = 3 - ready
		put(b, e, 7, ready)
		refresh(b, e, 10)
	}
}
