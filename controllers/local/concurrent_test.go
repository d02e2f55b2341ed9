package local_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestConcurrentWrites lets others write to the repository between the look that a reconcile
// takes and its push.
func TestConcurrentWrites(t *testing.T) {
	other := func(f *fleet) { // another controller, in another process, of the same variant
		g := &fleet{TB: f.TB, root: f.root}
		g.reconcile()
	}
	for name, tc := range map[string]struct {
		reason string
		meddle func(f *fleet)
		want   string
		names  []string
	}{
		"main moves": {
			reason: "the draft does not rest on where main was",
			meddle: func(f *fleet) { f.commit("main", map[string]*string{"other/file": ptr("x")}) },
			want:   "eu created: " + first + ": cloned from blueprints.shop.v1",
			names:  []string{"heads/" + firstDraft},
		},
		"another package": {
			reason: "other drafts are no concern of ours",
			meddle: func(f *fleet) { f.git("branch", "drafts/other/w", "main") },
			want:   "eu created: " + first + ": cloned from blueprints.shop.v1",
			names:  []string{"heads/" + firstDraft, "heads/drafts/other/w"},
		},
		"the same draft": {
			reason: "two controllers on one variant end in one draft",
			meddle: other,
			want:   "eu unchanged: " + first + unchanged,
			names:  []string{"heads/" + firstDraft},
		},
		"a user's draft of that name": {
			reason: "another user took the name: after another look the package is theirs",
			meddle: func(f *fleet) {
				f.commit("theirs", map[string]*string{"eu/shop/Kptfile": ptr("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n")})
				f.git("branch", firstDraft, "theirs")
				f.git("branch", "-D", "theirs")
			},
			want: `eu blocked: downstream package "eu/shop" exists already in repo "deployments" (revision "` + first +
				`"): spec.adoptionPolicy "adoptExisting" takes it over`,
			names: []string{"heads/" + firstDraft},
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			in, r := f.open(once(gitrepo.StepFetched, 2, func() { tc.meddle(f) }))
			if diff := cmp.Diff([]string{tc.want}, lines(all(in, r))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.names, f.names()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			gittest.Fsck(t, f.path("deployments.git"))
		})
	}
}

// TestRaceAtTheServer lets another user write after the server has sent its refs, when only the
// server's own comparison is left to notice.
func TestRaceAtTheServer(t *testing.T) {
	for name, tc := range map[string]struct {
		reason  string
		arrange func(f *fleet)
		meddle  func(f *fleet)
		want    string
		log     string // subjects of the draft
	}{
		"create": {
			reason:  "the draft belongs to another user by now",
			arrange: func(*fleet) {},
			meddle: func(f *fleet) {
				f.commit("theirs", map[string]*string{"eu/shop/Kptfile": ptr("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n")})
				f.git("branch", "-m", "theirs", firstDraft)
			},
			want: `eu blocked: downstream package "eu/shop" exists already in repo "deployments" (revision "` + first +
				`"): spec.adoptionPolicy "adoptExisting" takes it over`,
			log: "by hand",
		},
		"update": {
			reason:  "a user edits the draft: their commit stays, ours is added",
			arrange: func(f *fleet) { f.reconcile(); f.edit("eu.yaml", "region: eu", "region: emea") },
			meddle:  func(f *fleet) { f.commit(firstDraft, map[string]*string{"eu/shop/NOTES.md": ptr("mine\n")}) },
			want:    "eu updated: " + first + ": draft updated",
			log:     "Rendering package|by hand|Creating new revision by cloning",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			var meddle sync.Once
			url := f.serve(func() { meddle.Do(func() { tc.meddle(f) }) })
			tc.arrange(f)
			f.edit("repositories.yaml", "../deployments.git", url)
			f.expect(tc.reason, tc.want)
			log := strings.ReplaceAll(strings.TrimSuffix(f.git("log", "--format=%s", firstDraft, "^main"), "\n"), "\n", "|")
			if log = strings.TrimSuffix(log, "|The fleet begins"); log != tc.log {
				t.Errorf("%s: the draft's commits are %s", tc.reason, log)
			}
		})
	}
}

