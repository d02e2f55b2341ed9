package chart

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/catalog"
)

// TestGitOpsExamples holds the examples of the page to this repository: what they name is there, in this release, and their values
// give what the manifests have, and a NetworkPolicy.
func TestGitOpsExamples(t *testing.T) {
	all := map[string]*unstructured.Unstructured{}
	for _, block := range regexp.MustCompile("(?s)\n```yaml\n(.*?)\n```").FindAllStringSubmatch(text(t, "../../docs/helm.md"), -1) {
		for _, u := range objects(t, block[1]) {
			all[u.GetKind()] = u
		}
	}
	for kind, want := range map[string]map[string]string{
		"GitRepository": {"apiVersion": "source.toolkit.fluxcd.io/v1", "spec.url": repository, "spec.ref.tag": catalog.Version, "metadata.name": "waybill"},
		"HelmRelease": {"apiVersion": "helm.toolkit.fluxcd.io/v2", "spec.chart.spec.chart": "controllers/chart", "spec.chart.spec.sourceRef.kind": "GitRepository",
			"spec.chart.spec.sourceRef.name": "waybill", "spec.releaseName": "waybill", "spec.targetNamespace": system},
		"Application": {"apiVersion": "argoproj.io/v1alpha1", "spec.source.repoURL": repository, "spec.source.targetRevision": catalog.Version, "spec.source.path": "controllers/chart",
			"spec.source.helm.releaseName": "waybill", "spec.destination.namespace": system},
	} {
		for path, value := range want {
			got, _, err := unstructured.NestedString(all[kind].Object, strings.Split(path, ".")...)
			if err != nil || got != value {
				t.Errorf("%s: want %s %q, got %q, %v", kind, path, value, got, err)
			}
		}
	}
	flux := rendered(t, "waybill", valuesOf(t, all["HelmRelease"], "spec", "values"))
	argo := rendered(t, "waybill", valuesOf(t, all["Application"], "spec", "source", "helm", "valuesObject"))
	if diff := cmp.Diff(flux, argo); diff != "" {
		t.Errorf("both install the same (-Flux +Argo CD):\n%s", diff)
	}
	if diff := cmp.Diff([]string{system + "/waybill-controller"}, named(objects(t, flux), "NetworkPolicy")); diff != "" {
		t.Errorf("with the values of the page (-want +got):\n%s", diff)
	}
	checkRemoteBase(t, all["Kustomization"])
}

const repository = "https://github.com/waybill-dev/waybill"

// checkRemoteBase wants a kustomization whose URLs name folders of this repository in this release, and builds it from them.
func checkRemoteBase(t *testing.T, kustomization *unstructured.Unstructured) {
	t.Helper()
	var components []string
	for _, list := range []string{"resources", "components"} {
		urls, _, err := unstructured.NestedStringSlice(kustomization.Object, list)
		if err != nil || len(urls) == 0 {
			t.Fatalf("%s: %v, %v", list, urls, err)
		}
		for _, url := range urls {
			folder, whole := strings.CutPrefix(strings.TrimSuffix(url, "?ref="+catalog.Version), repository+"//")
			if !whole || !strings.HasSuffix(url, "?ref="+catalog.Version) {
				t.Fatalf("%s: want %s//FOLDER?ref=%s", url, repository, catalog.Version)
			}
			if _, err := os.Stat(filepath.Join("../..", folder, "kustomization.yaml")); err != nil {
				t.Error(err)
			}
			if component := strings.TrimPrefix(folder, "controllers/manifests/"); component != folder {
				components = append(components, component)
			}
		}
	}
	if names := named(objects(t, kustomized(t, components...)), "Deployment"); len(names) != 1 {
		t.Errorf("want the Deployment, got %q", names)
	}
}

// valuesOf are the values in a field of an object.
func valuesOf(t *testing.T, u *unstructured.Unstructured, path ...string) string {
	t.Helper()
	v, found, err := unstructured.NestedMap(u.Object, path...)
	if err != nil || !found {
		t.Fatalf("%s has no values: %v", u.GetKind(), err)
	}
	data, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
