package local_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

const (
	mine, other, asked = "deployments.eu.shop.mine", "deployments.eu.shop.other", "deployments.eu.shop.asked"
	adoption           = "heads/waybill/adopted/eu/shop/revisions"
)

// strangers makes a published package, a proposal and a draft of it, as people with git do.
func strangers(f *fleet) {
	f.Helper()
	f.reconcile()
	tree := f.git("rev-parse", firstDraft+"^{tree}")
	f.git("update-ref", "-d", "refs/heads/"+firstDraft)
	f.git("update-ref", "refs/heads/main", ada(f, tree, "main", "v1"))
	f.git("tag", "eu/shop/v1", "main")
	f.git("branch", "drafts/eu/shop/mine", ada(f, tree, "main", "mine"))
	f.git("branch", "proposed/eu/shop/asked", ada(f, tree, "main", "asked"))
}

func ada(f *fleet, tree, parent, message string) string {
	f.Helper()
	return f.git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit-tree", tree, "-p", parent, "-m", message)
}

// adopting has the variant eu take over what exists.
func adopting(f *fleet, more ...string) {
	f.Helper()
	f.edit("eu.yaml", "spec:\n  upstream", "spec:\n  adoptionPolicy: adoptExisting\n"+strings.Join(more, "")+"  upstream")
}

// TestAdoptionIsCarriedOut adopts what others made: owner and labels are there at once, and nothing but them.
func TestAdoptionIsCarriedOut(t *testing.T) {
	f := newFleet(t)
	strangers(f)
	adopting(f, "  labels: {team: ran}\n  annotations: {about: \"two  words\"}\n")
	proposal, tag, draft := f.git("rev-parse", "proposed/eu/shop/asked"), f.git("rev-parse", "eu/shop/v1"), f.git("rev-parse", "drafts/eu/shop/mine")
	f.expect("all are taken over, the draft by a commit", "eu updated: "+mine+": draft updated"+adopts(asked, mine, "deployments.eu.shop.v1"))
	f.expectQuiet("once", "eu unchanged: "+asked+unchanged)

	if got := f.git("show", "-s", "--format=%P%n%B", "drafts/eu/shop/mine"); !strings.HasPrefix(got, draft+"\n") ||
		!strings.Contains(got, "Waybill-Owner: PackageVariant fleet/eu\nWaybill-Repository: deployments\nWaybill-Adopted: "+draft+"\n") {
		t.Errorf("the commit says whose the draft is now; got\n%s", got)
	}
	if got := f.git("diff", "--stat=200", draft, "drafts/eu/shop/mine"); !strings.Contains(got, "eu/shop/Kptfile") || !strings.Contains(got, "1 file changed, 4 insertions(+)") {
		t.Errorf("its Kptfile gets labels and annotations, and nothing else changes; got\n%s", got)
	}
	if diff := cmp.Diff([]string{proposal, tag}, []string{f.git("rev-parse", "proposed/eu/shop/asked"), f.git("rev-parse", "eu/shop/v1")}); diff != "" {
		t.Errorf("a proposal and a tag stay where they are (-want +got):\n%s", diff)
	}
	first, last := min(proposal, tag), max(proposal, tag)
	want := "Adopting package revisions of eu/shop\n\nWaybill-Owner: PackageVariant fleet/eu\nWaybill-Adopted: " + first + "\nWaybill-Adopted: " + last +
		"\nWaybill-Annotations: {\"about\":\"two\\u0020\\u0020words\"}\nWaybill-Labels: {\"team\":\"ran\"}\nWaybill-Repository: deployments\n"
	if diff := cmp.Diff(want, f.git("show", "-s", "--format=%B", "refs/"+adoption)); diff != "" {
		t.Errorf("a branch records the adoption (-want +got):\n%s", diff)
	}
	f.edit("eu.yaml", "adoptExisting", "adoptNone")
	f.expectQuiet("what is adopted stays so", "eu unchanged: "+asked+unchanged)
	f.publish(mine)
	if rev := f.revision(f.store(), mine); rev.Owner.Name != "eu" || rev.Trailers.Get("Waybill-Adopted") != "" {
		t.Errorf("an approval names the owner, and adopts nothing; got %+v", rev)
	}
}

