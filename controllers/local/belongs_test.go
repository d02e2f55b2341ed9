package local_test

import (
	"os"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// forgetRepository makes a draft one of an earlier release, which did not say through which Repository it was made.
func (f *fleet) forgetRepository(draft string) {
	f.Helper()
	var kept []string
	for line := range strings.Lines(f.git("cat-file", "commit", draft)) {
		if !strings.HasPrefix(line, "Waybill-Repository: ") {
			kept = append(kept, line)
		}
	}
	file := f.path("commit.txt")
	if err := os.WriteFile(file, []byte(strings.Join(kept, "")+"\n"), 0o644); err != nil {
		f.Fatal(err)
	}
	f.git("update-ref", "refs/heads/"+draft, f.git("hash-object", "-t", "commit", "-w", file))
}

func (f *fleet) mirror() {
	f.Helper()
	f.git("clone", "--mirror", ".", f.path("mirror.git"))
	f.write("mirror.yaml", repository("mirror", "../mirror.git", ""))
}

func (f *fleet) delete() {
	f.Helper()
	f.edit("eu.yaml", "  namespace: fleet\n", "  namespace: fleet\n  deletionTimestamp: 2026-01-01T00:00:00Z\n")
}

const (
	cloned = "eu created: deployments.emea.shop.packagevariant-1: cloned from blueprints.shop.v1"
	moved  = "eu unchanged: deployments.emea.shop.packagevariant-1" + unchanged
)

// TestBelongs retires revisions that do not say through which Repository they were made, or name one that is
// gone: what is not certain is kept.
func TestBelongs(t *testing.T) {
	const notSaid = "; deployments.eu.shop.packagevariant-1 is kept: it does not say through which Repository it was made, and "
	for name, tc := range map[string]struct {
		reason  string
		arrange func(f *fleet)
		want    string
		again   string // when everything is done again
	}{
		"alone": {"no other shows it", func(f *fleet) { f.forgetRepository(firstDraft); f.delete() },
			"eu updated: " + first + " deleted", "eu unchanged" + unchanged},
		"named": {"the variant names one of two", func(f *fleet) { f.forgetRepository(firstDraft); f.mirror(); f.delete() },
			"eu updated: " + first + ` deleted; mirror.eu.shop.packagevariant-1 is kept: it does not say through which Repository it was made, and "mirror" shows it as well as "deployments"`,
			`eu unchanged: nothing to change; mirror.eu.shop.packagevariant-1 is kept: it does not say through which Repository it was made, and the variant names "deployments"`},
		"mirror": {"the variant wants another package, and two show the old one", func(f *fleet) {
			f.forgetRepository(firstDraft)
			f.mirror()
			f.edit("eu.yaml", "package: eu/shop", "package: emea/shop")
		}, cloned + notSaid + `"deployments" shows it as well as "mirror"; mirror.eu.shop.packagevariant-1 is kept: it does not say through which Repository it was made, and "mirror" shows it as well as "deployments"`,
			moved + notSaid + `"deployments" shows it as well as "mirror"; mirror.eu.shop.packagevariant-1 is kept: it does not say through which Repository it was made, and "mirror" shows it as well as "deployments"`},
		"silent": {"one that cannot be read may show it, too", func(f *fleet) {
			f.forgetRepository(firstDraft)
			f.write("lost.yaml", repository("lost", "../lost.git", ""))
			f.edit("eu.yaml", "package: eu/shop", "package: emea/shop")
		}, cloned + notSaid + `"lost" cannot be read, which may show it, too`, moved + notSaid + `"lost" cannot be read, which may show it, too`},
		"renamed": {"the Repository has another name now", func(f *fleet) {
			f.edit("repositories.yaml", "name: deployments", "name: live")
			f.edit("eu.yaml", "repo: deployments", "repo: live", "package: eu/shop", "package: emea/shop")
		}, `eu created: live.emea.shop.packagevariant-1: cloned from blueprints.shop.v1; live.eu.shop.packagevariant-1 is kept: it was made through Repository "deployments", which does not exist`,
			`eu unchanged: live.emea.shop.packagevariant-1: nothing to change; live.eu.shop.packagevariant-1 is kept: it was made through Repository "deployments", which does not exist`},
		"moved": {"the same place by another name", func(f *fleet) {
			f.write("second.yaml", repository("second", "../deployments.git/", "eu"))
			f.edit("eu.yaml", "repo: deployments", "repo: second", "package: eu/shop", "package: shop")
		}, "eu unchanged: second.shop.packagevariant-1" + unchanged, "eu unchanged: second.shop.packagevariant-1" + unchanged},
		"moved to a mirror": {"a copy is wanted now", func(f *fleet) {
			f.mirror()
			f.edit("eu.yaml", "repo: deployments", "repo: mirror")
		}, "eu unchanged: mirror.eu.shop.packagevariant-1" + unchanged + "; " + first + " is kept: mirror.eu.shop.packagevariant-1 is wanted, and is the same commit on a branch or tag of the same name",
			"eu unchanged: mirror.eu.shop.packagevariant-1" + unchanged + "; " + first + " is kept: mirror.eu.shop.packagevariant-1 is wanted, and is the same commit on a branch or tag of the same name"},
		"directory given": {"the Repository shows a directory now, and the variant says what it said", func(f *fleet) {
			f.write("repositories.yaml", repository("blueprints", "../blueprints.git", "")+"---\n"+repository("deployments", "../deployments.git", "eu"))
		}, "eu created: deployments.eu.shop.packagevariant-1: cloned from blueprints.shop.v1; deployments.shop.packagevariant-1 is kept: " +
			`its path is "eu/shop", and Repository "deployments" showed another directory when it was made`,
			"eu unchanged: deployments.eu.shop.packagevariant-1" + unchanged + "; deployments.shop.packagevariant-1 is kept: " +
				`its path is "eu/shop", and Repository "deployments" showed another directory when it was made`},
		"elsewhere": {"what is not the same goes", func(f *fleet) {
			f.mirror()
			f.edit("eu.yaml", "package: eu/shop", "package: emea/shop")
		}, cloned + "; " + first + " deleted", moved},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			f.reconcile()
			tc.arrange(f)
			f.expect(tc.reason, tc.want)
			f.expectQuiet(tc.reason+", done again", tc.again)
		})
	}
}

