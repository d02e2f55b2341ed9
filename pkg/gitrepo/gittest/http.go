package gittest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// Option changes how NewHTTP serves.
type Option func(http.Handler) http.Handler

// NewHTTP serves the bare repository in dir with git http-backend, and returns its URL. Options
// see requests in the order in which they are given.
func NewHTTP(t testing.TB, dir string, opts ...Option) string {
	t.Helper()
	testenv.Need(t, testenv.Git)
	var h http.Handler = &cgi.Handler{
		Path: filepath.Join(Git(t, dir, "--exec-path"), "git-http-backend"),
		Env:  append(cgiEnv(), "GIT_PROJECT_ROOT="+filepath.Dir(dir), "GIT_HTTP_EXPORT_ALL=1"),
		// What git says there reaches the client as well, or is the point of the test.
		Stderr: io.Discard,
	}
	h = whole(h)
	for _, wrap := range slices.Backward(opts) {
		h = wrap(h)
	}
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv.URL + "/" + filepath.Base(dir)
}

// whole keeps requests that a client broke off from git: its http-backend waits for the rest of a
// body in a busy loop that never ends.
func whole(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, "the request was incomplete", http.StatusBadRequest)
			return
		}
		r = r.Clone(r.Context())
		r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
		next.ServeHTTP(w, r)
	})
}

// cgiEnv is the part of Env that steers git; the cgi package passes on the rest that matters.
func cgiEnv() []string {
	return slices.DeleteFunc(Env(), func(kv string) bool { return !strings.HasPrefix(kv, "GIT_") && !strings.HasPrefix(kv, "LC_ALL=") })
}

// Hang has a server not answer while hangs is true. It sends to arrived at each such request.
func Hang(hangs *atomic.Bool, arrived chan<- struct{}) Option {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if hangs.Load() {
				arrived <- struct{}{}
				<-r.Context().Done()
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// BasicAuth lets in only this user.
func BasicAuth(user, password string) Option {
	return guard(func(r *http.Request) bool {
		u, p, ok := r.BasicAuth()
		return ok && u == user && p == password
	})
}

// BearerAuth lets in only this token.
func BearerAuth(token string) Option {
	return guard(func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer "+token })
}

func guard(may func(*http.Request) bool) Option {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !may(r) {
				w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
				http.Error(w, "who are you?", http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// BeforeReceive calls f when a pack has been sent to the server, and before the server looks at
// it: after the client has seen the refs, that is, and before they move.
func BeforeReceive(f func()) Option { return before("git-receive-pack", f) }

// BeforeUpload calls f when a client has asked for objects, and before the server looks for them.
func BeforeUpload(f func()) Option { return before("git-upload-pack", f) }

func before(service string, f func()) Option {
	return intercept(func(r *http.Request) bool {
		return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, service)
	},
		func(http.ResponseWriter) bool { f(); return true })
}

// ReadOnly answers every attempt to push with "403 Forbidden".
func ReadOnly() Option {
	return intercept(func(r *http.Request) bool {
		return strings.Contains(r.URL.Path+r.URL.RawQuery, "git-receive-pack")
	}, func(w http.ResponseWriter) bool {
		http.Error(w, "read only", http.StatusForbidden)
		return false
	})
}

// intercept runs f on the requests that match; f returning false ends the request there.
func intercept(match func(*http.Request) bool, f func(http.ResponseWriter) bool) Option {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !match(r) || f(w) {
				next.ServeHTTP(w, r)
			}
		})
	}
}
