package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// shipped makes the package called hidden a fleet of one cluster.
const shipped = `  - image: ghcr.io/waybill-dev/set-labels:v0.1.0
    configMap: {app: shop}
    selectors: [{kind: ConfigMap}]
  - image: ghcr.io/waybill-dev/bind-resolve:v0.1.0
  - image: ghcr.io/waybill-dev/bundle-manifestwork:v0.1.0
-- fleet.yaml --
apiVersion: control.kubestellar.io/v1alpha1
kind: BindingPolicy
metadata:
  name: all
spec:
  clusterSelectors:
  - matchLabels: {env: prod}
  downsync:
  - objectSelectors:
    - matchLabels: {app: shop}
---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata:
  name: paris
  labels: {env: prod}
-- .krmignore --`

// TestFilesThatAreNoResources changes a file that only a function reads: renders from a folder, with a cache, of a commit and of
// the work tree all see it.
func TestFilesThatAreNoResources(t *testing.T) {
	testenv.Need(t, testenv.Git)
	t.Chdir(t.TempDir())
	t.Setenv("WAYBILL_CACHE_DIR", t.TempDir())
	text := strings.Replace(strings.Replace(hidden, "-- .krmignore --", shipped, 1), "kustomize\n", "kustomize:v0.1.0\n", 1)
	for _, f := range txtar.Parse([]byte(text)).Files {
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, f.Name, string(f.Data), 0o644)
	}
	for range 2 { // the second render is not from the cache of the first: it has its output
		done(t, "fn", "render")
	}
	gittest.Git(t, ".", "init", "--quiet", "--initial-branch=main")
	commitAll(t, ".", "one")
	writeFile(t, "overlays/prod/motd.txt", "another\n", 0o644)
	const want = "1 of 1 cluster changes. Objects: 1 added, 1 removed."
	if out := done(t, "fleet", "preview", "HEAD.."); !strings.Contains(out, want) {
		t.Errorf("work tree: %s", out)
	}
	commitAll(t, ".", "two")
	if out := done(t, "fleet", "preview", "HEAD~1..HEAD"); !strings.Contains(out, want) {
		t.Errorf("commits: %s", out)
	}
	done(t, "fn", "render")
	if found, err := filepath.Glob("kustomized/kustomize/configmap_*"); err != nil || len(found) != 1 {
		t.Fatalf("%v %v", found, err)
	} else if data, err := os.ReadFile(found[0]); err != nil || !strings.Contains(string(data), "another") {
		t.Errorf("%v: %s", err, data)
	}
	if out := done(t, "fn", "eval", "--image", "ghcr.io/waybill-dev/kustomize:v0.1.0", "-o", "unwrap", "--", "path=overlays/prod"); !strings.Contains(out, "another") {
		t.Errorf("eval: %s", out)
	}
}
