package local_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

const (
	first     = "deployments.eu.shop.packagevariant-1"
	second    = "deployments.eu.shop.packagevariant-2"
	unchanged = ": nothing to change"
)

// TestChangedVariant changes what a variant wants at every stage of its package's life.
func TestChangedVariant(t *testing.T) {
	t.Run("draft", func(t *testing.T) {
		f := newFleet(t)
		f.reconcile()
		was := f.git("rev-parse", firstDraft)
		f.edit("eu.yaml", "region: eu\n  pipeline", "region: emea\n      zone: a\n    removeKeys: [none]\n  pipeline")
		f.expect("an open draft follows", "eu updated: "+first+": draft updated")
		if got := f.show(firstDraft, "eu/shop/package-context.yaml"); !strings.HasSuffix(got, "  region: emea\n  zone: a\n") {
			t.Errorf("the context is as wanted; got\n%s", got)
		}
		const annotation = `kpt:{"package":"eu/shop","workspaceName":"packagevariant-1","revision":"0","task":{"type":"render"}}`
		if got := f.git("show", "-s", "--format=%P%n%B", firstDraft); got != was+"\nRendering package\n\n\n"+annotation+"\n\nWaybill-Owner: PackageVariant fleet/eu\nWaybill-Repository: deployments\n" {
			t.Errorf("a commit on top of the draft; got\n%s", got)
		}
		f.expectQuiet("and then rests", "eu unchanged: "+first+unchanged)
	})
	t.Run("draft with a user's work in it", func(t *testing.T) {
		f := newFleet(t)
		f.reconcile()
		ours := replace(t, f.show(firstDraft, "eu/shop/app.yaml"), "hello", "hullo")
		f.commit(firstDraft, map[string]*string{"eu/shop/app.yaml": &ours})
		f.expectQuiet("work in a draft affects no other variant", "eu unchanged: "+first+unchanged)
		f.edit("eu.yaml", "region: eu", "region: emea")
		f.expect("it stays when the variant changes", "eu updated: "+first+": draft updated")
		if got := f.show(firstDraft, "eu/shop/app.yaml"); got != replace(t, ours, "'eu'", "'emea'") {
			t.Errorf("both changes are there; got\n%s", got)
		}
	})
	t.Run("proposal", func(t *testing.T) {
		f := newFleet(t)
		f.reconcile()
		s := f.store()
		if _, err := s.Propose(ctx, f.revision(s, first)); err != nil {
			t.Fatal(err)
		}
		f.expectQuiet("a proposal that is right rests", "eu unchanged: "+first+unchanged)
		f.edit("eu.yaml", "region: eu", "region: emea")
		f.expectQuiet("a proposal is not changed under its reviewers",
			"eu failed: "+first+": it is Proposed and would change; reject or approve it first")
	})
	t.Run("published", func(t *testing.T) {
		f := published(t)
		f.expectQuiet("what is published and right rests", "eu unchanged: "+first+unchanged)
		was := f.show("main", "eu/shop/Kptfile")
		f.edit("eu.yaml", "  pipeline:\n    mutators:\n    - image: example.com/note:v1\n      name: region\n      configMap:\n        region: eu\n", "")
		f.expect("a change opens a draft", "eu created: "+second+": edited from "+first)
		want := replace(t, was, "  - image: example.com/note:v1\n    configMap:\n      region: eu\n    name: PackageVariant.eu.region.0\n", "")
		if diff := cmp.Diff(want, f.show(secondDraft, "eu/shop/Kptfile")); diff != "" {
			t.Errorf("the package's own pipeline is back (-want +got):\n%s", diff)
		}
		const annotation = `kpt:{"package":"eu/shop","workspaceName":"packagevariant-2","revision":"0","task":{"type":"edit","edit":{"sourceRef":{"name":"deployments.eu.shop.packagevariant-1"}}}}`
		if got := f.git("show", "-s", "--format=%P%n%B", secondDraft); got != f.git("rev-parse", "main")+"\nCreating new revision by copying previous revision\n\n\n"+annotation+"\n\nWaybill-Owner: PackageVariant fleet/eu\nWaybill-Repository: deployments\n" {
			t.Errorf("one commit on main; got\n%s", got)
		}
		f.expectQuiet("and then rests", "eu unchanged: "+second+unchanged)
	})
	t.Run("injected object", func(t *testing.T) {
		f := published(t)
		f.edit("context.yaml", "10.2.0.0/16", "10.3.0.0/16")
		f.expect("a context object that changed opens a draft", "eu created: "+second+": edited from "+first)
		if got := f.git("diff", "--name-only", "main", secondDraft); got != "eu/shop/site.yaml" {
			t.Errorf("only what it is injected into changes; got %s", got)
		}
	})
	t.Run("no object to inject", func(t *testing.T) {
		f := newFleet(t)
		f.edit("eu.yaml", "name: lyon", "name: oslo")
		f.expect("a required injection that finds nothing is said, and no error",
			"eu created: "+first+": cloned from blueprints.shop.v1; config.injection.Site.site: no resource matched any injection selector for this injection point")
	})
}

