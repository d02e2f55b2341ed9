package local_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

var update = flag.Bool("update", false, "rewrite testdata/draft.txtar")

const firstDraft = "drafts/eu/shop/packagevariant-1"

// TestFirstDraft looks at everything that a new draft is: its files to the byte, its commit, and
// that nothing else moved.
func TestFirstDraft(t *testing.T) {
	f := newFleet(t)
	reports := f.expect("a new variant is drafted",
		"eu created: deployments.eu.shop.packagevariant-1: cloned from blueprints.shop.v1")
	files := f.files(firstDraft, "eu/shop")
	files["Kptfile"] = strings.ReplaceAll(files["Kptfile"], f.root, "/srv")
	golden(t, files)
	if diff := cmp.Diff([]string{"Kptfile", "README.md", "app.yaml", "package-context.yaml", "site.yaml"}, reports[0].Files); diff != "" {
		t.Errorf("the report names the files that are new (-want +got):\n%s", diff)
	}
	want := "parent " + f.git("rev-parse", "main") + "\n" +
		"author Package Orchestration Service <porch@kpt.dev> 1767225660 +0000\n" +
		"committer Package Orchestration Service <porch@kpt.dev> 1767225660 +0000\n" +
		"\nCreating new revision by cloning\n\n\n" +
		`kpt:{"package":"eu/shop","workspaceName":"packagevariant-1","revision":"0","task":{"type":"clone","clone":{"upstreamRef":{"upstreamRef":{"name":"blueprints.shop.v1"}}}}}` +
		"\n\nWaybill-Owner: PackageVariant fleet/eu\nWaybill-Repository: deployments"
	_, commit, _ := strings.Cut(f.git("cat-file", "commit", firstDraft), "\n") // after the tree
	if diff := cmp.Diff(want, commit); diff != "" {
		t.Errorf("one commit on main, of the upstream's time, annotated as Porch does (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"heads/" + firstDraft}, f.names()); diff != "" {
		t.Errorf("one branch, and no tag (-want +got):\n%s", diff)
	}
	f.expectQuiet("a second run changes nothing and says so",
		"eu unchanged: deployments.eu.shop.packagevariant-1: nothing to change")
}

func golden(t *testing.T, got map[string]string) {
	t.Helper()
	const file = "testdata/draft.txtar"
	ar := &txtar.Archive{Comment: []byte("What testdata/fleet.txtar's variant is drafted as.\n\n")}
	for _, name := range sortedKeys(got) {
		ar.Files = append(ar.Files, txtar.File{Name: name, Data: []byte(got[name])})
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(txtar.Format(ar))); diff != "" {
		t.Errorf("the draft's files (-want +got):\n%s", diff)
	}
}

// TestSameInputsSameCommits builds the same fleet twice and wants the same refs, through all stages
// of a variant's life.
func TestSameInputsSameCommits(t *testing.T) {
	var refs []string
	through := filepath.Join(t.TempDir(), "fleet")
	for range 2 {
		f := newFleet(t)
		f.link(through)
		f.reconcile()
		f.publish(first)
		f.moveTo(2, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "good day")})
		f.expect("a newer upstream",
			"eu created: deployments.eu.shop.packagevariant-2: upgraded from shop/v1")
		refs = append(refs, f.refs())
	}
	if diff := cmp.Diff(refs[0], refs[1]); diff != "" {
		t.Errorf("the same inputs give the same commit ids (-first +second):\n%s", diff)
	}
}

// TestUpstreamOfAWorkspace clones an upstream that is a draft itself: it has no release to be dated
// by, and moves when it is worked on.
func TestUpstreamOfAWorkspace(t *testing.T) {
	f := newFleet(t)
	dir := f.path("blueprints.git")
	gittest.Git(t, dir, "branch", "drafts/shop/next", "main")
	f.edit("eu.yaml", "revision: 1", "workspaceName: next")
	f.expect("an upstream draft can be cloned",
		"eu created: deployments.eu.shop.packagevariant-1: cloned from blueprints.shop.next")
	if got := f.show(firstDraft, "eu/shop/Kptfile"); !strings.Contains(got, "ref: drafts/shop/next\n") {
		t.Errorf("the lock names the upstream's branch; got\n%s", got)
	}
	f.expectQuiet("an upstream draft that has not moved is what the clone was made of",
		"eu unchanged: deployments.eu.shop.packagevariant-1: nothing to change")
	gittest.Commit(f, f.path("blueprints.git"), gittest.Change{
		Branch: "drafts/shop/next", Files: gittest.Files(map[string]string{"shop/more.txt": "more"}), When: gittest.Epoch.Add(time.Hour),
	})
	f.expectQuiet("once it moves, the downstream, a draft itself, is in the way",
		`eu blocked: cannot update upstream of downstream "deployments.eu.shop.packagevariant-1" when it is not published: publish or delete it, or set the annotation waybill.dev/open-draft: recreate`)
}

