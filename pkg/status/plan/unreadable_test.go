package plan

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
	"github.com/waybill-dev/waybill/pkg/status/engine"
	"github.com/waybill-dev/waybill/pkg/status/writeback"
)

// newKnown returns a State that knows of a Deployment, with a status that was returned, of which kinds there are,
// and that there are CombinedStatuses about it under p and q.
func newKnown(t testing.TB) *State {
	t.Helper()
	w := New(engine.Options{})
	r := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	w.SetWorkload(engine.ObjectRef{GroupVersionResource: r, Namespace: "shop", Name: "web"}, &unstructured.Unstructured{Object: m{"metadata": m{"namespace": "shop", "name": "web", "uid": "u", "labels": m{writeback.SingletonLabel: "true"}}, "status": m{"replicas": int64(1)}}})
	w.Engine.SetKind(r, "Deployment")
	for _, policy := range []string{"p", "q"} {
		made, err := status.New(status.Subject{Group: "apps", Version: "v1", Kind: "Deployment", Resource: "deployments", Namespace: "shop", Name: "web", UID: "u", Policy: policy, PolicyUID: policy}, nil)
		if err != nil {
			t.Fatal(err)
		}
		obj, err := toUnstructured(made)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.SetCombined(types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}, obj); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// bound is a Binding that asks about the Deployment; with a text for a list of clusters it cannot be read.
func bound(name string, destinations any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: m{"apiVersion": control.APIVersion, "kind": "Binding",
		"metadata": m{"name": name, "ownerReferences": []any{m{"apiVersion": control.APIVersion, "kind": "BindingPolicy", "name": name, "uid": name}}},
		"spec": m{"destinations": destinations, "workload": m{"namespaceScope": []any{m{
			"group": "apps", "version": "v1", "resource": "deployments", "namespace": "shop", "name": "web", "statusCollectors": []any{"none"}}}}}}}
}

// plans are the verbs of what is due, by object.
func (s *State) plans(t testing.TB) map[string]Verb {
	t.Helper()
	changes, err := s.Engine.Refresh(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Verb{}
	due := []Request{{TargetBinding, engine.ObjectRef{Name: "p"}}, {TargetBinding, engine.ObjectRef{Name: "q"}}}
	for _, at := range changes.Returned {
		due = append(due, Request{TargetWorkload, at})
	}
	for at := range s.combined {
		due = append(due, Request{TargetCombinedStatus, engine.ObjectRef{Namespace: at.Namespace, Name: at.Name}})
	}
	for _, one := range due {
		a, err := s.Plan(one, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if a != nil {
			out[one.String()] = a.Verb
		}
	}
	return out
}

// TestUnreadableBinding has one Binding that cannot be read, from the start or later. What it may have asked
// for stays; all else goes on.
func TestUnreadableBinding(t *testing.T) {
	none, fine, broken := []any{}, []any{m{"clusterId": "e1"}}, "e1"
	set := func(s *State, b *unstructured.Unstructured) {
		_ = s.SetBinding(types.NamespacedName{Name: b.GetName()}, b)
	} // broken is an error
	const combinedP, combinedQ = "CombinedStatus shop/u.p", "CombinedStatus shop/u.q"
	cases := map[string]struct {
		reason string
		do     func(s *State)
		want   map[string]Verb
	}{
		"both":       {"no Binding requests the status", func(s *State) { set(s, bound("p", none)); set(s, bound("q", fine)) }, map[string]Verb{"Binding p": Update, "Binding q": Update, "workload deployments shop/web": Update}},
		"one":        {"q is not there", func(s *State) { set(s, bound("p", none)) }, map[string]Verb{"Binding p": Update, combinedQ: Delete, "workload deployments shop/web": Update}},
		"unreadable": {"q is there", func(s *State) { set(s, bound("p", none)); set(s, bound("q", broken)) }, map[string]Verb{"Binding p": Update}},
		"later":      {"what q asked for is known", func(s *State) { set(s, bound("p", none)); set(s, bound("q", fine)); set(s, bound("q", broken)) }, map[string]Verb{"Binding p": Update, "workload deployments shop/web": Update}},
		"mended":     {"q can be read", func(s *State) { set(s, bound("q", broken)); set(s, bound("q", fine)) }, map[string]Verb{"Binding q": Update, combinedP: Delete, "workload deployments shop/web": Update}},
		"gone":       {"q no longer exists", func(s *State) { set(s, bound("q", broken)); _ = s.SetBinding(types.NamespacedName{Name: "q"}, nil) }, map[string]Verb{combinedP: Delete, combinedQ: Delete, "workload deployments shop/web": Update}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := newKnown(t)
			tc.do(w)
			if diff := cmp.Diff(tc.want, w.plans(t)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestUnreadableCollector has a collector say that it cannot be read.
func TestUnreadableCollector(t *testing.T) {
	w := newKnown(t)
	c := func(limit any) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: m{"apiVersion": control.APIVersion, "kind": "StatusCollector", "metadata": m{"name": "c"}, "spec": m{"limit": limit}}}
	}
	set := func(obj *unstructured.Unstructured) error {
		return w.SetCollector(types.NamespacedName{Name: "c"}, obj)
	}
	errs := func() string {
		a, _ := w.planStatus(Request{TargetCollector, engine.ObjectRef{Name: "c"}}, time.Now())
		if a == nil {
			return "none"
		}
		return string(a.Verb) + ": " + w.decodeErrors["c"]
	}
	if set(c("many")) == nil {
		t.Error("want an error")
	}
	if got, want := errs(), "update: cannot be read: json: cannot unmarshal string into Go struct field StatusCollectorSpec.spec.limit of type int64"; got != want {
		t.Errorf("want %s, got %s", want, got)
	}
	if err := set(c(int64(5))); err != nil {
		t.Error(err)
	}
	if got := errs(); got != "none" {
		t.Errorf("it can be read: %s", got)
	}
}
