package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestPorchContinuesOurs drafts a package, which a real Porch lists, proposes and approves; then nothing is left to do, until
// upstream moves.
func TestPorchContinuesOurs(t *testing.T) {
	f := newPorchFleet(t)
	f.write("eu.yaml", porchVariant)
	f.reconcile("fleet/eu created deployments.eu.shop.packagevariant-1")
	drafted := f.await("deployments.eu.shop.packagevariant-1", "Draft")
	files, _ := f.Resources(t, drafted)
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, []string{"Kptfile", "app.yaml", "package-context.yaml", "site.yaml"}) || !strings.Contains(files["site.yaml"], "10.2.0.0/16") {
		t.Errorf("Porch shows the files of the draft; got %v\n%s", got, files["site.yaml"])
	}
	published := f.publish(drafted.Name)
	if published.Revision != 1 {
		t.Errorf("it is revision %d", published.Revision)
	}
	refs := gittest.Refs(t, f.deployments)
	f.reconcile("fleet/eu unchanged")
	if after := gittest.Refs(t, f.deployments); after != refs {
		t.Errorf("an approval by Porch makes no new draft; refs were\n%sand are\n%s", refs, after)
	}
	text := strings.Replace(porchApp, "hello", "good day", 1)
	f.release(2, map[string]*string{"shop/app.yaml": &text})
	f.write("eu.yaml", strings.Replace(porchVariant, "revision: 1", "revision: 2", 1))
	f.reconcile("fleet/eu created deployments.eu.shop.packagevariant-2")
	if second := f.publish("deployments.eu.shop.packagevariant-2"); second.Revision != 2 {
		t.Errorf("the upgrade is revision %d", second.Revision)
	}
	f.reconcile("fleet/eu unchanged")
}

// TestWaybillContinuesPorchs adopts a package that a real Porch cloned and published, and upgrades it: what was edited stays,
// names stay, and Porch goes on with the result.
func TestWaybillContinuesPorchs(t *testing.T) {
	f := newPorchFleet(t)
	f.await("blueprints.shop.v1", "Published")
	draft := f.Clone(t, f.namespace, "deployments", "eu/shop", "one", "blueprints.shop.v1")
	f.Edit(t, draft, "app.yaml", "hello", "hello\n  door: open")
	f.publish(draft.Name)
	before := gittest.Git(t, f.deployments, "show", "main:eu/shop/Kptfile")
	text := strings.Replace(porchApp, "hello", "good day", 1)
	f.release(2, map[string]*string{"shop/app.yaml": &text})
	f.write("eu.yaml", strings.Replace(porchVariant, "revision: 1", "revision: 2", 1)+"  adoptionPolicy: adoptExisting\n")
	f.reconcile("fleet/eu created deployments.eu.shop.packagevariant-1")
	upgraded := f.publish("deployments.eu.shop.packagevariant-1")
	if upgraded.Revision != 2 {
		t.Errorf("the upgrade is revision %d", upgraded.Revision)
	}
	files, _ := f.Resources(t, upgraded)
	for file, wants := range map[string][]string{"app.yaml": {"greeting: good day", "door: open"}, "site.yaml": {"10.2.0.0/16"}, "package-context.yaml": {"region: eu", "name: eu/shop"}, "Kptfile": {"ref: shop/v2", "name: eu/shop"}} {
		for _, want := range wants {
			if !strings.Contains(files[file], want) {
				t.Errorf("%s has no %q:\n%s\nPorch's Kptfile was\n%s", file, want, files[file], before)
			}
		}
	}
	f.reconcile("fleet/eu unchanged")
}

// TestPorchSharesTheLifecycle moves a draft of ours to and fro, by Porch and by waybill.
func TestPorchSharesTheLifecycle(t *testing.T) {
	f := newPorchFleet(t)
	f.write("eu.yaml", porchVariant)
	f.reconcile("fleet/eu created")
	const name = "deployments.eu.shop.packagevariant-1"
	rpkg := func(verb, want string) {
		t.Helper()
		if r := runCLI(t, "rpkg", verb, "-f", f.dir, name); r.code != exitDone || !strings.Contains(collapseSpaces(r.stdout), want) {
			t.Fatalf("rpkg %s: want %q, got exit code %d\n%s%s", verb, want, r.code, r.stdout, r.stderr)
		}
	}
	f.await(name, "Draft")
	rpkg("propose", "proposed")
	if err := f.SetLifecycle(t, f.await(name, "Proposed"), "Draft"); err != nil {
		t.Fatalf("Porch rejects: %v", err)
	}
	rpkg("get", "Draft")
	f.Edit(t, f.await(name, "Draft"), "app.yaml", "hello", "hullo")
	f.reconcile("fleet/eu unchanged")
	if got := gittest.Git(t, f.deployments, "show", "drafts/eu/shop/packagevariant-1:eu/shop/app.yaml"); !strings.Contains(got, "hullo") {
		t.Errorf("an edit by Porch stays; got\n%s", got)
	}
	rpkg("propose", "proposed")
	rpkg("approve", "approved")
	published := f.await(name, "Published")
	if by, _, _ := unstructured.NestedString(published.Object.Object, "status", "publishedBy"); by != "grace@example.com" {
		t.Errorf("Porch says that %q published it", by)
	}
	if err := f.SetLifecycle(t, published, "DeletionProposed"); err != nil {
		t.Fatalf("Porch proposes the deletion: %v", err)
	}
	rpkg("get", "DeletionProposed")
	rpkg("reject", "no longer proposed for deletion")
	f.await(name, "Published")
}
