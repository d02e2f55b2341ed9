package local_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// TestOnePush counts the pushes that a fleet's drafts take, and who has to suffer when one of them
// is not taken.
func TestOnePush(t *testing.T) {
	names := []string{"aa", "bb", "cc", "dd"}
	created := func(name string) string {
		return name + " created: deployments." + name + ".shop.packagevariant-1: cloned from blueprints.shop.v1"
	}
	for name, tc := range map[string]struct {
		reason  string
		arrange func(f *fleet)
		want    []string
		pushes  string // refs per push that arrived
	}{
		"all": {
			reason:  "all drafts in one push",
			arrange: func(*fleet) {},
			want:    []string{created("aa"), created("bb"), created("cc"), created("dd")},
			pushes:  "4",
		},
		"two repositories": {
			reason: "a push for each repository",
			arrange: func(f *fleet) {
				f.edit("repositories.yaml", "  deployment: true\n  git:\n    repo: ../deployments.git", "  deployment: true\n  git:\n    repo: ../deployments.git\n"+
					"---\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: more\n  namespace: fleet\nspec:\n  type: git\n  deployment: true\n  git:\n    repo: ../more.git")
				if err := os.CopyFS(f.path("more.git"), os.DirFS(f.path("deployments.git"))); err != nil {
					f.Fatal(err)
				}
				f.edit("bb.yaml", "repo: deployments", "repo: more")
			},
			want: []string{created("aa"), strings.ReplaceAll(created("bb"), "deployments", "more"), created("cc"), created("dd")}, pushes: "3",
		},
		"one refused by the rules": {
			reason:  "it leaves the others alone",
			arrange: func(f *fleet) { f.edit("bb.yaml", "bb/shop", "aa/shop/bb") },
			want: []string{created("aa"),
				`bb failed: create draft of package "aa/shop/bb", workspace "packagevariant-1": it would lie inside package "aa/shop"`,
				created("cc"), created("dd")},
			pushes: "3",
		},
		"twins": {
			reason:  "of two that want one package the first has it",
			arrange: func(f *fleet) { f.edit("cc.yaml", "cc/shop", "bb/shop") },
			want: []string{created("aa"), created("bb"),
				`cc blocked: downstream package "bb/shop" exists already in repo "deployments" (revision "deployments.bb.shop.packagevariant-1"): it belongs to PackageVariant fleet/bb` + howToTake,
				created("dd")},
			pushes: "3",
		},
		"one refused by the server": {
			reason: "it is looked for by halves",
			arrange: func(f *fleet) {
				gittest.Hook(f, f.path("deployments.git"), "update", `case "$1" in */cc/*) exit 1; esac`)
			},
			want: []string{created("aa"), created("bb"),
				`cc failed: create draft of package "cc/shop", workspace "packagevariant-1": repository "ROOT/deployments.git" rejected the push of ` +
					`refs/heads/drafts/cc/shop/packagevariant-1: hook declined: error: hook declined to update refs/heads/drafts/cc/shop/packagevariant-1`,
				created("dd")},
			pushes: "2 1",
		},
		"not all are new": {
			reason: "what is no new draft goes by itself",
			arrange: func(f *fleet) {
				gittest.Hook(f, f.path("deployments.git"), "post-receive", "exit 0")
				f.reconcile()
				f.publish("deployments.aa.shop.packagevariant-1", "deployments.bb.shop.packagevariant-1")
				for _, name := range []string{"aa", "bb", "cc"} {
					f.edit(name+".yaml", "region: eu", "region: emea")
				}
			},
			want: []string{
				"aa created: deployments.aa.shop.packagevariant-2: edited from deployments.aa.shop.packagevariant-1",
				"bb created: deployments.bb.shop.packagevariant-2: edited from deployments.bb.shop.packagevariant-1",
				"cc updated: deployments.cc.shop.packagevariant-1: draft updated",
				"dd unchanged: deployments.dd.shop.packagevariant-1: nothing to change"},
			pushes: "1 2",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			for _, name := range names {
				f.write(name+".yaml", replace(t, f.read("eu.yaml"), "name: eu\n", "name: "+name+"\n", "eu/shop", name+"/shop"))
			}
			if err := os.Remove(f.path("fleet/eu.yaml")); err != nil {
				t.Fatal(err)
			}
			tc.arrange(f)
			gittest.Hook(t, f.path("deployments.git"), "post-receive", fmt.Sprintf("grep -c . >> %q", f.path("pushes")))
			reports := f.reconcile()
			if diff := cmp.Diff(tc.want, f.anonymous(lines(reports))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if got := strings.Join(strings.Fields(readAll(t, f.path("pushes"))), " "); got != tc.pushes {
				t.Errorf("%s: pushes of %s refs, want %s", tc.reason, got, tc.pushes)
			}
			gittest.Fsck(t, f.path("deployments.git"))
		})
	}
}