// TestProposedUpstream takes the draft that a variant follows through its life: its package stays the same, so the variant is not
// in its own way.
func TestProposedUpstream(t *testing.T) {
	f := newFleet(t)
	dir := f.path("blueprints.git")
	gittest.Git(t, dir, "branch", "drafts/shop/next", "main")
	move := func(from, to string) { gittest.Git(t, dir, "branch", "-m", from, to) }
	f.edit("eu.yaml", "revision: 1", "workspaceName: next")
	f.reconcile()
	move("drafts/shop/next", "proposed/shop/next")
	f.expectQuiet("the draft that it was made of is proposed", "eu unchanged: "+first+unchanged)
	move("proposed/shop/next", "drafts/shop/next")
	f.expectQuiet("and rejected", "eu unchanged: "+first+unchanged)

	f.git("update-ref", "-d", "refs/heads/"+firstDraft)
	move("drafts/shop/next", "proposed/shop/next")
	f.expect("a proposal can be cloned as well", "eu created: "+first+": cloned from blueprints.shop.next")
	f.expectQuiet("and is not out of date at once", "eu unchanged: "+first+unchanged)

	s := f.storeOf("blueprints")
	if _, err := s.Approve(ctx, f.revision(s, "blueprints.shop.next"), revision.Stamp{When: gittest.Epoch.Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	f.expectQuiet("the approval leaves its package as it is", "eu unchanged: "+first+unchanged)
	f.publish(first)
	f.expect("once published, the lock follows the revision, as the branch in it is gone",
		"eu created: "+second+": upgraded from proposed/shop/next")
	if got := f.git("diff", "--name-only", "main", secondDraft); got != "eu/shop/Kptfile" {
		t.Errorf("nothing else changes; got %s", got)
	}
	f.publish(second)
	f.expectQuiet("and then rests", "eu unchanged: "+second+unchanged)
}

// TestDryRun wants every report of a dry run to be that of the run, and every ref where it was.
func TestDryRun(t *testing.T) {
	us := func(f *fleet, oldnew ...string) {
		f.write("us.yaml", replace(f, f.read("eu.yaml"), append([]string{"name: eu", "name: us"}, oldnew...)...))
	}
	for name, tc := range map[string]struct {
		reason  string
		arrange func(f *fleet)
		action  reconciler.Action // of the last variant
	}{
		"create":    {"a new draft", func(*fleet) {}, reconciler.Created},
		"unchanged": {"nothing to do", func(f *fleet) { f.reconcile() }, reconciler.Unchanged},
		"update": {"a change in the variant reaches the open draft", func(f *fleet) {
			f.reconcile()
			f.edit("eu.yaml", "region: eu", "region: emea")
		}, reconciler.Updated},
		"upgrade": {"a newer upstream", func(f *fleet) {
			f.reconcile()
			f.publish("deployments.eu.shop.packagevariant-1")
			f.moveTo(2, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "good day")})
		}, reconciler.Created},
		"retire": {"the old package goes with the new one", func(f *fleet) {
			f.reconcile()
			f.edit("eu.yaml", "package: eu/shop", "package: emea/shop")
		}, reconciler.Created},
		"adopt": {"what others published, proposed and drafted", func(f *fleet) { strangers(f); adopting(f) }, reconciler.Updated},
		"twins": {"two variants want one package: the second sees what the first would have made", func(f *fleet) {
			us(f)
		}, reconciler.Blocked},
		"nested": {"a package inside another's: what the store refuses, the dry run refuses", func(f *fleet) {
			us(f, "package: eu/shop", "package: eu/shop/us")
		}, reconciler.Failed},
		"bad name": {"no name for a package", func(f *fleet) { f.edit("eu.yaml", "package: eu/shop", "package: EU/shop") }, reconciler.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			tc.arrange(f)
			var dry []reconciler.Report
			f.unmoved("a dry run writes nothing", func() { dry = f.dryRun() })
			if got := dry[len(dry)-1].Action; got != tc.action {
				t.Errorf("%s: got %s, want %s", tc.reason, got, tc.action)
			}
			if diff := cmp.Diff(plain(f.reconcile()), plain(dry)); diff != "" {
				t.Errorf("%s: the dry run reports what the run reports (-run +dry run):\n%s", tc.reason, diff)
			}
		})
	}
}

// plain are reports without their errors, which their messages repeat.
func plain(reports []reconciler.Report) []reconciler.Report {
	for i := range reports {
		reports[i].Err = nil
	}
	return reports
}
