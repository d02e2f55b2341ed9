package engine_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/status/engine"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// TestClearReturnedStatus has an object with a returned status that no Binding asks for by this version.
func TestClearReturnedStatus(t *testing.T) {
	asked := func(version string, singleton bool) *engine.Binding {
		of := schema.GroupVersionResource{Group: "apps", Version: version, Resource: "deployments"}
		return &engine.Binding{Name: "p", Objects: []engine.BoundObject{{ObjectRef: engine.ObjectRef{GroupVersionResource: of, Namespace: "shop", Name: "web"}, Singleton: singleton, Collectors: []string{"c"}}}}
	}
	owned := func(version, kind string) m {
		return m{"ownerReferences": []any{"odd", m{"apiVersion": version, "kind": kind, "name": "a"}}}
	}
	label := m{writeback.SingletonLabel: "true"}
	cases := map[string]struct {
		reason     string
		labels     m
		metadata   m
		binding    *engine.Binding
		goes, idle bool
	}{
		"not requested":   {"no Binding requests it", label, nil, nil, true, false},
		"multi":           {"by whatever label", m{writeback.MultiLabel: "true"}, nil, nil, true, false},
		"unlabelled":      {"the status is the object's own", m{}, nil, nil, false, true},
		"in vain":         {"no cluster has the object", label, nil, asked("v1", true), true, false},
		"collected":       {"a Binding asks for something else", label, nil, asked("v1", false), true, false},
		"other version":   {"a Binding asks by another version", label, nil, asked("v1beta1", true), false, true},
		"collected other": {"it asks for something else there", label, nil, asked("v1beta1", false), true, false},
		"delivered":       {"it came from a hub, with the label", label, owned("work.open-cluster-management.io/v1", "AppliedManifestWork"), nil, false, true},
		"other owner":     {"its owner is another", label, owned("example.com/v1", "AppliedManifestWork"), nil, true, false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			e := engine.New(engine.Options{})
			if e.Unused(deployments) {
				t.Error("a kind that is not known is not idle")
			}
			metadata := m{"namespace": "shop", "name": "web", "labels": tc.labels}
			for key, value := range tc.metadata {
				metadata[key] = value
			}
			e.PutObject(deployments, m{"metadata": metadata, "status": m{"replicas": int64(1)}})
			e.SetKind(deployments, "Deployment")
			if tc.binding != nil {
				e.PutBinding(tc.binding)
			}
			if _, err := e.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			_, d, goes := e.Return(engine.ObjectRef{GroupVersionResource: deployments, Namespace: "shop", Name: "web"})
			if goes != tc.goes || goes && d.Outcome != writeback.Clear {
				t.Errorf("%s: want it to go: %t, got %t, %s", tc.reason, tc.goes, goes, d.Outcome)
			}
			if idle := e.Unused(deployments); idle != tc.idle {
				t.Errorf("%s: want the kind to be idle: %t, got %t", tc.reason, tc.idle, idle)
			}
		})
	}
}