// TestManyVariants reconciles more variants than are prepared at a time: a budget counts all of them before the first push, and the last
// one does not get the package of the first.
func TestManyVariants(t *testing.T) {
	const most, last = 500, "v501"
	f := fleetOf(t, most+2)
	f.write("budget.yaml", limit("maxObjects", 2*(most+2)-1)) // each variant has two
	f.unmoved("a fleet that would change too much", func() { check(t, reconciler.Refused, f.reconcile()) })
	f.remove("budget.yaml")
	f.edit(last+".yaml", last+"/shop", "v000/shop")
	gittest.Hook(t, f.path("deployments.git"), "post-receive", fmt.Sprintf("grep -c . >> %q", f.path("pushes")))
	reports := f.reconcile()
	check(t, reconciler.Created, reports[:most+1])
	if rep := reports[most+1]; rep.Action != reconciler.Blocked || !strings.Contains(rep.Message, "it belongs to PackageVariant fleet/v000") {
		t.Errorf("%s %s: %s", rep.Name, rep.Action, rep.Message)
	}
	if got := strings.Join(strings.Fields(readAll(t, f.path("pushes"))), " "); got != "500 1" {
		t.Errorf("pushes of %s refs", got)
	}
	f.unmoved("a second run", func() { check(t, reconciler.Unchanged, f.reconcile()[:most+1]) })
}

// TestPushDenied tries to push once for all that may not be pushed.
func TestPushDenied(t *testing.T) {
	f := newFleet(t)
	f.write("us.yaml", replace(t, f.read("eu.yaml"), "name: eu\n", "name: us\n", "eu/shop", "us/shop"))
	tries := 0
	f.edit("repositories.yaml", "../deployments.git", gittest.NewHTTP(t, f.path("deployments.git"), func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.RawQuery, "git-receive-pack") {
				tries++
				http.Error(w, "read only", http.StatusForbidden)
				return
			}
			next.ServeHTTP(w, r)
		})
	}))
	const denied = `failed: create draft: repository "URL": access denied with these credentials`
	if diff := cmp.Diff([]string{"eu " + denied, "us " + denied}, f.anonymous(lines(f.reconcile()))); diff != "" || tries != 1 {
		t.Errorf("%d tries to push (-want +got):\n%s", tries, diff)
	}
}

// TestBrokenByHand breaks a file of a draft: it is not rendered, and is still reported.
func TestBrokenByHand(t *testing.T) {
	f := newFleet(t)
	f.reconcile()
	f.commit("drafts/eu/shop/packagevariant-1", map[string]*string{"eu/shop/mine.yaml": text("a: [\n")})
	rep := f.reconcile()[0]
	if rep.Action != reconciler.Failed || !strings.Contains(rep.Message, "mine.yaml: document 1, line 2") {
		t.Errorf("%s: %s", rep.Action, rep.Message)
	}
}

// TestPushClosed has a repository that takes no draft: not each of many drafts is pushed and refused, those of a later push neither.
func TestPushClosed(t *testing.T) {
	const most, tried = 500, 32
	f := fleetOf(t, most+tried)
	gittest.Hook(t, f.path("deployments.git"), "update", fmt.Sprintf("echo x >> %q; echo closed; exit 1", f.path("asked")))
	for i, rep := range f.reconcile() {
		said := strings.Contains(rep.Message, fmt.Sprintf("refs/heads/drafts/v%03d/shop/packagevariant-1", i))
		if i >= tried {
			said = strings.HasPrefix(rep.Message, "create draft: not tried, as the repository refused 32 others in the same words: hook declined")
		}
		if rep.Action != reconciler.Failed || !said {
			t.Fatalf("%s %s: %s", rep.Name, rep.Action, rep.Message)
		}
	}
	// Each push asks once for each draft in it: 500, 250, 125, 62, 31, 15, and so on until 32 went alone.
	if got := strings.Count(readAll(t, f.path("asked")), "x"); got > 3*most {
		t.Errorf("%d drafts were pushed", got)
	}
}
