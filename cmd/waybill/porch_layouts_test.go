package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// porchLayouts are the ways in which repositories and packages are laid out; each is tried in both directions.
var porchLayouts = map[string]struct {
	porchLayout
	folder   string // of the packages
	upstream string // in place of the revision of porchVariant
}{
	"folders":        {porchLayout{}, "a/b/c", "revision: %d"},
	"directory":      {porchLayout{directory: "fleet/packages"}, "eu", "revision: %d"},
	"branch":         {porchLayout{branch: "trunk"}, "eu", "revision: %d"},
	"all":            {porchLayout{directory: "fleet", branch: "release-2"}, "a/b/c", "revision: %d"},
	"not deployment": {porchLayout{blank: true}, "", "revision: %d"},
	"workspaces":     {porchLayout{}, "eu", "workspaceName: v%d"},
}

// TestPorchLayouts moves a package of ours through a real Porch, and a package of Porch's through waybill, in every layout.
func TestPorchLayouts(t *testing.T) {
	for name, tc := range porchLayouts {
		t.Run(name, func(t *testing.T) {
			f := newPorchFleet(t, tc.porchLayout)
			p := &porchPackage{f, path.Join(tc.folder, "ours"), tc.upstream}
			p.drafted()
			p.rejectedAndEdited()
			p.published(1)
			p.deletedDraft()
			p.published(2)
			p.deletedRevision()
			p = &porchPackage{f, path.Join(tc.folder, "theirs"), tc.upstream}
			p.porchDrafts()
			p.adopted()
			gittest.Fsck(t, f.deployments)
		})
	}
}

// porchPackage is a package of a fleet.
type porchPackage struct {
	*porchFleet
	pkg      string
	upstream string
}

// revisionName is the name of a revision of the package.
func (p *porchPackage) revisionName(workspace string) string {
	return "deployments." + strings.ReplaceAll(p.pkg, "/", ".") + "." + workspace
}

// variant writes the variant of the package, of a revision of the blueprint.
func (p *porchPackage) variant(n int, more string) {
	p.Helper()
	text := strings.NewReplacer("revision: 1", fmt.Sprintf(p.upstream, n), "package: eu/shop", "package: "+p.pkg, "name: eu,", "name: "+path.Base(p.pkg)+",").Replace(porchVariant)
	if p.blank { // without a deployment repository there is no package context
		text = strings.Replace(text, "  packageContext: {data: {region: eu}}\n", "", 1)
	}
	p.write(path.Base(p.pkg)+".yaml", text+more)
}

// says reconciles, and wants a result for the variant of the package.
func (p *porchPackage) says(result string) {
	p.Helper()
	p.reconcile("fleet/" + path.Base(p.pkg) + " " + result)
}

// drafted lets Porch list a draft of ours with its files.
func (p *porchPackage) drafted() {
	p.Helper()
	p.variant(1, "")
	first := p.revisionName("packagevariant-1")
	p.says("created " + first)
	r := p.await(first, "Draft")
	want := []string{"Kptfile", "app.yaml", "package-context.yaml", "site.yaml"}
	if p.blank {
		want = slices.Delete(want, 2, 3)
	}
	files, _ := p.Resources(p, r)
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, want) || !strings.Contains(files["site.yaml"], "10.2.0.0/16") || r.Package != p.pkg {
		p.Errorf("Porch shows package %s with %v:\n%s", r.Package, got, files["site.yaml"])
	}
}

// rejectedAndEdited proposes the draft, which Porch rejects and edits; the edit stays.
func (p *porchPackage) rejectedAndEdited() {
	p.Helper()
	first := p.revisionName("packagevariant-1")
	p.move(first, "Draft", "Proposed")
	p.says("unchanged")
	p.move(first, "Proposed", "Draft")
	p.Edit(p, p.await(first, "Draft"), "app.yaml", "hello", "hello\n  door: open")
	p.says("unchanged")
}

// published has Porch publish the newest draft. Afterwards nothing is to be done.
func (p *porchPackage) published(n int) {
	p.Helper()
	if r := p.publish(p.revisionName(fmt.Sprintf("packagevariant-%d", n))); int(r.Revision) != n {
		p.Errorf("%s is revision %d", r.Name, r.Revision)
	}
	p.says("unchanged")
	p.onMain(p.path(p.pkg)+fmt.Sprintf("/v%d", n), "door: open")
}

