package gitrepo_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// overBoth runs f on a fresh repository, once by its path and once over HTTP.
func overBoth(t *testing.T, f func(t *testing.T, dir, url string)) {
	t.Run("file", func(t *testing.T) { dir := gittest.NewBare(t); f(t, dir, "file://"+dir) })
	t.Run("http", func(t *testing.T) { dir := gittest.NewBare(t); f(t, dir, gittest.NewHTTP(t, dir)) })
}

func open(t testing.TB, url string) *gitrepo.Repo {
	t.Helper()
	r, err := gitrepo.Open(t.Context(), url, gitrepo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// listing shows a view's refs as gittest.Refs shows those of the repository itself.
func listing(r *gitrepo.Repo) string {
	var out []string
	for _, ref := range r.Refs() {
		out = append(out, ref.Target.String()+" "+ref.Name)
	}
	return strings.Join(out, "\n")
}

func seed(t testing.TB, dir string, files map[string]string) string {
	t.Helper()
	return gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(files)})
}

func TestViewFollowsRemote(t *testing.T) {
	overBoth(t, func(t *testing.T, dir, url string) {
		r := open(t, url)
		same := func(reason string) {
			t.Helper()
			if err := r.Refresh(t.Context()); err != nil {
				t.Fatalf("%s: %v", reason, err)
			}
			if diff := cmp.Diff(gittest.Refs(t, dir), listing(r)); diff != "" {
				t.Fatalf("%s (-remote +view):\n%s", reason, diff)
			}
		}
		same("an empty repository is a view without refs")
		seed(t, dir, map[string]string{"a": "1"})
		same("a first branch comes in")
		for _, n := range []string{"x", "y/z"} {
			gittest.Git(t, dir, "branch", n, "main")
			gittest.Git(t, dir, "tag", n+"/v1", "main")
		}
		same("refs to known commits come in without new objects")
		for range 3 {
			seed(t, dir, map[string]string{"a": "more"})
		}
		gittest.Commit(t, dir, gittest.Change{Branch: "x", Files: gittest.Files(map[string]string{"b": "2"})})
		same("moved branches move")
		gittest.Git(t, dir, "branch", "-f", "x", "main~2")
		gittest.Git(t, dir, "branch", "-D", "y/z")
		gittest.Git(t, dir, "tag", "-d", "x/v1")
		same("refs moved back by force move back, deleted ones go")
		gittest.Git(t, dir, "update-ref", "-d", "refs/heads/x")
		gittest.Git(t, dir, "update-ref", "-d", "refs/heads/main")
		gittest.Git(t, dir, "tag", "-d", "y/z/v1")
		same("a repository may become empty again")
	})
}

func TestResolve(t *testing.T) {
	dir := gittest.NewBare(t)
	first := seed(t, dir, map[string]string{"a": "1"})
	gittest.Git(t, dir, "-c", "user.name=T", "-c", "user.email=t@example.com", "tag", "-a", "-m", "m", "web/v1", "main")
	gittest.Git(t, dir, "-c", "user.name=T", "-c", "user.email=t@example.com", "tag", "-a", "-m", "m", "web/v1-again", "web/v1")
	gittest.Git(t, dir, "tag", "both", "main")
	second := seed(t, dir, map[string]string{"a": "2"})
	gittest.Git(t, dir, "branch", "both", "main")
	gittest.Git(t, dir, "tag", "tree", "main^{tree}")
	r := open(t, dir)
	for name, tc := range map[string]struct {
		reason, want, err string
	}{
		"main":            {reason: "a branch by its short name", want: second},
		"refs/heads/main": {reason: "a branch by its full name", want: second},
		"web/v1":          {reason: "an annotated tag is peeled", want: first},
		"web/v1-again":    {reason: "a tag of a tag is peeled as well", want: first},
		"both":            {reason: "a tag goes before a branch, as in Git", want: first},
		first:             {reason: "a commit by its id", want: first},
		first[:8]:         {reason: "a short id is not a name", err: "has no branch, tag or commit"},
		"tree":            {reason: "a tag of a tree is no commit", err: "has no branch, tag or commit"},
		"nope":            {reason: "what is not there is an error that names it", err: `has no branch, tag or commit "nope"`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := r.Resolve(name)
			if tc.err != "" {
				var none *gitrepo.RefError
				if !errors.As(err, &none) || !strings.Contains(err.Error(), tc.err) {
					t.Fatalf("%s: got error %v", tc.reason, err)
				}
				return
			}
			if err != nil || got.String() != tc.want {
				t.Errorf("%s: got %s, %v; want %s", tc.reason, got, err, tc.want)
			}
		})
	}
}

