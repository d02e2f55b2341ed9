package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/ocmtest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

const recipesPage = "../../docs/delivery-recipes.md"

// recipe is the text of the page's YAML block that begins with an object of a kind.
func recipe(t *testing.T, kind string) string {
	t.Helper()
	for _, block := range blocks(t, recipesPage, "yaml") {
		if strings.HasPrefix(block[1], "kind: "+kind) {
			return strings.Join(block, "\n") + "\n"
		}
	}
	t.Fatalf("%s has no block that begins with a %s", recipesPage, kind)
	return ""
}

// TestRecipesRead reads every YAML block of the page: an object in each document, each with a name.
func TestRecipesRead(t *testing.T) {
	seen := 0
	for _, block := range blocks(t, recipesPage, "yaml") {
		for text := range strings.SplitSeq(strings.Join(block, "\n"), "\n---\n") {
			var o struct {
				APIVersion, Kind string
				Metadata         struct{ Name string }
			}
			if err := yaml.UnmarshalStrict([]byte(text), &map[string]any{}); err != nil {
				t.Errorf("%v:\n%s", err, text)
			}
			if err := yaml.Unmarshal([]byte(text), &o); err != nil || o.APIVersion == "" || o.Kind == "" || o.Metadata.Name == "" {
				t.Errorf("no object: %v:\n%s", err, text)
			}
			seen++
		}
	}
	if seen < 8 {
		t.Errorf("only %d objects", seen)
	}
}

