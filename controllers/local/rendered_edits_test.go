package local_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

const builtFile = "eu/shop/kustomized/kustomize/deployment_web.yaml"

// overlayFleet is a fleet whose variant builds one of two overlays, in a draft.
func overlayFleet(t *testing.T) *fleet {
	t.Helper()
	f := newFleet(t)
	overlay := func(image, more string) string {
		return "resources: [../../base" + more + "]\nimages: [{name: web, newTag: '" + image + "'}]\n"
	}
	f.release(2, gittest.Files(map[string]string{
		"shop/.krmignore":                        "base/\noverlays/\n",
		"shop/base/kustomization.yaml":           "resources: [web.yaml]\n",
		"shop/base/web.yaml":                     "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      containers:\n      - {name: web, image: web}\n",
		"shop/overlays/small/kustomization.yaml": overlay("1", ""),
		"shop/overlays/large/kustomization.yaml": overlay("2", ", more.yaml"),
		"shop/overlays/large/more.yaml":          "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {clusterIP: None}\n",
	}))
	f.edit("eu.yaml", "revision: 1", "revision: 2", "  pipeline:\n    mutators:\n", "  pipeline:\n    mutators:\n    - image: example.com/kustomize:v1\n"+
		"      name: build\n      configMap:\n        path: overlays/small\n")
	f.reconcile()
	return f
}

// byHand changes a file of the first draft.
func (f *fleet) byHand(file string, oldnew ...string) {
	f.Helper()
	text := replace(f, f.show(firstDraft, file), oldnew...)
	f.commit(firstDraft, map[string]*string{file: &text})
}

// TestEditsOfRenderedObjects changes which overlay a variant builds, after a user edited what was built.
func TestEditsOfRenderedObjects(t *testing.T) {
	const conflict = "what the variant wants now conflicts with local edits, and nothing was changed: "
	large := func(f *fleet) { f.edit("eu.yaml", "overlays/small", "overlays/large") }
	t.Run("another field", func(t *testing.T) {
		f := overlayFleet(t)
		f.byHand(builtFile, "spec:\n  template", "spec:\n  replicas: 7 # for the feast\n  template")
		f.publish(first)
		large(f)
		f.expect("a change opens a draft", "eu created: "+second+": edited from "+first)
		got := f.show(secondDraft, builtFile)
		if !strings.Contains(got, "replicas: 7 # for the feast") || !strings.Contains(got, "image: web:2") {
			t.Errorf("the edit and the new overlay are there; got\n%s", got)
		}
		f.show(secondDraft, "eu/shop/kustomized/kustomize/service_web.yaml")
		f.expectQuiet("and then rests", "eu unchanged: "+second+unchanged)
	})
	t.Run("the same field", func(t *testing.T) {
		f := overlayFleet(t)
		f.byHand(builtFile, "image: web:1", "image: web:1-ours")
		f.publish(first)
		large(f)
		f.expectQuiet("nothing is lost", "eu failed: "+conflict+strings.TrimPrefix(builtFile, "eu/shop/")+
			" Deployment web spec.template.spec.containers[name=web].image: base web:1, upstream web:2, local web:1-ours → undecided; make the "+
			`objects agree with either side in a draft of your own, publish it, and reconcile again with spec.adoptionPolicy "adoptExisting"`)
	})
	t.Run("an object that goes", func(t *testing.T) {
		f := overlayFleet(t)
		large(f)
		f.expect("an open draft follows", "eu updated: "+first+": draft updated")
		const file = "eu/shop/kustomized/kustomize/service_web.yaml"
		f.byHand(file, "spec:\n", "spec:\n  type: ClusterIP\n")
		f.edit("eu.yaml", "overlays/large", "overlays/small")
		reports := f.reconcile()
		if got := lines(reports)[0]; !strings.Contains(got, "eu failed") || !strings.Contains(got, conflict) || !strings.Contains(got, "Service web") {
			t.Errorf("the object that would go is named; got %s", got)
		}
		f.byHand(file, "  type: ClusterIP\n", "")
		f.expect("without the edit it goes", "eu updated: "+first+": draft updated")
		if got := f.files(firstDraft, "eu/shop"); got["kustomized/kustomize/service_web.yaml"] != "" {
			t.Error("the object is still there")
		}
	})
	t.Run("open draft", func(t *testing.T) {
		f := overlayFleet(t)
		f.byHand(builtFile, "metadata:\n", "metadata:\n  labels: {ours: \"yes\"}\n")
		large(f)
		f.expect("the draft follows", "eu updated: "+first+": draft updated")
		if got := f.show(firstDraft, builtFile); !strings.Contains(got, "ours: \"yes\"") || !strings.Contains(got, "image: web:2") {
			t.Errorf("the edit and the new overlay are there; got\n%s", got)
		}
		f.expectQuiet("and then rests", "eu unchanged: "+first+unchanged)
	})
}
