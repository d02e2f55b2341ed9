package manager_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// closed is a hook's way to refuse until the file open is there.
const closed = "[ -f open ] || { echo closed for stocktaking >&2; exit 1; }"

// TestPushRefused has the server of the deployments not take pushes for a while.
func TestPushRefused(t *testing.T) {
	refused := func(variant, format string) string {
		return variant + "; Stalled False Valid: all validation checks passed; Ready False Error: create draft of package \"" + variant +
			"/shop\", workspace \"packagevariant-1\": repository \"REPO\"" + strings.ReplaceAll(format, "REF", "refs/heads/drafts/"+variant+"/shop/packagevariant-1")
	}
	const (
		hook   = " rejected the push of REF: pre-receive hook declined: closed for stocktaking"
		rule   = " rejected the push of REF: hook declined: closed for stocktaking error: hook declined to update REF"
		server = ": connection lost during a push, which may have happened or not: unexpected requesting \"REPO/git-receive-pack\" status code: 503"
	)
	var shut, deaf atomic.Bool
	cases := map[string]struct {
		reason  string
		serve   gittest.Option
		arrange func(dir string)
		states  string // REPO is the repository
		open    func(dir string)
	}{
		"every push": {
			"nothing is pushed, and everybody says why", nil,
			func(dir string) { gittest.Hook(t, dir, "pre-receive", closed) },
			refused("eu", hook) + "\n" + refused("fr", hook), openFile(t),
		},
		"one draft": {
			"those who are let in do not wait for the other", nil,
			func(dir string) { gittest.Hook(t, dir, "update", `case "$1" in */fr/*) `+closed+";; esac") },
			well("eu", first) + "\n" + refused("fr", rule), openFile(t),
		},
		"no service": {
			"a server in trouble", pushes(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				if shut.Load() {
					http.Error(w, "out of order", http.StatusServiceUnavailable)
					return
				}
				next.ServeHTTP(w, r)
			}),
			func(string) { shut.Store(true) },
			refused("eu", server) + "\n" + refused("fr", server), func(string) { shut.Store(false) },
		},
		"no answer": {
			"the push succeeds and its answer is lost: no report is needed", pushes(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				if deaf.Swap(false) {
					next.ServeHTTP(httptest.NewRecorder(), r)
					panic(http.ErrAbortHandler)
				}
				next.ServeHTTP(w, r)
			}),
			func(string) { deaf.Store(true) }, drafted("eu", "fr"), func(string) {},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			serve := tc.serve
			if serve == nil {
				serve = func(h http.Handler) http.Handler { return h }
			}
			f := newFleet(t, []string{"eu", "fr"}, serve)
			dir := f.dirs["deployments"]
			tc.arrange(dir)
			p := f.launch(setup{})
			_, url, _ := strings.Cut(strings.TrimSpace(f.objects["deployments.yaml"]), "repo: ")
			f.await(tc.reason, tc.states, func() string { return strings.ReplaceAll(f.states(), url, "REPO") })
			tc.open(dir)
			f.settled(p, drafted("eu", "fr"))
		})
	}
}

func openFile(t *testing.T) func(dir string) {
	return func(dir string) {
		if err := os.WriteFile(filepath.Join(dir, "open"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// pushes has do answer pushes.
func pushes(do func(w http.ResponseWriter, r *http.Request, next http.Handler)) gittest.Option {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "git-receive-pack") {
				do(w, r, next)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}