// TestServerFailsOnce declines the first push as a busy server does.
func TestServerFailsOnce(t *testing.T) {
	f := newFleet(t)
	mark := f.path("declined")
	gittest.Hook(t, f.path("deployments.git"), "pre-receive", `[ -e "`+mark+`" ] && exit 0; touch "`+mark+`"; exit 1`)
	f.expect("tried again", "eu created: "+first+": cloned from blueprints.shop.v1")
}

// TestServerRefuses declines every push, for a reason of its own.
func TestServerRefuses(t *testing.T) {
	f := newFleet(t)
	gittest.Hook(t, f.path("deployments.git"), "update", `echo "drafts are closed on Fridays" >&2; exit 1`)
	f.expectQuiet("its reason is passed on",
		`eu failed: create draft of package "eu/shop", workspace "packagevariant-1": repository "`+f.path("fleet/../deployments.git")+
			`" rejected the push of refs/heads/drafts/eu/shop/packagevariant-1: hook declined: drafts are closed on Fridays error: hook declined to update refs/heads/`+firstDraft)
}

// TestBusyServer declines the first push, and by the time of the second another user has drafted.
func TestBusyServer(t *testing.T) {
	f := newFleet(t)
	mark := f.path("declined")
	gittest.Hook(t, f.path("deployments.git"), "pre-receive", `[ -e "`+mark+`" ] && exit 0; touch "`+mark+`"; exit 1`)
	other, r := f.open(nil) // before the fleet learns of the server: over files
	looks := 0
	url := f.serve(nil, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if strings.Contains(req.URL.RawQuery, "git-upload-pack") {
				if looks++; looks == 2 { // the one after the push was declined
					all(other, r)
				}
			}
			next.ServeHTTP(w, req)
		})
	})
	f.edit("repositories.yaml", "../deployments.git", url)
	f.expectAlone("looked at again, the draft is there", "eu unchanged: "+first+unchanged)
}

// TestConnectionLost breaks the connection under a push, before or after it took effect.
func TestConnectionLost(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		served bool
		want   string
	}{
		"before": {"it did not arrive, and goes again", false, "eu created: " + first + ": cloned from blueprints.shop.v1"},
		"after":  {"it arrived, and there is nothing left to do", true, "eu unchanged: " + first + unchanged},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			var once sync.Once
			url := f.serve(nil, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "git-receive-pack") {
						once.Do(func() {
							if tc.served {
								next.ServeHTTP(httptest.NewRecorder(), r)
							}
							panic(http.ErrAbortHandler) // which closes the connection
						})
					}
					next.ServeHTTP(w, r)
				})
			})
			f.edit("repositories.yaml", "../deployments.git", url)
			f.expectAlone(tc.reason, tc.want)
			if diff := cmp.Diff([]string{"heads/" + firstDraft}, f.names()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// expectAlone is expect for the first variant, which is reconciled by itself and in no batch.
func (f *fleet) expectAlone(reason, want string) {
	f.Helper()
	in, r := f.open(nil)
	got := lines(r.ReconcileAll(ctx, in.Variants[:1], nil))
	if diff := cmp.Diff([]string{want}, got); diff != "" {
		f.Errorf("%s (-want +got):\n%s", reason, diff)
	}
}

func ptr(s string) *string { return &s }

// once calls do when a step is reported for the nth time.
func once(at gitrepo.Step, n int, do func()) func(gitrepo.Step) {
	return func(s gitrepo.Step) {
		if s == at {
			if n--; n == 0 {
				do()
			}
		}
	}
}

// serve serves the downstream repository over HTTP; before, which may be nil, is called when a pack
// has been sent, and before the server looks at it.
func (f *fleet) serve(before func(), opts ...gittest.Option) string {
	f.Helper()
	if before != nil {
		opts = append(opts, gittest.BeforeReceive(before))
	}
	return gittest.NewHTTP(f, f.path("deployments.git"), opts...)
}
