package workload

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// TestBuiltInKinds finds the kind of every plural that API servers know.
func TestBuiltInKinds(t *testing.T) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		admissionregistrationv1.AddToScheme, appsv1.AddToScheme, autoscalingv2.AddToScheme, batchv1.AddToScheme, certificatesv1.AddToScheme,
		coordinationv1.AddToScheme, corev1.AddToScheme, discoveryv1.AddToScheme, eventsv1.AddToScheme, flowcontrolv1.AddToScheme,
		networkingv1.AddToScheme, nodev1.AddToScheme, policyv1.AddToScheme, rbacv1.AddToScheme, resourcev1.AddToScheme,
		schedulingv1.AddToScheme, storagev1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	types, errs := TypesOf(nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	seen := 0
	for gvk := range scheme.AllKnownTypes() {
		object, err := scheme.New(gvk)
		if _, is := object.(metav1.Object); err != nil || !is {
			continue
		}
		known := types.Lookup(gvk.Group, gvk.Kind)
		if !known.Known || !known.ListWatch {
			continue
		}
		seen++
		if got := types.Kinds(gvk.Group, known.Plural); !slices.Equal(got, []string{gvk.Kind}) {
			t.Errorf("%s of %q may be %v, want %s", known.Plural, gvk.Group, got, gvk.Kind)
		}
	}
	if seen < 60 {
		t.Errorf("only %d kinds were looked for", seen)
	}
}

func TestKinds(t *testing.T) {
	types, errs := TypesOf(parse(t, `
apiVersion: example.org/v1
kind: Policy
metadata: {name: p}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: a}
spec: {group: example.org, names: {kind: Gizmo, plural: policies}, scope: Cluster}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: b}
spec: {group: example.org, names: {kind: Thing, plural: stuff}, scope: Namespaced}
`))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for name, tc := range map[string]struct {
		reason, group, plural string
		want                  []string
	}{
		"Known":   {"what a definition says comes before what is guessed", "example.org", "policies", []string{"Gizmo"}},
		"Odd":     {"a plural is what a definition says, whatever it is", "example.org", "stuff", []string{"Thing"}},
		"Guess":   {"the guess does not count where it is known better", "example.org", "things", nil},
		"Group":   {"a kind of another group is another kind", "other.org", "policies", nil},
		"Core":    {"built in", "", "persistentvolumeclaims", []string{"PersistentVolumeClaim"}},
		"Same":    {"one that is its own plural", "", "endpoints", []string{"Endpoints"}},
		"Kind":    {"a kind is no plural", "", "Service", nil},
		"Nothing": {"nothing is nothing", "", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, types.Kinds(tc.group, tc.plural)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
