package chart

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/catalog"
)

// TestSameAsManifests wants the objects of the manifests from the chart: with its default values, and with the switch of each
// component. The namespace of the release is Helm's to create. The chart keeps what holds data when a release is uninstalled.
func TestSameAsManifests(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, values string
		components     []string
	}{
		"default":    {"nothing chosen", "", nil},
		"namespaced": {"rights in one namespace", "namespaces: [fleet]", []string{"namespaced"}},
		"status":     {"what clusters report", "controllers: {status: {enabled: true}}", []string{"combinedstatus"}},
		"map":        {"MapControllers", "controllers: {map: {enabled: true}}", []string{"mapcontroller"}},
		"sync":       {"PublishedResources", "controllers: {sync: {enabled: true}}", []string{"publishedresource"}},
		"porch":      {"beside a Porch", "crds: {porch: false}\nnotifyPorch: true", []string{"porch", "porch/notify"}},
		"several":    {"several together", "controllers: {status: {enabled: true}, map: {enabled: true}}", []string{"combinedstatus", "mapcontroller"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, got := objects(t, kustomized(t, tc.components...)), objects(t, rendered(t, "waybill", tc.values))
			delete(want, "Namespace  "+system)
			for _, u := range got {
				dropKeep(u)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-kustomize +helm):\n%s", tc.reason, diff)
			}
		})
	}
}

// dropKeep removes the annotation of Helm.
func dropKeep(u *unstructured.Unstructured) {
	unstructured.RemoveNestedField(u.Object, "metadata", "annotations", "helm.sh/resource-policy")
	if len(u.GetAnnotations()) == 0 {
		unstructured.RemoveNestedField(u.Object, "metadata", "annotations")
	}
}

// TestPush gives the flags of the backend; the component has none, and leaves them to a patch.
func TestPush(t *testing.T) {
	got := objects(t, rendered(t, "waybill", "controllers: {push: {enabled: true, args: [--push-table=midonet, --push-url=https://example.com, --push-inventory=waybill-system]}}"))
	want := objects(t, kustomized(t, "translation"))
	deployment := "Deployment " + system + " waybill-controller"
	if args := arguments(t, got[deployment]); !slices.Equal(args[len(args)-3:], []string{"--push-table=midonet", "--push-url=https://example.com", "--push-inventory=waybill-system"}) {
		t.Errorf("the controller is told what to push, got %q", args)
	}
	delete(want, deployment)
	for id, object := range want {
		if _, isNamespace := strings.CutPrefix(id, "Namespace "); isNamespace {
			continue
		}
		dropKeep(got[id])
		if diff := cmp.Diff(object, got[id]); diff != "" {
			t.Errorf("%s (-kustomize +helm):\n%s", id, diff)
		}
	}
}

// arguments are those of the first container of a Deployment.
func arguments(t *testing.T, deployment *unstructured.Unstructured) []string {
	t.Helper()
	containers, _, err := unstructured.NestedSlice(deployment.Object, "spec", "template", "spec", "containers")
	if err != nil || len(containers) != 1 {
		t.Fatalf("want one container, got %v, %v", containers, err)
	}
	args, _, err := unstructured.NestedStringSlice(containers[0].(map[string]any), "args")
	if err != nil {
		t.Fatal(err)
	}
	return args
}

// TestFilesAreCopies wants what the templates read to be what the manifests have. go generate copies it.
func TestFilesAreCopies(t *testing.T) {
	sources := map[string]string{"rbac.yaml": "rbac.yaml", "people.yaml": "people.yaml", "notify.yaml": "porch/notify/rbac.yaml", "status.yaml": "combinedstatus/rbac.yaml",
		"push.yaml": "translation/rbac.yaml", "map.yaml": "mapcontroller/rbac.yaml", "sync.yaml": "publishedresource/rbac.yaml"}
	crds, err := filepath.Glob("../manifests/crds/*.yaml")
	if err != nil || len(crds) == 0 {
		t.Fatalf("there are no definitions: %v", err)
	}
	for _, file := range crds {
		sources["crds/"+filepath.Base(file)] = "crds/" + filepath.Base(file)
	}
	err = fs.WalkDir(os.DirFS("files"), ".", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && sources[file] == "" {
			t.Errorf("files/%s is no copy: remove it", file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for file, source := range sources {
		if text(t, "files/"+file) != text(t, "../manifests/"+source) {
			t.Errorf("files/%s is not controllers/manifests/%s: run go generate ./controllers/chart", file, source)
		}
	}
}

func text(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file) // #nosec G304 -- a file of the repository
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestVersion wants the chart to be of the release of the functions.
func TestVersion(t *testing.T) {
	var chart struct{ Version, AppVersion string }
	if err := yaml.Unmarshal([]byte(text(t, "Chart.yaml")), &chart); err != nil {
		t.Fatal(err)
	}
	if chart.AppVersion != catalog.Version || "v"+chart.Version != catalog.Version {
		t.Errorf("want a chart of %s, got %s of %s", catalog.Version, chart.Version, chart.AppVersion)
	}
}