// TestAdoption meets a package that is there already.
func TestAdoption(t *testing.T) {
	adopt := func(f *fleet) {
		f.edit("eu.yaml", "spec:\n  upstream", "spec:\n  adoptionPolicy: adoptExisting\n  upstream")
	}
	disown := func(f *fleet) { // as if another user had made the draft: the same package, without the trailer
		tree := f.git("rev-parse", firstDraft+"^{tree}")
		id := f.git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit-tree", tree, "-p", "main", "-m", "mine")
		f.git("update-ref", "refs/heads/drafts/eu/shop/mine", id)
		f.git("update-ref", "-d", "refs/heads/"+firstDraft)
	}
	t.Run("none", func(t *testing.T) {
		f := newFleet(t)
		f.reconcile()
		disown(f)
		f.expectQuiet("what is a user's is left alone",
			`eu blocked: downstream package "eu/shop" exists already in repo "deployments" (revision "deployments.eu.shop.mine"): spec.adoptionPolicy "adoptExisting" takes it over`)
	})
	t.Run("draft", func(t *testing.T) {
		f := newFleet(t)
		f.reconcile()
		disown(f)
		adopt(f)
		was := f.files("drafts/eu/shop/mine", "eu/shop")
		f.expect("a draft that is right is taken over as it is", "eu updated: deployments.eu.shop.mine: draft updated"+adopts("deployments.eu.shop.mine"))
		if diff := cmp.Diff(was, f.files("drafts/eu/shop/mine", "eu/shop")); diff != "" {
			t.Errorf("its files stay (-want +got):\n%s", diff)
		}
		f.edit("eu.yaml", "region: eu", "region: emea")
		f.expect("and changed from then on", "eu updated: deployments.eu.shop.mine: draft updated")
		f.edit("eu.yaml", "adoptExisting", "adoptNone")
		f.expectQuiet("with its commit it has an owner", "eu unchanged: deployments.eu.shop.mine"+unchanged)
	})
	t.Run("published", func(t *testing.T) {
		f := newFleet(t)
		f.reconcile()
		disown(f)
		f.publish("deployments.eu.shop.mine")
		adopt(f)
		f.moveTo(2, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "good day")})
		f.expect("a published package is upgraded, whoever made it",
			"eu created: deployments.eu.shop.packagevariant-1: upgraded from shop/v1"+adopts("deployments.eu.shop.mine"))
	})
	t.Run("another variant's", func(t *testing.T) {
		f := newFleet(t)
		f.reconcile()
		f.write("us.yaml", replace(t, f.read("eu.yaml"), "name: eu\n", "name: us\n"))
		adopt(f)
		f.expectQuiet("what belongs to another variant is not taken",
			"eu unchanged: "+first+unchanged,
			notTaken)
	})
}

// TestOwnRevisionBesideAStrangers keeps following the upstream of the revision that is ours when
// another user published a newer one.
func TestOwnRevisionBesideAStrangers(t *testing.T) {
	f := published(t)
	f.git("branch", "drafts/eu/shop/mine", "main")
	f.publish("deployments.eu.shop.mine")
	f.moveTo(2, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "good day")})
	f.expect("the newest of ours follows upstream, and the report says what that leaves out", "eu created: "+second+": upgraded from shop/v1; "+
		"deployments.eu.shop.mine was published after "+first+" and is not this variant's: what it changed is not followed, and "+
		"approving a later draft would undo it")
}