// TestAdoptedAreRetired deletes and moves a variant that adopted what others made.
func TestAdoptedAreRetired(t *testing.T) {
	retired := func(draft string) string {
		return asked + " deleted, with commits by others up to PROPOSAL; " + mine + " deleted, with commits by others up to " + draft + "; deployments.eu.shop.v1 proposed for deletion"
	}
	for name, tc := range map[string]struct {
		reason string
		change func(f *fleet)
		want   string
		left   string // of drafts and proposals
	}{
		"deleted": {"by the policy, which is delete unless it says orphan", (*fleet).delete, "eu updated: " + retired("DRAFT"), ""},
		"moved": {"as the old package goes with the new one", func(f *fleet) { f.edit("eu.yaml", "package: eu/shop", "package: eu/store") },
			"eu created: deployments.eu.store.packagevariant-1: cloned from blueprints.shop.v1; " + retired("DRAFT"), "drafts/eu/store/packagevariant-1"},
		"orphan": {"everything stays", func(f *fleet) { f.orphan() }, "eu unchanged" + unchanged, "drafts/eu/shop/mine proposed/eu/shop/asked"},
		"edited": {"work that came after the adoption is kept, and all else with it", func(f *fleet) {
			f.commit("drafts/eu/shop/mine", map[string]*string{"eu/shop/more.txt": text("more")})
			f.delete()
		}, "eu kept: " + mine + " is Draft, is no longer wanted and holds commits by others up to DRAFT: it is kept, and nothing is changed until it is published or deleted, or --delete-edited-drafts is given",
			"drafts/eu/shop/mine proposed/eu/shop/asked"},
		"another tag": {"a later tag of the name is another revision", func(f *fleet) {
			f.git("update-ref", "refs/tags/eu/shop/v1", ada(f, f.git("rev-parse", "main^{tree}"), "main", "another"))
			f.delete()
		}, "eu updated: " + strings.TrimSuffix(retired("DRAFT"), "; deployments.eu.shop.v1 proposed for deletion"), ""},
		"forged": {"a commit of a user adopts nothing", func(f *fleet) {
			message := f.git("show", "-s", "--format=%B", "refs/"+adoption)
			f.git("update-ref", "refs/"+adoption, f.git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit-tree", "main^{tree}", "-p", "main", "-m", message))
			f.delete()
		}, "eu updated: " + mine + " deleted, with commits by others up to DRAFT", "proposed/eu/shop/asked"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			strangers(f)
			adopting(f)
			f.reconcile()
			tc.change(f)
			want := strings.NewReplacer("DRAFT", f.git("rev-parse", "drafts/eu/shop/mine"), "PROPOSAL", f.git("rev-parse", "proposed/eu/shop/asked")).Replace(tc.want)
			var dry []string
			f.unmoved("a dry run tells it first", func() { dry = lines(f.dryRun()) })
			if diff := cmp.Diff([]string{want}, dry); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff([]string{want}, lines(f.reconcile())); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if got := strings.Join(strings.Fields(f.git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/drafts", "refs/heads/proposed")), " "); got != tc.left {
				t.Errorf("%s: there is %q, want %q", tc.reason, got, tc.left)
			}
		})
	}
}

// TestAdoptedIsNotRecreated moves the upstream of a variant that recreates its drafts.
func TestAdoptedIsNotRecreated(t *testing.T) {
	f := newFleet(t)
	strangers(f)
	f.git("update-ref", "-d", "refs/heads/proposed/eu/shop/asked")
	adopting(f)
	f.edit("eu.yaml", "  namespace: fleet\n", recreate)
	f.reconcile()
	f.moveTo(2, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "good day")})
	f.expectQuiet("others made it", `eu blocked: cannot update upstream of downstream "`+mine+`" when it is not published: it was adopted, not made for this PackageVariant; publish or delete it`)
}

// TestAdoptedByOne has two variants adopt one package: the second leaves it to the first.
func TestAdoptedByOne(t *testing.T) {
	f := newFleet(t)
	strangers(f)
	f.git("update-ref", "-d", "refs/heads/proposed/eu/shop/asked") // which us would change
	adopting(f)
	f.write("us.yaml", replace(t, f.read("eu.yaml"), "name: eu\n", "name: us\n"))
	got := lines(f.reconcile())
	if !strings.HasPrefix(got[0], "eu updated: ") || !strings.HasPrefix(got[1], "us blocked: ") || !strings.Contains(got[1], "it belongs to PackageVariant fleet/eu") {
		t.Errorf("got %q", got)
	}
	gittest.Git(t, f.path("deployments.git"), "update-ref", "-d", "refs/"+adoption)
	f.edit("us.yaml", "adoptExisting", "adoptNone")
	if got := lines(f.reconcile()); !strings.Contains(got[0], "eu updated: ") || !strings.Contains(f.refs(), adoption) {
		t.Errorf("a record that was deleted is made again; got %q\n%s", got, f.refs())
	}
}
