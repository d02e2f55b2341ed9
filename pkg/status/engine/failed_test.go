package engine_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/engine"
)

// TestFailed follows an apply that fails, also in a cluster that does not know the kind, so that its agent names
// no resource.
func TestFailed(t *testing.T) {
	e := engine.New(engine.Options{})
	e.SetKind(deployments, "Deployment")
	e.PutObject(deployments, m{"metadata": m{"namespace": "shop", "name": "web", "uid": "u"}})
	c := &control.StatusCollector{Spec: control.StatusCollectorSpec{CombinedFields: []control.CombinedField{{Name: "n", Type: control.AggregatorCount}}}}
	c.Name = "count"
	e.PutCollector(c)
	e.PutBinding(&engine.Binding{Name: "p", PolicyUID: "p", Destinations: []string{"edge1"}, Objects: []engine.BoundObject{
		{ObjectRef: engine.ObjectRef{GroupVersionResource: deployments, Namespace: "shop", Name: "web"}, Collectors: []string{"count"}}}})
	for _, step := range []struct {
		reason, resource, status, message string
		want                              []control.RowError
	}{
		{"it is applied", "deployments", "True", "", nil},
		{"the API server refuses it", "deployments", "False", "immutable", []control.RowError{{WEC: control.WEC{ClusterID: "edge1"}, Error: "apply failed: immutable"}}},
		{"the kind is gone", "", "False", "no such kind", []control.RowError{{WEC: control.WEC{ClusterID: "edge1"}, Error: "apply failed: no such kind"}}},
		{"for another reason", "", "False", "forbidden", []control.RowError{{WEC: control.WEC{ClusterID: "edge1"}, Error: "apply failed: forbidden"}}},
		{"all is well again", "deployments", "True", "", nil},
	} {
		meta := m{"group": "apps", "version": "v1", "kind": "Deployment", "namespace": "shop", "name": "web", "resource": step.resource}
		if err := e.PutReport(m{
			"apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork", "metadata": m{"namespace": "edge1", "name": "w"},
			"status": m{"resourceStatus": m{"manifests": []any{m{
				"resourceMeta": meta, "conditions": []any{m{"type": "Applied", "status": step.status, "message": step.message}}}}}},
		}); err != nil {
			t.Fatal(err)
		}
		changes, err := e.Refresh(context.Background())
		if err != nil || len(changes.Combined) != 1 {
			t.Fatalf("%s: %v changes (%v)", step.reason, changes.Combined, err)
		}
		w, _ := e.Desired(changes.Combined[0])
		if diff := cmp.Diff(step.want, w.Object.Results[0].RowErrors); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.reason, diff)
		}
	}
}
