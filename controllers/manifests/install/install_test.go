package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/pkg/catalog"
)

func TestMain(m *testing.M) {
	ctrllog.SetLogger(logr.Discard()) // each cluster has its own
	os.Exit(m.Run())
}

const (
	digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	pushed = `apiVersion: waybill.dev/v1alpha1
kind: ImageList
items:
- {name: set-image, image: "localhost:5000/fleet/set-image:v2", digest: "sha256:00"}
- {name: waybill, image: "localhost:5000/fleet/waybill:v2", digest: "` + digest + `", state: pushed}
`
)

// write runs the command for a list of images, and returns the file.
func write(t *testing.T, list string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	digests, output := filepath.Join(dir, "digests.yaml"), filepath.Join(dir, "release", "install.yaml")
	if err := os.WriteFile(digests, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	return output, run([]string{"-manifests", "..", "-digests", digests, "-output", output})
}

func text(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file) // #nosec G304 -- what the command wrote
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestInstall applies the file to an API server, and then the kustomization: it has the same objects, and changes the image alone.
func TestInstall(t *testing.T) {
	file, err := write(t, pushed)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := write(t, pushed); err != nil || text(t, file) != text(t, again) {
		t.Errorf("the same input gives another file: %v", err)
	}
	if head := "# Waybill v2: "; !strings.HasPrefix(text(t, file), head) {
		t.Errorf("want %q, got %.100s", head, text(t, file))
	}
	c := clustertest.Start(t)
	kubectl := func(args ...string) string {
		t.Helper()
		out, err := c.Kubectl(t, c.Admin(), "", args...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	kubectl("apply", "-f", file)
	installed := stripped(t, kubectl("get", "-f", file, "-o", "json"))
	deployment := "Deployment waybill-controller"
	if !strings.Contains(installed[deployment], `"image":"localhost:5000/fleet/waybill@`+digest+`"`) {
		t.Errorf("the controller has another image: %s", installed[deployment])
	}
	kubectl("apply", "-k", "..")
	want := stripped(t, kubectl("get", "-k", "..", "-o", "json"))
	want[deployment] = strings.Replace(want[deployment], catalog.Image(controller), "localhost:5000/fleet/waybill@"+digest, 1)
	if diff := cmp.Diff(want, installed); diff != "" || len(installed) < 25 {
		t.Errorf("%d objects (-kustomization +file):\n%s", len(installed), diff)
	}
}

// stripped are the objects of a list, without what an API server and kubectl note about them.
func stripped(t *testing.T, list string) map[string]string {
	t.Helper()
	var objects unstructured.UnstructuredList
	if err := objects.UnmarshalJSON([]byte(list)); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, o := range objects.Items {
		unstructured.RemoveNestedField(o.Object, "status")
		unstructured.RemoveNestedField(o.Object, "metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration")
		for _, field := range []string{"generation", "resourceVersion", "managedFields"} {
			unstructured.RemoveNestedField(o.Object, "metadata", field)
		}
		data, err := o.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		out[o.GetKind()+" "+o.GetName()] = string(data)
	}
	return out
}

func TestInstallRefuses(t *testing.T) {
	for name, tc := range map[string]struct{ list, want string }{
		"another kind": {"kind: FunctionList\n", `kind "FunctionList": want ImageList, which waybill image push -o yaml prints`},
		"no image":     {"kind: ImageList\nitems: []\n", `0 images are called "waybill": want one`},
		"twice":        {strings.Replace(pushed, "name: set-image", "name: waybill", 1), `image "localhost:5000/fleet/set-image:v2" with digest "sha256:00": want REPOSITORY:TAG and sha256:HEX`},
		"two":          {pushed + "- {name: waybill, image: \"localhost:5000/fleet/waybill:v3\", digest: \"" + digest + "\"}\n", `2 images are called "waybill": want one`},
		"no digest":    {strings.ReplaceAll(pushed, digest, ""), `image "localhost:5000/fleet/waybill:v2" with digest "": want REPOSITORY:TAG and sha256:HEX`},
		"no tag":       {strings.ReplaceAll(pushed, ":v2", ""), `image "localhost:5000/fleet/waybill" with digest "` + digest + `": want REPOSITORY:TAG and sha256:HEX`},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := write(t, tc.list)
			if err == nil || !strings.HasSuffix(err.Error(), "digests.yaml: "+tc.want) {
				t.Errorf("want %q, got %v", tc.want, err)
			}
			if _, err := os.Stat(file); err == nil {
				t.Error("and nothing written")
			}
		})
	}
}

// TestInstallWantsTheImage: a kustomization without the image would be released with a tag that can move.
func TestInstallWantsTheImage(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{
		"kustomization.yaml": "resources: [pod.yaml]\n",
		"pod.yaml":           "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: other}]}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	digests := filepath.Join(dir, "digests.txt")
	if err := os.WriteFile(digests, []byte(pushed), 0o600); err != nil {
		t.Fatal(err)
	}
	err := run([]string{"-manifests", dir, "-digests", digests, "-output", filepath.Join(dir, "out.yaml")})
	if err == nil || !strings.HasSuffix(err.Error(), "no container, or more than one, has the image ghcr.io/waybill-dev/waybill") {
		t.Errorf("want a refusal, got %v", err)
	}
}
