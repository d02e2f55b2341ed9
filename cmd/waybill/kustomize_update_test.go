package main

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestUpdateWarnsOfKustomizations updates a package whose overlay builds objects: without --base rendered, the next render would
// replace edits of them, and the update says so if it changed anything that may be a part of the overlay.
func TestUpdateWarnsOfKustomizations(t *testing.T) {
	const warning, file = "warning: the next render replaces local edits", "shop/kustomized/kustomize/configmap_web.yaml"
	o := newPkgOrigin(t)
	o.commit(t, "c1", map[string]string{
		"shop/Kptfile": strings.Replace(edgeKptfile, "edge", "shop", 1) + "pipeline:\n  mutators:\n" +
			"  - image: ghcr.io/waybill-dev/kustomize:v0.1.0\n    configMap:\n      path: overlay\n",
		"shop/.krmignore":                 "overlay/\n",
		"shop/overlay/kustomization.yaml": "resources: [web.yaml]\n",
		"shop/overlay/web.yaml":           "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  size: small\n  theme: dark\n",
	})
	o.commit(t, "c2", map[string]string{"shop/overlay/kustomization.yaml": "resources: [web.yaml]\ncommonAnnotations: {a: b}\n"})
	t.Chdir(t.TempDir())
	gittest.Git(t, ".", "init", "--quiet", "--initial-branch=main", ".")
	mustRun(t, "pkg", "get", o.bare+"/shop@c1")
	mustRun(t, "fn", "render", "shop")
	commitAll(t, ".", "rendered")
	edit(t, file, "theme: dark", "theme: light")
	commitAll(t, ".", "edited")
	if r := mustRun(t, "pkg", "update", "shop@c1", "--dry-run"); strings.Contains(r.stderr, warning) {
		t.Errorf("nothing changes: %s", r.stderr)
	}
	if r := mustRun(t, "pkg", "update", "shop@c2", "--dry-run"); !strings.Contains(r.stderr, warning) {
		t.Errorf("without --base rendered: %s", r.stderr)
	}
	if r := mustRun(t, "pkg", "update", "shop@c2", "--base", "rendered"); strings.Contains(r.stderr, warning) {
		t.Errorf("with --base rendered: %s", r.stderr)
	}
	mustRun(t, "fn", "render", "shop")
	if got := readText(t, file); !strings.Contains(got, "theme: light") || !strings.Contains(got, "a: b") {
		t.Errorf("the edit and the change are there; got\n%s", got)
	}
}
