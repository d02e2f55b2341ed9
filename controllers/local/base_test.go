package local_test

import (
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

// TestBaseIsGone takes the commit away that a package was made of: nothing is guessed.
func TestBaseIsGone(t *testing.T) {
	f := published(t)
	dir := f.path("blueprints.git")
	anew := map[string]*string{"shop/extra.txt": text("history was written anew")}
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