// TestDirectoryTakenAway keeps what was made while the Repository showed a directory. A variant that goes takes it along.
func TestDirectoryTakenAway(t *testing.T) {
	f := newFleet(t)
	with := func(directory string) {
		f.write("repositories.yaml", repository("blueprints", "../blueprints.git", "")+"---\n"+repository("deployments", "../deployments.git", directory))
	}
	with("eu")
	f.edit("eu.yaml", "package: eu/shop", "package: shop")
	f.reconcile()
	with("")
	const kept = "; deployments.eu.shop.packagevariant-1 is kept: " +
		`its path is "eu/shop", and Repository "deployments" showed another directory when it was made`
	f.expect("nothing goes", "eu created: deployments.shop.packagevariant-1: cloned from blueprints.shop.v1"+kept)
	f.expectQuiet("nor later", "eu unchanged: deployments.shop.packagevariant-1"+unchanged+kept)
	f.delete()
	f.expect("a variant that goes takes both", "eu updated: deployments.eu.shop.packagevariant-1 deleted; deployments.shop.packagevariant-1 deleted")
}

// TestBelongsOfASet takes a site away whose draft two Repositories show.
func TestBelongsOfASet(t *testing.T) {
	f := setFleet(t)
	f.reconcileSets()
	f.forgetRepository("drafts/sites/paris/packagevariant-1")
	f.mirror()
	f.write("sites.yaml", strings.Split(moreSites, "---\n")[0]) // paris and nice: one says where it was made
	got := strings.Join(f.expand(), "\n")
	if !strings.Contains(got, "edge-deployments-sites-paris unchanged"+unchanged+"; deployments.sites.paris.packagevariant-1 is kept: ") {
		t.Errorf("got\n%s", got)
	}
	for _, dir := range []string{"deployments.git", "mirror.git"} {
		if !strings.Contains(gittest.Refs(f, f.path(dir)), "drafts/sites/paris/packagevariant-1") {
			t.Errorf("%s has lost the draft", dir)
		}
	}
}

// TestSetDeletedByAMisspeltPolicy keeps everything when a set goes whose deletion policy is none.
func TestSetDeletedByAMisspeltPolicy(t *testing.T) {
	f := setFleet(t)
	f.reconcileSets()
	f.edit("edge.yaml", "  namespace: fleet\nspec:\n", "  namespace: fleet\n  deletionTimestamp: 2026-01-01T00:00:00Z\nspec:\n",
		"    template:\n", "    template:\n      deletionPolicy: Orphan\n")
	f.expectSets("it says what a policy can be",
		`set edge failed: spec.targets[0].template.deletionPolicy can only be "orphan" or "delete"`)
	if !strings.Contains(gittest.Refs(f, f.path("deployments.git")), "drafts/sites/paris/packagevariant-1") {
		t.Error("a draft is gone")
	}
}

func (f *fleet) reconcileSets() {
	f.Helper()
	f.expand()
}
