package local_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestRelativePathInLock has a package whose lock has the relative path of its Repository, as earlier releases wrote it: it is left
// alone, and the next upgrade records the path in full.
func TestRelativePathInLock(t *testing.T) {
	f := published(t)
	kptfile := strings.ReplaceAll(f.show("main", "eu/shop/Kptfile"), f.path("blueprints.git"), "../blueprints.git")
	if strings.Count(kptfile, "repo: ../blueprints.git\n") != 2 {
		t.Fatalf("upstream and lock have the path in full; got\n%s", kptfile)
	}
	f.commit("main", map[string]*string{"eu/shop/Kptfile": &kptfile})
	gittest.Git(t, f.path("deployments.git"), "tag", "-f", "eu/shop/v1", "main")
	f.edit("eu.yaml", "  upstream:", "  adoptionPolicy: adoptExisting\n  upstream:")
	f.expect("another way to write it is no other upstream", "eu updated: deployments.eu.shop.v1"+strings.Replace(adopts("deployments.eu.shop.v1"), ";", ":", 1))
	f.expectQuiet("and what is adopted rests", "eu unchanged: deployments.eu.shop.v1"+unchanged)
	f.moveTo(2, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "good day")})
	f.expect("it is found again", "eu created: "+first+": upgraded from shop/v1")
	if got := f.show(firstDraft, "eu/shop/Kptfile"); strings.Count(got, "repo: "+f.path("blueprints.git")+"\n") != 2 {
		t.Errorf("a lock has no relative path; got\n%s", got)
	}
}

// TestOtherPathOfTheSame moves the fleet to another place, as on another machine: what was made of the same commit is up to date, and an
// upgrade finds the commit.
func TestOtherPathOfTheSame(t *testing.T) {
	f := published(t)
	to := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Rename(f.root, to); err != nil {
		t.Fatal(err)
	}
	f.root = to
	f.expectQuiet("a copy at another path is no other upstream", "eu unchanged: "+first+unchanged)
	f.moveTo(2, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "good day")})
	f.expect("its commit is found", "eu created: deployments.eu.shop.packagevariant-2: upgraded from shop/v1")
}
