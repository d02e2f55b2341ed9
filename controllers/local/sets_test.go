package local_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/variant/variantset"
)

// sites is a set over Sites, and two of them beside the one that the fleet has.
const sites = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: edge
  namespace: fleet
spec:
  upstream:
    repo: blueprints
    package: shop
    revision: 1
  targets:
  - objectSelector:
      apiVersion: infra.example/v1
      kind: Site
    template:
      downstream:
        repo: deployments
        packageExpr: "'sites/' + target.name"
      injectors:
      - kind: Site
        nameExpr: target.name
`

const moreSites = `apiVersion: infra.example/v1
kind: Site
metadata:
  name: nice
  namespace: fleet
spec:
  cidr: 10.3.0.0/16
---
apiVersion: infra.example/v1
kind: Site
metadata:
  name: paris
  namespace: fleet
spec:
  cidr: 10.4.0.0/16
`

// setFleet is a fleet whose only variants are those of the set.
func setFleet(t testing.TB) *fleet {
	f := newFleet(t)
	f.remove("eu.yaml")
	f.write("edge.yaml", sites)
	f.write("sites.yaml", moreSites)
	return f
}

// expand reconciles sets and then variants, and tells both, a line each.
func (f *fleet) expand() (out []string) {
	f.Helper()
	in, r := f.open(nil)
	for _, rep := range in.Expand(ctx, f.repos) {
		out = append(out, setLine(rep))
	}
	return append(out, lines(all(in, r))...)
}

func setLine(rep variantset.Report) string {
	if rep.Err != nil {
		return fmt.Sprintf("set %s failed: %v", rep.Name, rep.Err)
	}
	return fmt.Sprintf("set %s: +%d ~%d -%d", rep.Name, len(rep.Created), len(rep.Updated), len(rep.Deleted))
}

func (f *fleet) expectSets(reason string, want ...string) {
	f.Helper()
	if diff := cmp.Diff(want, f.expand()); diff != "" {
		f.Fatalf("%s (-want +got):\n%s", reason, diff)
	}
	gittest.Fsck(f, f.path("deployments.git"))
}

// quietly runs do, which must leave every ref where it was.
func (f *fleet) expectQuietSets(reason string, want ...string) {
	f.Helper()
	f.unmoved(reason, func() { f.expectSets(reason, want...) })
}

const made = ": deployments.sites.%[1]s.packagevariant-1: cloned from blueprints.shop.v1"

func TestSet(t *testing.T) {
	f := setFleet(t)
	variants := func(tail string) (out []string) {
		for _, site := range []string{"lyon", "nice", "paris"} {
			out = append(out, "edge-deployments-sites-"+site+" "+strings.ReplaceAll(tail, "%[1]s", site))
		}
		return out
	}
	f.expectSets("a variant for each site", append([]string{"set edge: +3 ~0 -0"}, variants("created"+made)...)...)
	f.expectQuietSets("and no more", append([]string{"set edge: +0 ~3 -0"}, variants("unchanged: deployments.sites.%[1]s.packagevariant-1: nothing to change")...)...)
	if got := f.show("drafts/sites/nice/packagevariant-1", "sites/nice/site.yaml"); !strings.Contains(got, "10.3.0.0/16") {
		t.Errorf("each gets its own site; got\n%s", got)
	}

	f.write("sites.yaml", strings.Split(moreSites, "---\n")[0]) // paris goes
	f.expectSets("a draft that is no longer wanted goes",
		"set edge: +0 ~2 -1",
		"edge-deployments-sites-lyon unchanged: deployments.sites.lyon.packagevariant-1: nothing to change",
		"edge-deployments-sites-nice unchanged: deployments.sites.nice.packagevariant-1: nothing to change",
		"edge-deployments-sites-paris updated: deployments.sites.paris.packagevariant-1 deleted")
	f.expectQuietSets("and is forgotten",
		"set edge: +0 ~2 -0",
		"edge-deployments-sites-lyon unchanged: deployments.sites.lyon.packagevariant-1: nothing to change",
		"edge-deployments-sites-nice unchanged: deployments.sites.nice.packagevariant-1: nothing to change")

	f.remove("sites.yaml")
	f.remove("context.yaml")
	refused := f.refs()
	got := f.expand()
	if len(got) != 1 || !strings.HasPrefix(got[0], "set edge failed: ") || !strings.Contains(got[0], "Site") {
		t.Errorf("no site at all is a mistake and no mass deletion; got %q", got)
	}
	if diff := cmp.Diff(refused, f.refs()); diff != "" {
		t.Errorf("refs moved (-before +after):\n%s", diff)
	}
}

// TestSetOrphans lets go of what is no longer wanted.
func TestSetOrphans(t *testing.T) {
	f := setFleet(t)
	f.edit("edge.yaml", "      injectors:\n", "      deletionPolicy: orphan\n      injectors:\n")
	f.expand()
	f.remove("sites.yaml")
	f.expectQuietSets("an orphan stays, and no report mentions it",
		"set edge: +1 ~0 -0",
		"edge-deployments-sites-lyon unchanged: deployments.sites.lyon.packagevariant-1: nothing to change")
}

// TestSetOrphansOfTargetsGone removes a target that orphans, and leaves one that does not.
func TestSetOrphansOfTargetsGone(t *testing.T) {
	f := setFleet(t)
	const byName = "  - repositories: [{name: deployments, packageNames: [NAME]}]\n"
	kept, gone := strings.Replace(byName, "NAME", "kept", 1), strings.Replace(byName, "NAME", "gone", 1)+"    template: {deletionPolicy: orphan}\n"
	head, _, _ := strings.Cut(sites, "  - objectSelector")
	f.write("edge.yaml", head+gone+kept)
	f.expand()
	f.write("edge.yaml", head+kept)
	f.expectQuietSets("it was to be let go, and is", "set edge: +0 ~1 -0", "edge-deployments-kept unchanged: deployments.kept.packagevariant-1: nothing to change; config.injection.Site.site: no injectors defined")
}

// TestSetTakesNothing leaves alone what the set did not make: a variant of the files with that name, and
// variants of another set.
func TestSetTakesNothing(t *testing.T) {
	f := setFleet(t)
	f.expand()
	f.write("other.yaml", replace(t, sites, "name: edge\n", "name: other\n", "'sites/'", "'others/'"))
	got := f.expand()
	if want := "set other: +3 ~0 -0"; !slices.Contains(got, want) || !slices.Contains(got, "set edge: +0 ~3 -0") {
		t.Errorf("want %q beside the first set, got %q", want, got)
	}
	f.remove("edge.yaml")
	f.unmoved("a set whose file is gone", func() { f.expand() })

	f.write("edge.yaml", sites)
	f.write("mine.yaml", strings.Replace(f.variantFile(), "name: eu\n", "name: edge-deployments-sites-lyon\n", 1))
	if got := f.expand(); !strings.Contains(got[0], `the PackageVariant "edge-deployments-sites-lyon" exists already`) {
		t.Errorf("want the name, got %q", got[0])
	}
}

// TestSetPolicyOfNow removes a target after its set's deletion policy has changed, which made no commit.
func TestSetPolicyOfNow(t *testing.T) {
	f := setFleet(t)
	f.expand()
	f.edit("edge.yaml", "      injectors:\n", "      deletionPolicy: orphan\n      injectors:\n")
	f.expand()
	f.remove("sites.yaml")
	f.unmoved("what is let go stays", func() { f.expand() })
}

// TestSetGoes deletes a set, as garbage collection would delete its variants.
func TestSetGoes(t *testing.T) {
	f := setFleet(t)
	f.expand()
	f.edit("edge.yaml", "  namespace: fleet\n", "  namespace: fleet\n  deletionTimestamp: \"2026-01-01T00:00:00Z\"\n  finalizers: [x]\n")
	f.expectSets("its drafts go",
		"set edge: +0 ~0 -3",
		"edge-deployments-sites-lyon updated: deployments.sites.lyon.packagevariant-1 deleted",
		"edge-deployments-sites-nice updated: deployments.sites.nice.packagevariant-1 deleted",
		"edge-deployments-sites-paris updated: deployments.sites.paris.packagevariant-1 deleted")
	f.expectQuietSets("and that is it", "set edge: +0 ~0 -0")
}

// TestSetBesideAnUnreadRepository has a Repository that cannot be read, which no target names: variants are made and
// changed, and none is deleted, as there may be others.
func TestSetBesideAnUnreadRepository(t *testing.T) {
	const kept = "edge-deployments-sites-lyon unchanged: deployments.sites.lyon.packagevariant-1: nothing to change"
	f := setFleet(t)
	f.write("sites.yaml", strings.Split(moreSites, "---\n")[0]) // no paris yet
	f.expand()
	f.write("lost.yaml", repository("lost", "../lost.git", ""))
	f.write("sites.yaml", moreSites)
	f.expectSets("one more is made", "set edge: +1 ~2 -0", kept,
		"edge-deployments-sites-nice unchanged: deployments.sites.nice.packagevariant-1: nothing to change",
		"edge-deployments-sites-paris created: deployments.sites.paris.packagevariant-1: cloned from blueprints.shop.v1")
	f.write("sites.yaml", strings.Split(moreSites, "---\n")[1]) // nice goes
	f.unmoved("none goes", func() {
		got := f.expand()
		for _, want := range []string{`PackageVariant "edge-deployments-sites-nice" is no longer wanted: nothing is deleted while a Repository cannot be read`,
			"make it readable, or delete the Repository object: repository fleet/lost"} {
			if !strings.Contains(got[0], want) {
				t.Errorf("want %q, got %q", want, got[0])
			}
		}
		if want := []string{kept, "edge-deployments-sites-paris unchanged: deployments.sites.paris.packagevariant-1: nothing to change"}; !slices.Equal(got[1:], want) {
			t.Errorf("the others go on: want %q, got %q", want, got[1:])
		}
	})
	f.write("edge.yaml", replace(t, sites, "  namespace: fleet\n", "  namespace: fleet\n  deletionTimestamp: \"2026-01-01T00:00:00Z\"\n"))
	f.unmoved("nor with the set", func() {
		if got := f.expand(); len(got) != 1 || !strings.HasPrefix(got[0], "set edge failed: nothing is deleted while") {
			t.Errorf("got %q", got)
		}
	})
	f.remove("lost.yaml")
	if got := f.expand(); got[0] != "set edge: +0 ~0 -3" {
		t.Errorf("without the Repository object all is deleted; got %q", got)
	}
}
