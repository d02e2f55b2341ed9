package local_test

import (
	"os"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestMovedTag moves the tag that a package was made of. The merge starts from the commit that was
// cloned, not from what the tag says now, so that what changed arrives.
func TestMovedTag(t *testing.T) {
	f := published(t)
	f.release(2, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "good day")})
	gittest.Git(t, f.path("blueprints.git"), "tag", "-f", "shop/v1", "shop/v2")
	f.expect("a tag that moved is a newer upstream",
		"eu created: deployments.eu.shop.packagevariant-2: upgraded from shop/v1")
	if got := f.show(secondDraft, "eu/shop/app.yaml"); !strings.Contains(got, "good day") {
		t.Errorf("what the tag holds now arrives; got\n%s", got)
	}
}

// TestOtherPackage points a variant to another upstream package of the same number.
func TestOtherPackage(t *testing.T) {
	f := published(t)
	other := map[string]*string{
		"other/NOTES.txt": text("other"),
		"other/Kptfile":   f.upstream("shop/Kptfile"),
		"other/app.yaml":  f.upstream("shop/app.yaml", "hello", "another"),
		"other/site.yaml": f.upstream("shop/site.yaml"),
	}
	f.release(2, other)
	gittest.Git(t, f.path("blueprints.git"), "tag", "other/v1", "main")
	f.edit("eu.yaml", "package: shop\n", "package: other\n")
	f.expect("another package is an upgrade", "eu created: deployments.eu.shop.packagevariant-2: upgraded from shop/v1")
	if got := f.show(secondDraft, "eu/shop/app.yaml"); !strings.Contains(got, "another") {
		t.Errorf("the other package's files arrive; got\n%s", got)
	}
	if got := f.show(secondDraft, "eu/shop/NOTES.txt"); got != "other\n" {
		t.Errorf("a file that only the other package has: got %q", got)
	}
}

// otherBlueprints publishes the blueprint in another Git repository, too, at a commit of its own, and points the
// variant at it.
func (f *fleet) otherBlueprints(greeting string) {
	f.Helper()
	files := map[string]*string{}
	for name := range strings.FieldsSeq(gittest.Git(f, f.path("blueprints.git"), "ls-tree", "-r", "--name-only", "main")) {
		files[name] = f.upstream(name)
	}
	files["shop/app.yaml"] = f.upstream("shop/app.yaml", "hello", greeting)
	dir := gittest.NewBare(f)
	gittest.Commit(f, dir, gittest.Change{Files: files})
	gittest.Git(f, dir, "tag", "shop/v1", "main")
	if err := os.Rename(dir, f.path("others.git")); err != nil {
		f.Fatal(err)
	}
	f.write("others.yaml", repository("others", "../others.git", ""))
	f.edit("eu.yaml", "repo: blueprints", "repo: others")
}

// TestOtherRepository points a variant to the package of another Git repository: the commit that it was made of is
// read from the Repository that shows it.
func TestOtherRepository(t *testing.T) {
	f := published(t)
	f.otherBlueprints("good day")
	f.expect("another repository is an upgrade", "eu created: deployments.eu.shop.packagevariant-2: upgraded from shop/v1")
	if got := f.show(secondDraft, "eu/shop/app.yaml"); !strings.Contains(got, "good day") {
		t.Errorf("the other repository's files arrive; got\n%s", got)
	}
	if got := f.git("show", "-s", "--format=%B", secondDraft); !strings.Contains(got, `"oldUpstreamRef":{"name":"blueprints.shop.v1"},"newUpstreamRef":{"name":"others.shop.v1"}`) {
		t.Errorf("the commit says what was merged; got\n%s", got)
	}
	f.expectQuiet("a second run changes nothing", "eu unchanged: "+second+unchanged)
}

// TestOtherRepositoryIsLost has no Repository for what the package was made of: the error says what makes it readable.
func TestOtherRepositoryIsLost(t *testing.T) {
	f := published(t)
	f.otherBlueprints("good day")
	f.edit("repositories.yaml", "../blueprints.git", "../lost.git")
	want := "make a Repository for " + f.path("blueprints.git") + " that has the commit"
	f.unmoved("nothing is guessed", func() {
		if err := f.reconcile()[0].Err; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	})
}