// TestOneFails puts a variant that fails before, between and after one that does not.
func TestOneFails(t *testing.T) {
	f := newFleet(t)
	eu := f.read("eu.yaml")
	for _, name := range []string{"aa", "us", "zz"} {
		bad := replace(t, eu, "name: eu\n", "name: "+name+"\n", "eu/shop", name+"/shop", "revision: 1", "revision: 9")
		f.write(name+".yaml", bad)
	}
	f.write("fr.yaml", replace(t, eu, "name: eu\n", "name: fr\n", "eu/shop", "fr/shop"))
	const missing = "could not find upstream package revision 'shop/v9' in repo 'blueprints'"
	f.expect("each on its own",
		"aa failed: "+missing,
		"eu created: "+first+": cloned from blueprints.shop.v1",
		"fr created: deployments.fr.shop.packagevariant-1: cloned from blueprints.shop.v1",
		"us failed: "+missing, "zz failed: "+missing)
	if diff := cmp.Diff([]string{"heads/" + firstDraft, "heads/drafts/fr/shop/packagevariant-1"}, f.names()); diff != "" {
		t.Error(diff)
	}
}

// TestEmptyRepository makes the main branch with the first draft, where it is allowed to.
func TestEmptyRepository(t *testing.T) {
	f := newFleet(t)
	f.git("update-ref", "-d", "refs/heads/main")
	f.expectQuiet("no branch to draft on",
		`eu failed: create draft of package "eu/shop", workspace "packagevariant-1": repository "deployments" has no branch "main": push one, or set spec.git.createBranch`)
	f.edit("repositories.yaml", "repo: ../deployments.git", "repo: ../deployments.git\n    createBranch: true\n    author: Ada\n    email: ada@example.com")
	f.expect("made with the draft", "eu created: "+first+": cloned from blueprints.shop.v1")
	if got := f.git("log", "--format=%an %ae %cn|%s", firstDraft); got != "Ada ada@example.com Package Orchestration Service|Creating new revision by cloning\n"+
		"Ada ada@example.com Package Orchestration Service|Initial commit: Creating main branch" {
		t.Errorf("the repository's author signs; got\n%s", got)
	}
}

// TestOtherBranchAndDirectory keeps to the branch and folder that the Repositories name.
func TestOtherBranchAndDirectory(t *testing.T) {
	f := newFleet(t)
	gittest.Git(t, f.path("blueprints.git"), "branch", "-m", "main", "trunk")
	f.git("branch", "-m", "main", "live")
	f.edit("repositories.yaml", "repo: ../blueprints.git", "repo: ../blueprints.git\n    branch: trunk",
		"repo: ../deployments.git", "repo: ../deployments.git\n    branch: live\n    directory: /fleet/")
	f.expect("drafted below the directory", "eu created: "+first+": cloned from blueprints.shop.v1")
	if diff := cmp.Diff([]string{"heads/drafts/fleet/eu/shop/packagevariant-1", "heads/live"}, f.names()); diff != "" {
		t.Error(diff)
	}
	if got := f.git("ls-tree", "--name-only", "-r", "drafts/fleet/eu/shop/packagevariant-1"); !strings.HasPrefix(got, "fleet/eu/shop/Kptfile\n") {
		t.Errorf("got %s", got)
	}
	f.expectQuiet("found again there", "eu unchanged: "+first+unchanged)
}

// TestGoesWithoutRepository deletes a variant after the Repository that it had its drafts in: what is
// there cannot be resolved, and is reported.
func TestGoesWithoutRepository(t *testing.T) {
	f := newFleet(t)
	f.reconcile()
	in, r := f.open(nil)
	pv := in.Variants[0].DeepCopy()
	pv.DeletionTimestamp, pv.Spec.Downstream.Repo = &metav1.Time{Time: gittest.Epoch}, "elsewhere"
	const want = `Repository "elsewhere" does not exist any more: revisions in it stay; deployments.eu.shop.packagevariant-1 deleted`
	if got := r.ReconcileAll(ctx, []*porchconfig.PackageVariant{pv}, nil)[0]; got.Err != nil || got.Message != want {
		t.Errorf("got %q, %v", got.Message, got.Err)
	}
}
