package workload

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestNearly says of kinds whether one that is read was meant.
func TestNearly(t *testing.T) {
	read := []schema.GroupKind{InventoryKind, ManagedClusterKind, control.GroupKind(control.KindBindingPolicy),
		control.GroupKind(control.KindBinding), control.GroupKind(control.KindCustomTransform)}
	for _, c := range []struct{ apiVersion, kind, want string }{
		{"control.kubestellar.io/v1alpha1", "BindingPolicy", ""},
		{"control.kubestellar.io/v1alpha1", "StatusCollector", ""},
		{"control.kubestellar.io/v1alpha1", "BindingPolicies", "BindingPolicy"},
		{"control.kubestellar.io/v1alpha1", "BindPolicy", "BindingPolicy"},
		{"control.kubestellar.io/v1alpha1", "Policy", "BindingPolicy"},
		{"control.kubestellar.io/v1alpha1", "StatusColector", "StatusCollector"},
		{"control.kubestellar.io/v1alpha1", "WorkStatuses", "WorkStatus"},
		{"control.kubestellar.io", "BindingPolicy", "BindingPolicy"},
		{"v1alpha1", "BindingPolicy", "BindingPolicy"},
		{"v1", "BindingPolicy", "BindingPolicy"},
		{"edge.kubestellar.io/v1alpha1", "BindingPolicy", "BindingPolicy"},
		{"fn.waybill.dev/v1alpha1", "BindingPolicy", "BindingPolicy"},
		{"kubestellar.io/v1alpha1", "CustomTransform", "CustomTransform"},
		{"kubestellar.io/v1alpha1", "Binding", "Binding"},
		{"v1alpha1", "Binding", "Binding"},
		{"v1", "Binding", ""},
		{"fn.waybill.dev/v1alpha1", "Inventories", "Inventory"},
		{"waybill.dev/v1alpha1", "Inventory", "Inventory"},
		{"fn.kpt.dev/v1alpha1", "Inventory", "Inventory"},
		{"metal.example.org/v1", "Inventory", ""},
		{"v1", "ManagedCluster", "ManagedCluster"},
		{"cluster.open-cluster-management/v1", "ManagedCluster", "ManagedCluster"},
		{"open-cluster-management.io/v1", "ManagedCluster", "ManagedCluster"},
		{"CLUSTER.Open-Cluster-Management.io/v1", "ManagedCluster", "ManagedCluster"},
		{"containerservice.azure.com/v1", "ManagedCluster", ""},
		{"networking.k8s.io/v1", "NetworkPolicy", ""},
		{"v1", "ConfigMap", ""},
	} {
		got := ""
		if want := Nearly(schema.FromAPIVersionAndKind(c.apiVersion, c.kind), read...); want != nil {
			got = want.Kind
		}
		if got != c.want {
			t.Errorf("%s of %s is taken for %q, want %q", c.kind, c.apiVersion, got, c.want)
		}
	}
}

// TestNearlyCore has kinds without a group be read: a kind of the same name in another project's group is none of them.
func TestNearlyCore(t *testing.T) {
	for _, c := range []struct {
		group, kind, want string
	}{{"", "Servce", "Service"}, {"", "Services", "Service"}, {"apps", "Service", "Service"}, {"serving.knative.dev", "Service", ""}, {"", "Secret", ""}} {
		got := ""
		if want := Nearly(schema.GroupVersionKind{Group: c.group, Version: "v1", Kind: c.kind}, schema.GroupKind{Kind: "Service"}); want != nil {
			got = want.Kind
		}
		if got != c.want {
			t.Errorf("%s of group %q: got %q, want %q", c.kind, c.group, got, c.want)
		}
	}
}

func TestHoldsObjects(t *testing.T) {
	for text, want := range map[string]bool{
		"apiVersion: v1\nkind: List\nitems: []\n":                                       true,
		"apiVersion: v1\nkind: SecretList\nmetadata: {name: x}\nitems: []\n":            true,
		"apiVersion: e.com/v1\nkind: AllowList\nitems: []\n":                            true, // as kubectl prints it
		"apiVersion: e.com/v1\nkind: AllowList\nmetadata: {name: x}\nitems: []\n":       false,
		"apiVersion: e.com/v1\nkind: AllowList\nmetadata: {name: x}\nitems: [{a: b}]\n": false,
		"apiVersion: e.com/v1\nkind: ThingList\nitems: [{metadata: {name: a}}]\n":       true,
	} {
		objs, err := krm.Read("in.yaml", []byte(text), krm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := HoldsObjects(objs[0]); got != want {
			t.Errorf("%v, want %v:\n%s", got, want, text)
		}
	}
}