// TestDeliveryRecipes applies the rights of the page to a hub, and types its commands as the account that has these rights and no
// others.
func TestDeliveryRecipes(t *testing.T) {
	hub := ocmtest.SharedHub(t)
	as := func(who *rest.Config, input string, args ...string) (string, error) {
		t.Helper()
		return hub.Kubectl(t, who, input, args...)
	}
	namespaces := ""
	for _, name := range []string{"waybill-delivery", "berlin", "lyon"} {
		namespaces += strings.ReplaceAll("apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n---\n", "%s", name)
	}
	if out, err := as(hub.Admin(), namespaces+recipe(t, "ClusterRole")+"---\n"+recipe(t, "CustomResourceDefinition"), "apply", "-f", "-"); err != nil {
		t.Fatal(err, out)
	}
	if out, err := as(hub.Admin(), "", "wait", "--for=condition=Established", "crd/applysets.delivery.example.com"); err != nil {
		t.Fatal(err, out)
	}
	applier := hub.ServiceAccount(t, "waybill-delivery", "applier")
	foreign := "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {name: foreign, namespace: lyon}\nspec: {workload: {manifests: [{apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: shop}}]}}\n"
	if out, err := as(hub.Admin(), foreign, "create", "-f", "-"); err != nil {
		t.Fatal(err, out)
	}
	programs, _, err := testenv.APIServerPrograms.Dir()
	must(t, err)
	dir, home := t.TempDir(), t.TempDir()
	env := []string{"PATH=" + buildWaybill(t) + ":" + programs + ":" + os.Getenv("PATH"), "KUBECONFIG=" + hub.Kubeconfig(t, applier), "HOME=" + home,
		"KUBECACHEDIR=" + home, "KUBERC=off"}
	checkShown(t, recipesPage, "", runPage(t, recipesPage, dir, strings.NewReplacer(), env...))
	works, err := as(applier, "", "get", "manifestworks", "-A", "-o", "jsonpath={range .items[*]}{.metadata.namespace}/{.metadata.name} {end}")
	if err != nil || !strings.Contains(works, "berlin/shop-git-0") || !strings.Contains(works, "lyon/foreign") || strings.Contains(works, "lyon/shop-git-0") {
		t.Errorf("want lyon's work pruned and no other, got %s, %v", works, err)
	}

	// A cluster that is not registered holds up itself and the pruning; a missing folder deletes nothing.
	again := func(folder string) (string, error) {
		cmd := exec.Command(filepath.Join(programs, "kubectl"), strings.Fields("apply --recursive -f "+folder+" --server-side --force-conflicts --prune "+
			"--applyset=applysets.delivery.example.com/shop")...) // #nosec G204 -- a test's own arguments
		cmd.Dir, cmd.Env = filepath.Join(dir, "shop"), append(append(os.Environ(), env...), "KUBECTL_APPLYSET=true")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := again("clusters"); err != nil || strings.Contains(out, "pruned") {
		t.Errorf("a second time: %v %s", err, out)
	}
	must(t, os.MkdirAll(filepath.Join(dir, "shop/empty"), 0o755))
	if out, err := again("empty"); err == nil || strings.Contains(out, "pruned") {
		t.Errorf("an empty folder: %v %s", err, out)
	}
	text := readText(t, filepath.Join(dir, "shop/clusters/berlin/shop/manifestwork-0.yaml"))
	writeFile(t, filepath.Join(dir, "shop/clusters/berlin/shop/manifestwork-0.yaml"), strings.ReplaceAll(text, "shop-git-0", "shop-git-1"), 0o644)
	must(t, os.MkdirAll(filepath.Join(dir, "shop/clusters/nowhere"), 0o755))
	writeFile(t, filepath.Join(dir, "shop/clusters/nowhere/work.yaml"), strings.ReplaceAll(text, "berlin", "nowhere"), 0o644)
	if out, err := again("clusters"); err == nil || strings.Contains(out, "pruned") || !strings.Contains(out, "shop-git-1 serverside-applied") || !strings.Contains(out, `namespaces "nowhere" not found`) {
		t.Errorf("a missing namespace: %v %s", err, out)
	}

	for can, want := range map[string]string{"patch manifestworks": "yes", "delete manifestworks": "yes", "list manifestworks": "yes",
		"patch manifestworks --subresource=status": "no", "get secrets": "no", "create namespaces": "no", "delete namespaces": "no", "create pods": "no",
		"patch managedclusters.cluster.open-cluster-management.io": "no", "create clusterrolebindings": "no", "get configmaps": "no", "delete applysets.delivery.example.com": "no"} {
		out, _ := as(applier, "", append([]string{"auth", "can-i", "-n", "lyon"}, strings.Fields(can)...)...) // "no" is exit code 1
		if strings.TrimSpace(out) != want {
			t.Errorf("can it %s: %q, want %s", can, out, want)
		}
	}
}

// argoVersion is the release whose definitions accept the objects of the page.
const argoVersion = "github.com/argoproj/argo-cd/v3@v3.2.0"

// TestArgoRecipe creates the objects for Argo CD on an API server that has its definitions, without unknown fields. The definitions
// come from the module proxy.
func TestArgoRecipe(t *testing.T) {
	testenv.Need(t, testenv.APIServer)
	if page := readText(t, recipesPage); !strings.Contains(page, "Argo CD "+argoVersion[strings.Index(argoVersion, "@")+1:]) {
		t.Errorf("the page names another version than %s", argoVersion)
	}
	cmd := exec.Command("go", "mod", "download", "-json", argoVersion)
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "GOFLAGS=")
	out, err := cmd.Output()
	var module struct{ Dir, Error string }
	if fault := json.Unmarshal(out, &module); err != nil || fault != nil || module.Dir == "" {
		t.Fatalf("get the definitions of Argo CD: %v, %v: %s", err, fault, module.Error)
	}
	c := clustertest.Start(t)
	definitions := t.TempDir()
	for _, kind := range []string{"application", "applicationset", "appproject"} {
		writeFile(t, filepath.Join(definitions, kind+".yaml"), readText(t, filepath.Join(module.Dir, "manifests/crds", kind+"-crd.yaml")), 0o644)
	}
	c.InstallCRDs(t, definitions)
	objects := "apiVersion: v1\nkind: Namespace\nmetadata: {name: argocd}\n---\n" + recipe(t, "AppProject") + "---\n" + recipe(t, "ConfigMap")
	if out, err := c.Kubectl(t, c.Admin(), objects, "create", "--validate=strict", "-f", "-"); err != nil {
		t.Errorf("%v %s", err, out)
	}
	wrong := strings.Replace(recipe(t, "AppProject"), "goTemplateOptions:", "goTemplateOption:", 1)
	if out, err := c.Kubectl(t, c.Admin(), wrong, "apply", "--validate=strict", "-f", "-"); err == nil || !strings.Contains(err.Error(), `unknown field "spec.goTemplateOption"`) {
		t.Errorf("an unknown field is accepted: %v %s", err, out)
	}
}
