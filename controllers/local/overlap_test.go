package local_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// repository is one more Repository object of the fleet.
func repository(name, url, directory string) string {
	return fmt.Sprintf("apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: %s, namespace: fleet}\n"+
		"spec: {type: git, deployment: true, git: {repo: %q, directory: %q}}\n", name, url, directory)
}

// overlaps are ways to give one Git content a second Repository object.
var overlaps = map[string]struct {
	reason string
	second func(t *testing.T, f *fleet) (url, directory string)
	// again is called before each reconcile: what a mirror does meanwhile.
	again func(f *fleet)
}{
	"directory":      {reason: "a part of the same repository", second: func(*testing.T, *fleet) (string, string) { return "../deployments.git", "eu" }},
	"same directory": {reason: "all of the same repository", second: func(*testing.T, *fleet) (string, string) { return "../deployments.git", "" }},
	"slash":          {reason: "another way to write the path", second: func(*testing.T, *fleet) (string, string) { return "../fleet/../deployments.git/", "" }},
	"file URL":       {reason: "a path and a URL", second: func(_ *testing.T, f *fleet) (string, string) { return "file://" + f.path("deployments.git"), "eu" }},
	"link": {reason: "a symbolic link", second: func(_ *testing.T, f *fleet) (string, string) {
		if err := os.Symlink(f.path("deployments.git"), f.path("linked.git")); err != nil {
			f.Fatal(err)
		}
		return "../linked.git", ""
	}},
	"server": {reason: "two ways to one repository that no spelling tells", second: func(t *testing.T, f *fleet) (string, string) {
		return gittest.NewHTTP(t, f.path("deployments.git")), "eu"
	}},
	"mirror": {reason: "a copy that is brought up to date", second: func(*testing.T, *fleet) (string, string) { return "../mirror.git", "" },
		again: func(f *fleet) {
			if _, err := os.Stat(f.path("mirror.git")); err != nil {
				f.git("clone", "--mirror", ".", f.path("mirror.git"))
			}
			f.git("push", "--mirror", f.path("mirror.git"))
		}},
}

// TestOverlap reconciles with two Repository objects that show the same revisions: one of them is what the
// variant names, and the other changes nothing.
func TestOverlap(t *testing.T) {
	testenv.Long(t, "dozens of reconciles")
	for name, tc := range overlaps {
		for _, other := range []string{"aaa", "zzz"} { // before and after the variant's own, in order of names
			t.Run(name+" "+other, func(t *testing.T) {
				f := newFleet(t)
				if tc.again == nil {
					tc.again = func(*fleet) {}
				}
				tc.again(f)
				url, directory := tc.second(t, f)
				f.write("second.yaml", repository(other, url, directory))
				quiet := func(reason, want string) {
					t.Helper()
					for range 3 {
						tc.again(f)
						f.expectQuiet(tc.reason+": "+reason, want)
					}
				}
				f.expect(tc.reason, "eu created: "+first+": cloned from blueprints.shop.v1")
				quiet("a draft stays", "eu unchanged: "+first+unchanged)
				greeting := replace(t, f.show(firstDraft, "eu/shop/app.yaml"), "hello", "hullo")
				f.commit(firstDraft, map[string]*string{"eu/shop/app.yaml": &greeting})
				quiet("a draft with commits by others stays", "eu unchanged: "+first+unchanged)
				f.publish(first)
				quiet("what is published stays", "eu unchanged: "+first+unchanged)
				f.moveTo(2, map[string]*string{"shop/README.md": f.upstream("shop/README.md", "shop", "store")})
				f.expect(tc.reason+": upgrade", "eu created: "+second+": upgraded from shop/v1")
				quiet("an upgrade stays", "eu unchanged: "+second+unchanged)
			})
		}
	}
}

// TestOverlapRelease deletes a variant: what its own Repository shows goes, once, and a mirror is left alone.
func TestOverlapRelease(t *testing.T) {
	for name, tc := range overlaps {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			if tc.again == nil {
				tc.again = func(*fleet) {}
			}
			f.reconcile()
			tc.again(f)
			url, directory := tc.second(t, f)
			f.write("aaa.yaml", repository("aaa", url, directory))
			f.edit("eu.yaml", "  namespace: fleet\n", "  namespace: fleet\n  deletionTimestamp: 2026-01-01T00:00:00Z\n")
			f.expect(tc.reason+": its draft goes, once", "eu updated: "+first+" deleted")
			if name == "mirror" && !strings.Contains(gittest.Refs(f, f.path("mirror.git")), firstDraft) {
				t.Error("the mirror has lost the draft")
			}
			f.expectQuiet("and no more", "eu unchanged"+unchanged)
		})
	}
}
