package local_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

const recreate = "  namespace: fleet\n  annotations:\n    waybill.dev/open-draft: recreate\n"

// TestOpenDraftAnew moves the upstream of a package that was never published.
func TestOpenDraftAnew(t *testing.T) {
	f := newFleet(t)
	f.edit("eu.yaml", "  namespace: fleet\n", recreate)
	f.reconcile()
	f.moveTo(2, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "good day")})
	f.expect("the draft is recreated",
		"eu created: deployments.eu.shop.packagevariant-2: cloned from blueprints.shop.v2; deployments.eu.shop.packagevariant-1 deleted")
	f.expectQuiet("once", "eu unchanged: deployments.eu.shop.packagevariant-2: nothing to change")
}

// TestOpenDraftAmended amends the draft's commit by hand: its message is ours, and it is not.
func TestOpenDraftAmended(t *testing.T) {
	f := newFleet(t)
	f.edit("eu.yaml", "  namespace: fleet\n", recreate)
	f.reconcile()
	const branch = "refs/heads/drafts/eu/shop/packagevariant-1"
	dir := f.path("deployments.git")
	message := gittest.Git(t, dir, "log", "-1", "--format=%B", branch)
	gittest.Commit(t, dir, gittest.Change{
		Branch: strings.TrimPrefix(branch, "refs/heads/"), Message: message,
		Files: map[string]*string{"eu/shop/mine.txt": text("mine")},
	})
	f.moveTo(2, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "good day")})
	f.unmoved("what a user wrote", func() {
		rep := f.reconcile()[0]
		if rep.Action != reconciler.Blocked || !strings.Contains(rep.Message, "commits by others") {
			t.Errorf("got %s: %s", rep.Action, rep.Message)
		}
	})
}

// TestOpenDraftMerged merges the main branch into a draft, as hosts of Git offer: the draft is still the
// variant's, and others have a hand in it.
func TestOpenDraftMerged(t *testing.T) {
	f := newFleet(t)
	f.edit("eu.yaml", "  namespace: fleet\n", recreate)
	f.reconcile()
	f.commit("main", map[string]*string{"notes.txt": text("by hand")})
	dir, at := f.path("deployments.git"), t.TempDir()
	const branch = "drafts/eu/shop/packagevariant-1"
	gittest.Git(t, dir, "worktree", "add", at+"/draft", branch)
	gittest.Git(t, at+"/draft", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "merge", "-q", "--no-ff", "-m", "Merge branch 'main'", "main")
	gittest.Git(t, dir, "worktree", "remove", at+"/draft")
	f.expectQuiet("it has what is wanted", "eu unchanged: deployments.eu.shop.packagevariant-1: nothing to change")
	f.moveTo(2, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "good day")})
	f.unmoved("and is not recreated", func() {
		if rep := f.reconcile()[0]; rep.Action != reconciler.Blocked || !strings.Contains(rep.Message, "commits by others") {
			t.Errorf("got %s: %s", rep.Action, rep.Message)
		}
	})
}

// TestOrphansAreLetGo moves a variant away under one policy and changes the policy later; and then
// another variant takes over what was let go.
func TestOrphansAreLetGo(t *testing.T) {
	f := newFleet(t)
	f.edit("eu.yaml", "spec:\n", "spec:\n  deletionPolicy: orphan\n")
	f.reconcile()
	f.edit("eu.yaml", "package: eu/shop", "package: eu/store")
	f.expect("the old draft stays", "eu created: deployments.eu.store.packagevariant-1: cloned from blueprints.shop.v1")
	f.edit("eu.yaml", "  deletionPolicy: orphan\n", "")
	f.unmoved("for good", func() { f.reconcile() })

	f.write("other.yaml", replace(t, f.variantFile(), "name: eu\n", "name: other\n", "spec:\n", "spec:\n  adoptionPolicy: adoptExisting\n"))
	for _, rep := range f.reconcile() {
		if rep.Err != nil {
			t.Errorf("%s: %v", rep.Name, rep.Err)
		}
	}
}

// TestEditsTakeLabels edits a published package of a variant whose labels have changed.
func TestEditsTakeLabels(t *testing.T) {
	f := published(t)
	f.edit("eu.yaml", "spec:\n", "spec:\n  labels: {tier: gold}\n")
	f.expectQuiet("labels alone make no draft", "eu unchanged: deployments.eu.shop.packagevariant-1: nothing to change")
	f.edit("eu.yaml", "region: eu\n  pipeline", "region: de\n  pipeline")
	f.reconcile()
	if got := f.show(secondDraft, "eu/shop/Kptfile"); !strings.Contains(got, "tier: gold") {
		t.Errorf("an edit takes them along; got\n%s", got)
	}
}