func TestOpenErrors(t *testing.T) {
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"a": "1"})
	guarded := gittest.NewHTTP(t, dir, gittest.BasicAuth("me", "s3cret"))
	token := gittest.NewHTTP(t, dir, gittest.BearerAuth("t0ken"))
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "out\nof order", http.StatusInternalServerError)
	}))
	t.Cleanup(broken.Close)
	notGit := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>hello</html>")) }))
	t.Cleanup(notGit.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, tc := range map[string]struct {
		reason string
		ctx    context.Context
		url    string
		opts   gitrepo.Options
		want   string // the error's type, "" for none
		says   string
	}{
		"basic":           {reason: "the right password opens", url: guarded, opts: gitrepo.Options{Credentials: gitrepo.Credentials{Username: "me", Password: "s3cret"}}},
		"in the URL":      {reason: "so does one in the URL", url: strings.Replace(guarded, "http://", "http://me:s3cret@", 1)},
		"bearer":          {reason: "the right token opens", url: token, opts: gitrepo.Options{Credentials: gitrepo.Credentials{BearerToken: "t0ken"}}},
		"wrong password":  {reason: "a wrong password is an AuthError without it", url: guarded, opts: gitrepo.Options{Credentials: gitrepo.Credentials{Username: "me", Password: "wr0ng"}}, want: "*gitrepo.AuthError", says: "authentication failed"},
		"wrong in URL":    {reason: "nor does it show when it came in the URL", url: strings.Replace(guarded, "http://", "http://me:wr0ng@", 1), want: "*gitrepo.AuthError", says: "authentication failed"},
		"no password":     {reason: "none at all is the same", url: guarded, want: "*gitrepo.AuthError", says: "authentication failed"},
		"missing path":    {reason: "a missing directory is said to be missing", url: dir + "-not", want: "*gitrepo.NotFoundError", says: "does not exist"},
		"not a repo":      {reason: "a directory need not be a repository", url: t.TempDir(), want: "*gitrepo.NotFoundError", says: "does not exist"},
		"missing on http": {reason: "a server that answers 404 has no such repository", url: strings.Replace(token, "repo.git", "other.git", 1), opts: gitrepo.Options{Credentials: gitrepo.Credentials{BearerToken: "t0ken"}}, want: "*gitrepo.NotFoundError", says: "does not exist"},
		"nobody there":    {reason: "a closed port is unreachable", url: gone.URL + "/wr0ng.git", want: "*gitrepo.UnreachableError", says: "connection refused"},
		"server error":    {reason: "so is a server in trouble", url: broken.URL + "/a.git", want: "*gitrepo.UnreachableError", says: "500"},
		"no git":          {reason: "so is a server that speaks something else", url: notGit.URL + "/a.git", want: "*gitrepo.UnreachableError", says: "cannot be reached"},
		"cancelled":       {reason: "a cancelled context ends it", ctx: cancelled, url: dir, want: "*gitrepo.UnreachableError", says: "context canceled"},
		"bad CA":          {reason: "a CA bundle must hold a certificate", url: "https://git.example/a.git", opts: gitrepo.Options{CABundle: []byte("x")}, want: "*errors.errorString", says: "PEM"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := tc.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			_, err := gitrepo.Open(ctx, tc.url, tc.opts)
			if tc.want == "" {
				if err != nil {
					t.Fatalf("%s: %v", tc.reason, err)
				}
				return
			}
			if got := kind(err); got != tc.want {
				t.Fatalf("%s: got %s (%v), want %s", tc.reason, got, err, tc.want)
			}
			msg := err.Error()
			if !strings.Contains(msg, tc.says) || strings.ContainsAny(msg, "\n\r") || strings.Contains(msg, "me:") || strings.Contains(msg, "s3cret") {
				t.Errorf("%s: got %q, want one line that says %q, and no secret", tc.reason, msg, tc.says)
			}
		})
	}
}

// kind names the first of this room's error types in err's chain.
func kind(err error) string {
	var notFound *gitrepo.NotFoundError
	var auth *gitrepo.AuthError
	var unreachable *gitrepo.UnreachableError
	var stale *gitrepo.StaleError
	var rejected *gitrepo.RejectedError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &notFound):
		return "*gitrepo.NotFoundError"
	case errors.As(err, &auth):
		return "*gitrepo.AuthError"
	case errors.As(err, &unreachable):
		return "*gitrepo.UnreachableError"
	case errors.As(err, &stale):
		return "*gitrepo.StaleError"
	case errors.As(err, &rejected):
		return "*gitrepo.RejectedError"
	}
	return "*errors.errorString"
}

func TestRefreshSurvivesDeletedBranch(t *testing.T) {
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"a": "1"})
	gittest.Commit(t, dir, gittest.Change{Branch: "drafts/a/w", Files: gittest.Files(map[string]string{"b": "2"})})
	var once sync.Once
	url := gittest.NewHTTP(t, dir, gittest.BeforeUpload(func() {
		once.Do(func() { gittest.Git(t, dir, "branch", "-D", "drafts/a/w") })
	}))
	r := open(t, url)
	if diff := cmp.Diff(gittest.Refs(t, dir), listing(r)); diff != "" {
		t.Errorf("a branch that goes between list and fetch is looked past (-remote +view):\n%s", diff)
	}
}
