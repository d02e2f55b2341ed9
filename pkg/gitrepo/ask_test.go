package gitrepo_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

func TestAsk(t *testing.T) {
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"a": "1"})
	guarded := gittest.NewHTTP(t, dir, gittest.BasicAuth("me", "s3cret"))
	named := strings.Replace(guarded, "http://", "http://me@", 1)
	right, none := gitrepo.Credentials{Username: "me", Password: "s3cret"}, gitrepo.Credentials{}
	wrong := gitrepo.Credentials{Username: "me", Password: "wr0ng"}
	for name, tc := range map[string]struct {
		reason, url string
		given, told gitrepo.Credentials
		fails       error
		asked       []string
		judged      []bool
		want, says  string
	}{
		"open":       {reason: "a server that wants none is given none", url: gittest.NewHTTP(t, dir)},
		"local":      {reason: "nor is a folder", url: dir},
		"known":      {reason: "who knows is asked, and told that it went well", url: guarded, told: right, asked: []string{guarded}, judged: []bool{true}},
		"named":      {reason: "about the user that was named", url: named, told: right, asked: []string{named}, judged: []bool{true}},
		"unknown":    {reason: "who does not know changes nothing", url: guarded, told: none, asked: []string{guarded}, want: "*gitrepo.AuthError", says: "authentication failed: a keychain was asked"},
		"wrong":      {reason: "who is wrong is asked once", url: guarded, told: wrong, asked: []string{guarded}, want: "*gitrepo.AuthError", says: "authentication failed: a keychain was asked", judged: []bool{false}},
		"in the URL": {reason: "who wrote them into the URL is told that it was those", url: strings.Replace(guarded, "http://", "http://me:wr0ng@", 1), told: right, want: "*gitrepo.AuthError", says: "authentication failed: the user and password in the URL were refused"},
		"fails":      {reason: "a failed Ask is reported on one line", url: guarded, fails: errors.New("out\nof order"), asked: []string{guarded}, want: "*gitrepo.AuthError", says: "authentication failed: credentials could not be asked for: out of order"},
		"given":      {reason: "credentials that are given count alone", url: guarded, given: wrong, told: right, want: "*gitrepo.AuthError", says: "authentication failed"},
		"read only": {reason: "one that knows us and denies is not asked about", url: gittest.NewHTTP(t, dir, func(http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusForbidden) })
		}), told: right, want: "*gitrepo.AuthError", says: "access denied"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			var judged []bool
			opts := gitrepo.Options{Credentials: tc.given, Ask: func(_ context.Context, url string) (gitrepo.Answer, error) {
				asked = append(asked, url)
				judge := func(_ context.Context, good bool) { judged = append(judged, good) }
				return gitrepo.Answer{Credentials: tc.told, Note: "a keychain was asked", Verify: judge}, tc.fails
			}}
			r, err := gitrepo.Open(t.Context(), tc.url, opts)
			if kind(err) != tc.want || err != nil && (!strings.Contains(err.Error(), tc.says) || strings.ContainsAny(err.Error(), "\n") || strings.Contains(err.Error(), "wr0ng")) {
				t.Errorf("%s: got %v", tc.reason, err)
			}
			_ = r.Refresh(t.Context()) // whatever the result, Ask is not called again
			if diff := cmp.Diff(tc.asked, asked); diff != "" {
				t.Errorf("%s: asked (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.judged, judged); diff != "" {
				t.Errorf("%s: judged, once (-want +got):\n%s", tc.reason, diff)
			}
			if err == nil && len(r.Refs()) != 1 {
				t.Errorf("%s: the view is empty", tc.reason)
			}
		})
	}
}

// TestAskThenPush has a server that lets everybody read, and some write.
func TestAskThenPush(t *testing.T) {
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"p/Kptfile": "k"})
	url := gittest.NewHTTP(t, dir, func(next http.Handler) http.Handler {
		guarded := gittest.BasicAuth("me", "s3cret")(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.String(), "git-receive-pack") {
				guarded.ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	asked := 0
	r, err := gitrepo.Open(t.Context(), url, gitrepo.Options{Ask: func(context.Context, string) (gitrepo.Answer, error) {
		asked++
		return gitrepo.Answer{Credentials: gitrepo.Credentials{Username: "me", Password: "s3cret"}}, nil
	}})
	if err != nil || asked != 0 {
		t.Fatalf("reading calls Ask: %d, %v", asked, err)
	}
	s := r.Stage()
	_, next := rewrite(t, r, s, "p", map[string]string{"Kptfile": "k2"})
	if err := s.Push(t.Context(), []gitrepo.RefUpdate{{Name: "refs/heads/x", New: next}}); err != nil || asked != 1 {
		t.Fatalf("a push does: %d, %v", asked, err)
	}
	if diff := cmp.Diff(gittest.Refs(t, dir), listing(r)); diff != "" {
		t.Errorf("the view is what the remote is (-remote +view):\n%s", diff)
	}
}

// TestAskAndRedirect has a server that sends us elsewhere, where credentials are wanted: those of here are not for there.
func TestAskAndRedirect(t *testing.T) {
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"a": "1"})
	var leaked, visits atomic.Int32
	elsewhere := gittest.NewHTTP(t, dir, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			visits.Add(1)
			if user, _, ok := r.BasicAuth(); ok && user != "there" {
				leaked.Add(1)
			}
			next.ServeHTTP(w, r)
		})
	}, gittest.BasicAuth("there", "s3cret"))
	redirect := func(_ http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if user, _, _ := r.BasicAuth(); user == "there" {
				leaked.Add(1)
			}
			http.Redirect(w, r, strings.TrimSuffix(elsewhere, "/repo.git")+r.URL.RequestURI(), http.StatusTemporaryRedirect)
		})
	}
	free, shut := gittest.NewHTTP(t, dir, redirect), gittest.NewHTTP(t, dir, gittest.BasicAuth("here", "s3cret"), redirect)
	for name, tc := range map[string]struct {
		reason, url string
		asked       []string
		ok          bool
		says        string
		nobody      bool
	}{
		"open":   {reason: "what is asked for is what the other server wants", url: free, asked: []string{elsewhere}, ok: true},
		"both":   {reason: "each server has its own", url: shut, asked: []string{shut, elsewhere}, ok: true},
		"given":  {reason: "what the URL has is for its host", url: strings.Replace(shut, "://", "://here:s3cret@", 1), asked: []string{elsewhere}, ok: true},
		"nobody": {reason: "without Ask the error names the other URL", url: free, nobody: true, says: "redirects to \"" + elsewhere + "\", which wants credentials: use that URL"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			opts := gitrepo.Options{Ask: func(_ context.Context, url string) (gitrepo.Answer, error) {
				asked = append(asked, url)
				user := map[string]string{shut: "here", elsewhere: "there"}[url]
				return gitrepo.Answer{Credentials: gitrepo.Credentials{Username: user, Password: "s3cret"}}, nil
			}}
			if tc.nobody {
				opts.Ask = nil
			}
			_, err := gitrepo.FetchPackage(t.Context(), tc.url, "", "main", opts)
			if (err == nil) != tc.ok || err != nil && !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.asked, asked); diff != "" {
				t.Errorf("%s: asked (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
	if visits.Load() == 0 || leaked.Load() != 0 {
		t.Errorf("credentials went to the wrong server %d times", leaked.Load())
	}
}
