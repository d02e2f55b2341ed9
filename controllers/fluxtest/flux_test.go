package fluxtest

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/controllers/ocmtest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

const work = `apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata: {namespace: shared, name: NAME}
spec:
  workload:
    manifests:
    - {apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: NAME}, data: {key: VALUE}}
`

// TestFlux delivers commits, prunes, and continues after each controller was killed. It applies nothing but works.
func TestFlux(t *testing.T) {
	m := ocmtest.SharedMember(t)
	hub := ocmtest.SharedHub(t)
	f := Start(t, hub.Cluster)
	dir := gittest.NewBare(t)
	commit := func(files map[string]string) string {
		return gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(files)})
	}
	value := func(name string) string {
		if o := m.Get(t, "v1", "ConfigMap", "default", name); o != nil {
			return o.Object["data"].(map[string]any)["key"].(string)
		}
		return "none"
	}
	file := func(name, value string) map[string]string {
		text := strings.NewReplacer("NAME", name, "VALUE", value).Replace(work)
		return map[string]string{"eu/shop/clusters/shared/" + name + "/work.yaml": text}
	}
	commit(file("a", "one"))
	f.Follow(t, gittest.NewHTTP(t, dir))
	f.Sync(t, commit(file("b", "one")))
	if got := value("a") + value("b"); got != "oneone" {
		t.Errorf("both works arrive, got %s", got)
	}
	stray := "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: default, name: stray}\n"
	f.Sync(t, commit(map[string]string{"eu/shop/app.yaml": stray, "eu/shop/clusters/inventory.yaml": stray, "stray.json": "{}",
		"clusters/shared/b/work.yaml": strings.NewReplacer("NAME", "c", "VALUE", "one").Replace(work)}))
	if got := value("c"); got != "one" {
		t.Errorf("the work of a package that is a whole repository arrives, got %s", got)
	}
	if out, err := hub.Kubectl(t, hub.Admin(), "", "get", "configmap", "stray", "--ignore-not-found", "-o", "name"); err != nil || out != "" {
		t.Errorf("objects of the package are not for the hub: %q %v", out, err)
	}
	for _, controller := range Controllers {
		f.Stop(controller)
		last := commit(file("a", controller))
		f.Resume(t, controller)
		f.Sync(t, last)
		if got := value("a"); got != controller {
			t.Errorf("want %s, got %s", controller, got)
		}
	}
	f.Sync(t, gittest.Commit(t, dir, gittest.Change{Files: map[string]*string{"eu/shop/clusters/shared/b/work.yaml": nil}}))
	m.AwaitApplied(t)
	if got := value("b"); got != "none" {
		t.Errorf("a work that left Git is still delivered: %s", got)
	}
}
