package local_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// TestEditedDraft has a deletion policy apply to a draft that a user edits: the draft stays and the variant
// waits, until a user publishes or deletes the draft, or the operator says that it may go.
func TestEditedDraft(t *testing.T) {
	for name, tc := range map[string]struct {
		reason   string
		proposed bool
		arrange  func(f *fleet)
		gone     string // what comes of it when the draft is not there any more
		deleted  string // and when the operator lets it go
	}{
		"deleted": {"the variant is being deleted", false, (*fleet).delete, "eu unchanged" + unchanged, "eu updated: " + first + " deleted"},
		"proposed": {"a proposal is no different", true, (*fleet).delete,
			"eu unchanged" + unchanged, "eu updated: " + first + " deleted"},
		"moved": {"the variant wants another package", false, func(f *fleet) { f.edit("eu.yaml", "package: eu/shop", "package: emea/shop") },
			cloned, cloned + "; " + first + " deleted"},
		"another repository": {"the variant wants another repository", false, func(f *fleet) {
			f.git("clone", "--bare", "--single-branch", "--no-tags", ".", f.path("other.git"))
			f.write("other.yaml", repository("other", "../other.git", ""))
			f.edit("eu.yaml", "repo: deployments", "repo: other")
		}, "eu created: other.eu.shop.packagevariant-1: cloned from blueprints.shop.v1",
			"eu created: other.eu.shop.packagevariant-1: cloned from blueprints.shop.v1; " + first + " deleted"},
		"recreated": {"the draft of an old upstream was to be recreated", false, func(f *fleet) {
			f.edit("eu.yaml", "  namespace: fleet\n", "  namespace: fleet\n  annotations: {waybill.dev/open-draft: recreate}\n", "package: eu/shop", "package: emea/shop")
			f.moveTo(2, map[string]*string{"shop/README.md": f.upstream("shop/README.md", "shop", "store")})
		}, "eu created: deployments.emea.shop.packagevariant-1: cloned from blueprints.shop.v2",
			"eu created: deployments.emea.shop.packagevariant-1: cloned from blueprints.shop.v2; " + first + " deleted"},
	} {
		for _, allowed := range []bool{false, true} {
			t.Run(name+map[bool]string{true: ", allowed"}[allowed], func(t *testing.T) {
				f := newFleet(t)
				f.reconcile()
				greeting := replace(t, f.show(firstDraft, "eu/shop/app.yaml"), "hello", "hullo")
				f.commit(firstDraft, map[string]*string{"eu/shop/app.yaml": &greeting})
				tip, state := f.git("rev-parse", firstDraft), "Draft"
				if tc.proposed {
					s := f.store()
					if _, err := s.Propose(ctx, f.revision(s, first)); err != nil {
						t.Fatal(err)
					}
					state = "Proposed"
				}
				tc.arrange(f)
				if allowed {
					in, r := f.open(nil)
					r.DeleteEditedDrafts = true
					if got, want := strings.Join(lines(all(in, r)), "\n"), tc.deleted+", with commits by others up to "+tip; got != want {
						t.Errorf("%s, and drafts may go:\ngot  %s\nwant %s", tc.reason, got, want)
					}
					return
				}
				want := "eu kept: " + first + " is " + state + ", is no longer wanted and holds commits by others up to " + tip +
					": it is kept, and nothing is changed until it is published or deleted, or --delete-edited-drafts is given"
				for range 2 {
					rep := f.expectQuiet(tc.reason, want)[0]
					ready := rep.Conditions[len(rep.Conditions)-1]
					if ready.Type != porchconfig.ConditionReady || ready.Status != "False" || ready.Reason != porchconfig.ReasonEditedDraft || ready.Message != rep.Message {
						t.Errorf("Ready says so; got %+v", ready)
					}
					if rep.Err == nil || len(rep.Kept) != 1 || rep.Kept[0] != first {
						t.Errorf("the report names it; got %v, %v", rep.Kept, rep.Err)
					}
				}
				f.unmoved("a dry run says the same", func() {
					if rep := f.dryRun()[0]; rep.Action != reconciler.Kept {
						t.Errorf("got %s", rep.Action)
					}
				})
				s := f.store()
				if err := s.Delete(ctx, f.revision(s, first), revision.Stamp{}); err != nil {
					t.Fatal(err)
				}
				f.expect(tc.reason+", and it is deleted by hand", tc.gone)
			})
		}
	}
}

// TestEditedDraftOfASet removes a site whose draft a user edits.
func TestEditedDraftOfASet(t *testing.T) {
	const draft = "drafts/sites/paris/packagevariant-1"
	f := setFleet(t)
	f.expand()
	text := "# Paris\n"
	f.commit(draft, map[string]*string{"sites/paris/README.md": &text})
	f.write("sites.yaml", strings.Split(moreSites, "---\n")[0])
	for range 2 {
		f.unmoved("the draft stays", func() {
			got := f.expand()
			if last := got[len(got)-1]; !strings.HasPrefix(last, "edge-deployments-sites-paris kept: deployments.sites.paris.packagevariant-1 is Draft") {
				t.Errorf("got %q", last)
			}
		})
	}
}

// TestEditedDraftThatIsWanted goes on with a draft that holds commits by others: what a variant wants comes on top.
func TestEditedDraftThatIsWanted(t *testing.T) {
	f := newFleet(t)
	f.reconcile()
	text := "# Ours\n"
	f.commit(firstDraft, map[string]*string{"eu/shop/README.md": &text})
	tip := f.git("rev-parse", firstDraft)
	f.edit("eu.yaml", "region: eu", "region: emea")
	f.expect("a commit on top", "eu updated: "+first+": draft updated")
	if f.git("rev-parse", firstDraft+"^") != tip || f.show(firstDraft, "eu/shop/README.md") != text {
		t.Error("their commit and what it says are there")
	}
}

// TestUnknownBeginning keeps a draft whose commits do not lead back to its first one: anything may be in it.
func TestUnknownBeginning(t *testing.T) {
	f := newFleet(t)
	f.reconcile()
	message := f.git("show", "-s", "--format=%B", firstDraft)
	env := []string{"-c", "user.name=Package Orchestration Service", "-c", "user.email=porch@kpt.dev"}
	render := strings.Replace(message, `"task":{"type":"clone","clone":{"upstreamRef":{"upstreamRef":{"name":"blueprints.shop.v1"}}}}`, `"task":{"type":"render"}`, 1)
	id := f.git(append(env, "commit-tree", firstDraft+"^{tree}", "-p", "main", "-m", render)...)
	f.git("update-ref", "refs/heads/"+firstDraft, id)
	f.delete()
	rep := f.reconcile()[0]
	if rep.Action != reconciler.Kept {
		t.Errorf("got %s: %s", rep.Action, rep.Message)
	}
}
