package crds_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
)

// TestStatusKeepsResults writes a status through the types and reads it back: the list of results is
// nobody's business, and all of it is kept.
func TestStatusKeepsResults(t *testing.T) {
	w := newServer(t)
	s := runtime.NewScheme()
	if err := porchconfig.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	typed, err := client.New(w.Admin(), client.Options{Scheme: s})
	if err != nil {
		t.Fatal(err)
	}
	if err := typed.Create(t.Context(), w.object(t, "PackageVariant", "rendered", fine)); err != nil {
		t.Fatal(err)
	}
	var pv porchconfig.PackageVariant
	key := client.ObjectKey{Namespace: w.namespace, Name: "rendered"}
	if err := typed.Get(t.Context(), key, &pv); err != nil {
		t.Fatal(err)
	}
	want := porchconfig.PackageVariantStatus{DownstreamTargets: []porchconfig.DownstreamTarget{{
		Name:         "e.upf.packagevariant-1",
		RenderStatus: porchconfig.RenderStatus{Result: json.RawMessage(`{"exitCode":1,"items":[{"image":"i"}]}`), Error: "e"},
	}}}
	pv.Status = want
	if err := typed.Status().Update(t.Context(), &pv); err != nil {
		t.Fatal(err)
	}
	if err := typed.Get(t.Context(), key, &pv); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, pv.Status); diff != "" {
		t.Errorf("a status is kept as it was written (-want +got):\n%s", diff)
	}
}

func TestOnlyTheNewSetIsServed(t *testing.T) {
	w := newServer(t)
	s := runtime.NewScheme()
	if err := apiextensionsv1.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	definitions, err := client.New(w.Admin(), client.Options{Scheme: s})
	if err != nil {
		t.Fatal(err)
	}
	var sets apiextensionsv1.CustomResourceDefinition
	if err := definitions.Get(t.Context(), client.ObjectKey{Name: "packagevariantsets.config.porch.kpt.dev"}, &sets); err != nil {
		t.Fatal(err)
	}
	type version struct {
		Name            string
		Served, Storage bool
	}
	var got []version
	for _, v := range sets.Spec.Versions {
		got = append(got, version{v.Name, v.Served, v.Storage})
	}
	if diff := cmp.Diff([]version{{"v1alpha1", false, false}, {"v1alpha2", true, true}}, got); diff != "" {
		t.Errorf("only the old version is known (-want +got):\n%s", diff)
	}
}

// TestWhatIsStoredCanBeLetGo brings an object of before the rules, as Porch's own definition lets
// through, and takes a finalizer off it.
func TestWhatIsStoredCanBeLetGo(t *testing.T) {
	w := newServer(t)
	o := w.object(t, "PackageVariant", "old", "upstream: {repo: b}, adoptionPolicy: maybe")
	o.SetFinalizers([]string{"config.porch.kpt.dev/packagevariants"})
	w.withoutRules(t, func() {
		if err := w.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	})
	if err := w.Delete(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	patch := client.MergeFrom(o.DeepCopy())
	o.SetFinalizers(nil)
	if err := w.Patch(t.Context(), o, patch); err != nil {
		t.Errorf("an object that breaks a rule cannot be let go: %v", err)
	}
}

// withoutRules does something while PackageVariants have a schema that takes everything.
func (w *server) withoutRules(t *testing.T, do func()) {
	t.Helper()
	loose := &unstructured.Unstructured{Object: value(t, `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: packagevariants.config.porch.kpt.dev}}`)}
	if err := w.Get(t.Context(), client.ObjectKeyFromObject(loose), loose); err != nil {
		t.Fatal(err)
	}
	versions, _, err := unstructured.NestedSlice(loose.Object, "spec", "versions")
	if err != nil {
		t.Fatal(err)
	}
	versions[0].(map[string]any)["schema"] = value(t, "{openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}")
	if err := unstructured.SetNestedSlice(loose.Object, versions, "spec", "versions"); err != nil {
		t.Fatal(err)
	}
	if err := w.Update(t.Context(), loose); err != nil {
		t.Fatal(err)
	}
	w.until(t, nil)
	do()
	w.InstallCRDs(t, ".")
	w.until(t, []string{"spec.downstream: missing required field spec.downstream", "spec.upstream: missing required field spec.upstream"})
}

// until waits for the API server to find these faults in an empty variant: it takes up a changed
// definition a moment after it was written.
func (w *server) until(t *testing.T, want []string) {
	t.Helper()
	for range 10000 {
		err := w.Create(t.Context(), w.object(t, "PackageVariant", "asked", "labels: {}"), client.DryRunAll)
		if cmp.Equal(want, faults(t, err)) {
			return
		}
	}
	t.Fatal("the definition was not taken up")
}