// TestLostTag deletes the tag that a package was made of: its commit is still there, and enough.
func TestLostTag(t *testing.T) {
	f := published(t)
	f.moveTo(2, map[string]*string{"shop/app.yaml": f.upstream("shop/app.yaml", "hello", "good day")})
	gittest.Git(t, f.path("blueprints.git"), "tag", "-d", "shop/v1")
	f.expect("the commit is what counts", "eu created: deployments.eu.shop.packagevariant-2: upgraded from shop/v1")
	if got := f.show(secondDraft, "eu/shop/app.yaml"); !strings.Contains(got, "good day") {
		t.Errorf("upstream's change arrives; got\n%s", got)
	}
	f.expectQuiet("a second run changes nothing", "eu unchanged: "+second+unchanged)
}

// TestUpstreamDirectory gives the upstream Repository a directory, in which the package lies now.
func TestUpstreamDirectory(t *testing.T) {
	f := published(t)
	files := map[string]*string{}
	for _, name := range []string{"Kptfile", "app.yaml", "site.yaml"} {
		files["all/shop/"+name], files["shop/"+name] = f.upstream("shop/"+name), nil
	}
	files["all/shop/app.yaml"] = f.upstream("shop/app.yaml", "hello", "good day")
	f.release(2, files)
	gittest.Git(t, f.path("blueprints.git"), "tag", "all/shop/v2", "shop/v2")
	f.edit("repositories.yaml", "repo: ../blueprints.git", "repo: ../blueprints.git\n    directory: all")
	f.edit("eu.yaml", "revision: 1", "revision: 2")
	f.expect("the package has moved", "eu created: deployments.eu.shop.packagevariant-2: upgraded from shop/v1")
	if got := f.show(secondDraft, "eu/shop/app.yaml"); !strings.Contains(got, "good day") {
		t.Errorf("upstream's change arrives; got\n%s", got)
	}
}

// TestOtherPackageOfAMirror changes the URL of the upstream Repository and the package at once: what is recorded is
// what was merged, and not the revision of that number in the package of now.
func TestOtherPackageOfAMirror(t *testing.T) {
	for name, drop := range map[string]bool{"the mirror has it": false, "the mirror lacks its tag": true} {
		t.Run(name, func(t *testing.T) {
			f := published(t)
			dir, files := f.path("blueprints.git"), map[string]*string{}
			for _, name := range []string{"Kptfile", "app.yaml", "site.yaml"} {
				files["store/"+name] = f.upstream("shop/" + name)
			}
			gittest.Commit(f, dir, gittest.Change{Files: files})
			gittest.Git(t, dir, "tag", "store/v1", "main")
			gittest.Git(t, dir, "clone", "--quiet", "--mirror", dir, f.path("mirror.git"))
			old := "blueprints.shop.v1"
			if drop {
				gittest.Git(t, f.path("mirror.git"), "tag", "-d", "shop/v1")
				old = "shop/v1"
			}
			f.edit("repositories.yaml", "../blueprints.git", "../mirror.git")
			f.edit("eu.yaml", "package: shop\n", "package: store\n")
			f.expect("another package of a mirror", "eu created: deployments.eu.shop.packagevariant-2: upgraded from shop/v1")
			want := `"oldUpstreamRef":{"name":"` + old + `"},"newUpstreamRef":{"name":"blueprints.store.v1"}`
			if got := f.git("show", "-s", "--format=%B", secondDraft); !strings.Contains(got, want) {
				t.Errorf("want %s, got\n%s", want, got)
			}
		})
	}
}

// TestBaseIsGone takes the commit away that a package was made of: nothing is guessed.
func TestBaseIsGone(t *testing.T) {
	f := published(t)
	dir := f.path("blueprints.git")
	anew := map[string]*string{"shop/extra.txt": text("history was rewritten")}
	for name := range strings.FieldsSeq(gittest.Git(t, dir, "ls-tree", "-r", "--name-only", "main")) {
		anew[name] = f.upstream(name)
	}
	gittest.Git(t, dir, "update-ref", "-d", "refs/heads/main")
	gittest.Git(t, dir, "tag", "-d", "shop/v1")
	f.release(1, anew)
	reports := f.reconcile()
	if err := reports[0].Err; err == nil || !strings.Contains(err.Error(), "cannot be read from the upstream repository any more") {
		t.Errorf("want an error that says what is gone, got %v", err)
	}
}

func text(s string) *string { return &s }