// onMain wants a tag at the head of the branch, and a text in the package there.
func (p *porchPackage) onMain(tag, text string) {
	p.Helper()
	head := gittest.Git(p, p.deployments, "rev-parse", "refs/heads/"+p.head())
	if at := gittest.Git(p, p.deployments, "rev-parse", "refs/tags/"+tag); at != head {
		p.Errorf("%s is at %s, and the branch at %s", tag, at, head)
	}
	if got := gittest.Git(p, p.deployments, "show", head+":"+p.path(p.pkg)+"/app.yaml"); !strings.Contains(got, text) {
		p.Errorf("%s has no %q:\n%s", tag, text, got)
	}
}

// deletedDraft releases a new upstream. Porch deletes the draft of it, which is made again: the same commit, which Porch 1.5.3 lists
// when it sees another change of the repository.
func (p *porchPackage) deletedDraft() {
	p.Helper()
	text := strings.Replace(porchApp, "hello", "good day", 1)
	p.release(2, map[string]*string{"shop/app.yaml": &text})
	p.variant(2, "")
	second := p.revisionName("packagevariant-2")
	p.says("created " + second)
	p.delete(second, "Draft")
	p.says("created " + second)
	gittest.Commit(p, p.deployments, gittest.Change{Branch: p.head(), Files: gittest.Files(map[string]string{p.path("README.md"): "the fleet grows\n"})})
}

// deletedRevision has Porch propose the deletion of the first revision and delete it. It stays deleted.
func (p *porchPackage) deletedRevision() {
	p.Helper()
	first := p.revisionName("packagevariant-1")
	p.move(first, "Published", "DeletionProposed")
	p.delete(first, "DeletionProposed")
	p.says("unchanged")
	if got := p.lifecycles(); got[first] != "" || got[p.revisionName("packagevariant-2")] != "Published" {
		p.Errorf("waybill lists %v", got)
	}
}

// delete has Porch delete a revision.
func (f *porchFleet) delete(name, lifecycle string) {
	f.Helper()
	if err := f.Delete(f, f.await(name, lifecycle)); err != nil {
		f.Fatalf("Porch deletes %s: %v", name, err)
	}
}

// lifecycles are those of the revisions that waybill lists.
func (f *porchFleet) lifecycles() map[string]string {
	f.Helper()
	r := runCLI(f, "rpkg", "get", "-f", f.dir, "-o", "json")
	var list struct {
		Items []struct{ Name, Lifecycle string }
	}
	if err := json.Unmarshal([]byte(r.stdout), &list); err != nil || r.code != exitDone {
		f.Fatalf("exit code %d, %v\n%s%s", r.code, err, r.stdout, r.stderr)
	}
	out := map[string]string{}
	for _, item := range list.Items {
		out[item.Name] = item.Lifecycle
	}
	return out
}

// porchDrafts has Porch clone and edit a package, which waybill lists, proposes, rejects and approves.
func (p *porchPackage) porchDrafts() {
	p.Helper()
	name := p.revisionName("mine")
	draft := p.Clone(p, p.namespace, "deployments", p.pkg, "mine", "blueprints.shop.v1")
	p.Edit(p, draft, "app.yaml", "hello", "hello\n  door: open")
	for _, step := range []struct{ verb, lifecycle string }{{"", "Draft"}, {"propose", "Proposed"}, {"reject", "Draft"}, {"propose", "Proposed"}, {"approve", "Published"}} {
		if step.verb != "" {
			p.rpkg(p, step.verb+" "+name)
		}
		if got := p.lifecycles()[name]; got != step.lifecycle {
			p.Errorf("after %q waybill lists %s as %q, want %s", step.verb, name, got, step.lifecycle)
		}
		p.await(name, step.lifecycle)
	}
	p.onMain(p.path(p.pkg)+"/v1", "door: open")
}

// adopted has a variant take over what Porch made, and upgrade it. Porch publishes the upgrade, and nothing is lost.
func (p *porchPackage) adopted() {
	p.Helper()
	p.variant(2, "  adoptionPolicy: adoptExisting\n")
	p.says("created " + p.revisionName("packagevariant-1"))
	if r := p.publish(p.revisionName("packagevariant-1")); r.Revision != 2 {
		p.Errorf("the upgrade is revision %d", r.Revision)
	}
	p.says("unchanged")
	for _, text := range []string{"door: open", "greeting: good day"} {
		p.onMain(p.path(p.pkg)+"/v2", text)
	}
}
