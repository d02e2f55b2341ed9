package live_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// TestMapperAgreesAfterAReset holds all answers to those of before.
func TestMapperAgreesAfterAReset(t *testing.T) {
	cfg := clustertest.Shared(t).Admin()
	server := serverOf(t, cfg)
	pods := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	answers := func() (all []any) {
		m := server.Mapper()
		add := func(v any, err error) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, v)
		}
		add(m.KindFor(pods))
		add(m.KindsFor(pods))
		add(m.ResourceFor(pods))
		add(m.ResourcesFor(pods))
		add(m.ResourceSingularizer("pods"))
		one, err := m.RESTMapping(schema.GroupKind{Kind: "Pod"}, "v1")
		add(one.Scope.Name(), err)
		many, err := m.RESTMappings(schema.GroupKind{Kind: "Pod"}, "v1")
		add(len(many), err)
		return all
	}
	before := answers()
	server.ResetMapper()
	if diff := cmp.Diff(before, answers()); diff != "" {
		t.Errorf("after a reset (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(any(schema.GroupVersionKind{Version: "v1", Kind: "Pod"}), before[0]); diff != "" {
		t.Errorf("the kind of pods (-want +got):\n%s", diff)
	}
}
