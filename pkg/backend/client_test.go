package backend_test

import (
	"context"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// checkPaths holds that what is asked of a backend stays below its address, whatever stands in table
// and body.
func checkPaths(t testing.TB, table *table.Table, plan *waybill.BackendPlan) {
	t.Helper()
	asked := 0
	transport := carrier(func(r *http.Request) (*http.Response, error) {
		asked++
		path := r.URL.EscapedPath()
		if r.URL.Host != "backend.example" || !strings.HasPrefix(path, "/base/") || strings.Contains(path+"/", "/../") || strings.Contains(path+"/", "/./") || r.URL.RawQuery+r.URL.Fragment != "" {
			t.Errorf("asked for %s", r.URL)
		}
		rec := httptest.NewRecorder()
		rec.WriteHeader(map[string]int{http.MethodPost: 409, http.MethodPut: 404}[r.Method] + map[bool]int{true: 200}[r.Method != http.MethodPost && r.Method != http.MethodPut])
		return rec.Result(), nil
	})
	c, err := httpclient.New(table, httpclient.Config{URL: "http://backend.example/base", Username: "u", Token: "t", Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	store := inventory.NewMemoryStore(inventory.New(table.Name()))
	if _, err := apply.Run(t.Context(), c, plan, store, apply.Options{Rounds: 1, Clock: &fakeClock{}}); err != nil {
		t.Fatal(err)
	}
	if asked == 0 {
		t.Error("nothing was asked")
	}
}

type carrier func(*http.Request) (*http.Response, error)

func (c carrier) RoundTrip(r *http.Request) (*http.Response, error) { return c(r) }

// one is a table with one kind, and what it takes to create one of it.
func one(t testing.TB, auth string) (*table.Table, *waybill.BackendPlan) {
	t.Helper()
	table, err := table.Read("t.yaml", []byte(tableText(auth, "", a(`, replace: "/as/{id}", read: "/as/{id}"`))))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := plan.New([]plan.Translation{translation("a/a", resource("A", "", "id", "x"))}, table, inventory.New("t"))
	if err != nil {
		t.Fatal(err)
	}
	return table, plan
}

// applyOne creates one resource over a server, and gives what became of it on one line.
func applyOne(t testing.TB, auth string, config httpclient.Config, options apply.Options) string {
	t.Helper()
	table, plan := one(t, auth)
	c, err := httpclient.New(table, config)
	if err != nil {
		return "client: " + err.Error()
	}
	if options.Rounds == 0 {
		options.Rounds = 1
	}
	if options.Clock == nil {
		options.Clock = &fakeClock{}
	}
	result, err := apply.Run(t.Context(), c, plan, inventory.NewMemoryStore(inventory.New("t")), options)
	o := result.Outcomes[0]
	if o.Failure == nil {
		return string(o.State)
	}
	return fmt.Sprintf("%s %s %d %s / %s", o.State, o.Failure.Class, o.Failure.Status, o.Failure.Message, message(err))
}

func serve(t testing.TB, h http.HandlerFunc) *httptest.Server {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func TestAuth(t *testing.T) {
	seen := func(want string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if got := r.Header.Get("Authorization"); got != want {
				http.Error(w, "got "+got, http.StatusUnauthorized)
			}
		}
	}
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("me:p w"))
	for name, tc := range map[string]struct {
		reason, auth string
		h            http.HandlerFunc
		want         string
	}{
		"none":         {"nothing is sent unless asked for", "", seen(""), "done"},
		"basic":        {"with every request", "type: Basic", seen(basic), "done"},
		"bearer":       {"with every request", "type: Bearer", seen("Bearer t0ken"), "done"},
		"wrong":        {"what the backend repeats does not show what was sent", "type: Basic", seen("x"), "failed auth 401 401 Unauthorized: got Basic (hidden) / the backend rejects the credentials: 401 Unauthorized: got Basic (hidden)"},
		"wrong bearer": {"as well", "type: Bearer", seen("x"), "failed auth 401 401 Unauthorized: got Bearer (hidden) / the backend rejects the credentials: 401 Unauthorized: got Bearer (hidden)"},
	} {
		t.Run(name, func(t *testing.T) {
			got := applyOne(t, tc.auth, httpclient.Config{URL: serve(t, tc.h).URL, Username: "me", Password: "p w", Token: "t0ken"}, apply.Options{})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestLogin(t *testing.T) {
	const auth = "type: Login, login: {path: /login, projectHeader: X-Project, tokenField: key, tokenHeader: X-Token}"
	for name, tc := range map[string]struct {
		reason string
		login  func(w http.ResponseWriter)
		want   string
		asked  int
	}{
		"right":    {"nothing, login, once more", func(w http.ResponseWriter) { fmt.Fprint(w, `{"key":"good"}`) }, "done", 2},
		"no use":   {"a second 401 is final", func(w http.ResponseWriter) { fmt.Fprint(w, `{"key":"bad"}`) }, "failed auth 401 401 Unauthorized: not (hidden) / the backend rejects the credentials: 401 Unauthorized: not (hidden)", 2},
		"refused":  {"so is no login", func(w http.ResponseWriter) { http.Error(w, "not hunter2", http.StatusForbidden) }, "failed auth 403 log in: 403 Forbidden: not (hidden) / the backend rejects the credentials: log in: 403 Forbidden: not (hidden)", 1},
		"down":     {"a backend in trouble may recover", func(w http.ResponseWriter) { http.Error(w, "", http.StatusServiceUnavailable) }, "failed retry 503 log in: 503 Service Unavailable / ", 1},
		"no token": {"an answer without what is needed", func(w http.ResponseWriter) { fmt.Fprint(w, `{"token":"t"}`) }, `failed auth 200 log in: the answer has no token in its field "key" / the backend rejects the credentials: log in: the answer has no token in its field "key"`, 1},
		"no JSON":  {"or that is something else", func(w http.ResponseWriter) { fmt.Fprint(w, `<html>`) }, `failed auth 200 log in: the answer has no token in its field "key" / the backend rejects the credentials: log in: the answer has no token in its field "key"`, 1},
		"header":   {"a token that would end its header", func(w http.ResponseWriter) { fmt.Fprint(w, `{"key":"a\r\nX: y"}`) }, `failed auth 200 log in: the answer has no token in its field "key" / the backend rejects the credentials: log in: the answer has no token in its field "key"`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/login" {
					u, p, _ := r.BasicAuth()
					if u != "me" || p != "hunter2" || r.Header.Get("X-Project") != "lab" || r.ContentLength > 0 {
						t.Errorf("login of %q with %q for %q", u, p, r.Header.Get("X-Project"))
					}
					tc.login(w)
					return
				}
				asked++
				if token := r.Header.Get("X-Token"); token != "good" {
					http.Error(w, "not "+token, http.StatusUnauthorized)
				}
			})
			got := applyOne(t, auth, httpclient.Config{URL: s.URL, Username: "me", Password: "hunter2", Project: "lab"}, apply.Options{})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.asked, asked); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnswers(t *testing.T) {
	answer := func(status int, header, value, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(header, value)
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	elsewhere := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("asked the other host") })
	for name, tc := range map[string]struct {
		reason string
		h      http.HandlerFunc
		want   string
	}{
		"bad request": {"it stays wrong", answer(422, "X", "", "no\n\tsuch \x1b[31mfield"), "failed permanent 422 422 Unprocessable Entity: no such [31mfield / "},
		"forbidden":   {"as well", answer(403, "X", "", ""), "failed permanent 403 403 Forbidden / "},
		"missing":     {"it may come", answer(404, "X", "", "no a"), "failed retry 404 a resource that it refers to is missing: 404 Not Found: no a / "},
		"not this": {"something of the same name is in the way", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(map[string]int{http.MethodPost: http.StatusConflict, http.MethodPut: http.StatusNotFound}[r.Method])
		}, "failed conflict 409 another resource conflicts with it: 409 Conflict / "},
		"in trouble": {"it may recover", answer(500, "X", "", ""), "failed retry 500 500 Internal Server Error / "},
		"long":       {"no message fills a screen", answer(500, "X", "", strings.Repeat("ä", 1<<20)), "failed retry 500 500 Internal Server Error: " + strings.Repeat("ä", 136) + "... / "},
		"other host": {"credentials stay here", answer(307, "Location", elsewhere.URL+"/as", ""), "failed permanent 307 307 Temporary Redirect: a redirect to another host is not followed / "},
		"other method": {"a GET that succeeds is no creation", func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				http.Redirect(w, r, "/", http.StatusFound)
			}
		}, "failed permanent 302 302 Found: a redirect to another method is not followed / "},
		"round":         {"and has an end", answer(307, "Location", "/as", ""), "failed permanent 307 307 Temporary Redirect: more than 5 redirects are not followed / "},
		"unchanged":     {"which was not requested", answer(304, "X", "", ""), "failed permanent 304 304 Not Modified: the redirect has no target / "},
		"no connection": {"it may come back", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "failed retry 0 EOF / "},
	} {
		t.Run(name, func(t *testing.T) {
			got := applyOne(t, "type: Bearer", httpclient.Config{URL: serve(t, tc.h).URL, Token: "t0ken"}, apply.Options{})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestWhatExistsAndCannotBeReplaced(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, more string
		status       int
		body, want   string
	}{
		"the same":    {"nothing is to be said", `, read: "/as/{id}"`, 200, `{"id":"x"}`, "done  "},
		"the rules":   {"but its place among others is not known", `, ordered: true, read: "/as/{id}"`, 200, `{"id":"x"}`, "done  it existed already: its place among the others is not known"},
		"another":     {"it stays as it is, and a note says so", `, read: "/as/{id}"`, 200, `{"id":7}`, "done  it existed already, with another id; it cannot be replaced"},
		"more":        {"it may be the backend's own", `, read: "/as/{id}"`, 200, `{"id":"x","b":1,"a":2}`, "done  it existed already, and has more fields than requested: a, b"},
		"a list":      {"it may mean the same", `, read: "/as/{id}"`, 200, "[]", "done  it existed already, and its content cannot be compared; it cannot be replaced"},
		"cannot read": {"it may be anything", "", 405, "", "done  it existed already, and it can be neither read nor replaced: its content is not known"},
		"too long":    {"it is not said to be something else", `, read: "/as/{id}"`, 200, `{"id":"` + strings.Repeat("x", 1<<20) + `"}`, "failed permanent it exists already, and the backend's answer about it is longer than 1048576 bytes"},
		"not there":   {"something else was meant", `, read: "/as/{id}"`, 404, "", "failed conflict another resource conflicts with it: 409 Conflict"},
		"no JSON":     {"this is not the backend that the table means", `, read: "/as/{id}"`, 200, "<html>", "failed permanent it exists already, and the backend's answer about it is not JSON"},
		"in trouble":  {"it may recover", `, read: "/as/{id}"`, 500, "", "failed retry 500 Internal Server Error"},
	} {
		t.Run(name, func(t *testing.T) {
			table, err := table.Read("t.yaml", []byte(tableText("", "", a(tc.more))))
			if err != nil {
				t.Fatal(err)
			}
			plan, err := plan.New([]plan.Translation{translation("a/a", resource("A", "", "id", "x"))}, table, inventory.New("t"))
			if err != nil {
				t.Fatal(err)
			}
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost {
					w.WriteHeader(http.StatusConflict)
					return
				}
				w.WriteHeader(tc.status)
				fmt.Fprint(w, tc.body)
			})
			c, err := httpclient.New(table, httpclient.Config{URL: s.URL})
			if err != nil {
				t.Fatal(err)
			}
			result, err := apply.Run(t.Context(), c, plan, inventory.NewMemoryStore(inventory.New("t")), apply.Options{Clock: &fakeClock{}, Rounds: 1})
			if err != nil {
				t.Fatal(err)
			}
			o, f := result.Outcomes[0], &httpclient.Failure{}
			if o.Failure != nil {
				f = o.Failure
			}
			if diff := cmp.Diff(tc.want, fmt.Sprintf("%s %s %s", o.State, f.Class, f.Message+o.Note)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestRedirectOnTheSameHostIsFollowed(t *testing.T) {
	body := ""
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/as" {
			http.Redirect(w, r, "/bs", http.StatusTemporaryRedirect)
			return
		}
		data := make([]byte, 100)
		n, _ := r.Body.Read(data)
		body = r.Method + " " + string(data[:n])
	})
	if diff := cmp.Diff("done", applyOne(t, "", httpclient.Config{URL: s.URL}, apply.Options{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(`POST {"id":"x"}`, body); diff != "" {
		t.Errorf("the same request (-want +got):\n%s", diff)
	}
}

func TestSlowBackend(t *testing.T) {
	stop := make(chan struct{})
	s := serve(t, func(http.ResponseWriter, *http.Request) { <-stop })
	defer close(stop)
	got := applyOne(t, "", httpclient.Config{URL: s.URL, Timeout: 50 * time.Millisecond}, apply.Options{})
	if !strings.HasPrefix(got, "failed retry 0 ") || !strings.Contains(got, "Client.Timeout") && !strings.Contains(got, "deadline") {
		t.Errorf("a backend that does not answer may answer later: %s", got)
	}
}

func TestTLS(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer s.Close()
	s.Config.ErrorLog = nil
	bundle := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if diff := cmp.Diff("done", applyOne(t, "", httpclient.Config{URL: s.URL, CABundle: bundle}, apply.Options{})); diff != "" {
		t.Error(diff)
	}
	if got := applyOne(t, "", httpclient.Config{URL: s.URL}, apply.Options{}); !strings.HasPrefix(got, "failed retry 0 tls: failed to verify certificate") {
		t.Errorf("the system does not trust it: %s", got)
	}
	if diff := cmp.Diff("client: the CA bundle has no certificate in PEM form", applyOne(t, "", httpclient.Config{URL: s.URL, CABundle: []byte("x")}, apply.Options{})); diff != "" {
		t.Error(diff)
	}
}

func TestConfig(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, auth string
		config       httpclient.Config
		want         string
	}{
		"no URL":       {"", "", httpclient.Config{URL: "http://a b%/"}, "the address of the backend is not a URL"},
		"file":         {"", "", httpclient.Config{URL: "file:///etc"}, "the address of the backend: want http:// or https:// and a host"},
		"user":         {"a URL is shown, a password is not", "", httpclient.Config{URL: "http://me:hunter2@b/"}, "the address of the backend contains a user: set user name and password separately"},
		"bad password": {"not even one that makes no URL", "", httpclient.Config{URL: "http://me:hunter2%@b/"}, "the address of the backend is not a URL"},
		"query":        {"", "", httpclient.Config{URL: "http://b/?a"}, "the address of the backend has a query or a fragment"},
		"no name":      {"", "type: Basic", httpclient.Config{URL: "http://b"}, `backend "t" requires a user name without colons`},
		"no token":     {"", "type: Bearer", httpclient.Config{URL: "http://b"}, `backend "t" requires a token`},
		"token":        {"it is a header", "type: Bearer", httpclient.Config{URL: "http://b", Token: "a\nb"}, "the token has characters that a header cannot hold"},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff("client: "+tc.want, applyOne(t, tc.auth, tc.config, apply.Options{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
	if s := fmt.Sprintf("%v %+v %#v %s", httpclient.Config{Password: "hunter2", Token: "t0ken"}, &httpclient.Config{Password: "hunter2"}, httpclient.Config{Token: "t0ken"}, httpclient.Secret("hunter2")); strings.Contains(s, "hunter2") || strings.Contains(s, "t0ken") {
		t.Errorf("a secret is shown: %s", s)
	}
}

func TestMidoNetConfig(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		env    map[string]string
		want   httpclient.Config
	}{
		"defaults": {"as upstream", nil, httpclient.Config{URL: "https://localhost:8181/midonet-api", Username: "admin"}},
		"short":    {"the prefix may be left out", map[string]string{"MIDONET_API": "http://m", "MIDONET_PASSWORD": "p"}, httpclient.Config{URL: "http://m", Username: "admin", Password: "p"}},
		"both":     {"the longer name is the one that is meant", map[string]string{"MIDONETKUBE_MIDONET_USERNAME": "me", "MIDONET_USERNAME": "you", "MIDONETKUBE_MIDONET_PROJECT": "lab"}, httpclient.Config{URL: "https://localhost:8181/midonet-api", Username: "me", Project: "lab"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := httpclient.MidoNetConfig(func(name string) (string, bool) { v, ok := tc.env[name]; return v, ok })
			if got.URL != tc.want.URL || got.Username != tc.want.Username || got.Password != tc.want.Password || got.Project != tc.want.Project {
				t.Errorf("%s: got %s as %s for %s", tc.reason, got.URL, got.Username, got.Project)
			}
		})
	}
}

func TestObserve(t *testing.T) {
	var seen []string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusConflict)
		}
	})
	applyOne(t, "", httpclient.Config{URL: s.URL, Observe: func(method, mediaType string) func(int) {
		return func(status int) { seen = append(seen, fmt.Sprint(method, " ", mediaType, " ", status)) }
	}}, apply.Options{})
	if diff := cmp.Diff([]string{"POST application/json 409", "PUT application/json 200"}, seen); diff != "" {
		t.Error(diff)
	}
}

// TestSystemClock has one wait of a millisecond, by the clock that there is.
func TestSystemClock(t *testing.T) {
	asked := 0
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked == 1 {
			w.WriteHeader(http.StatusBadGateway)
		}
	})
	table, plan := one(t, "")
	c, err := httpclient.New(table, httpclient.Config{URL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	result, err := apply.Run(t.Context(), c, plan, inventory.NewMemoryStore(inventory.New("t")), apply.Options{FirstWait: time.Millisecond})
	if err != nil || !result.Complete() || asked != 2 {
		t.Errorf("%v, %v, asked %d times", err, result.Err(), asked)
	}
}

func TestContextThatEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	table, plan := one(t, "")
	c, err := httpclient.New(table, httpclient.Config{URL: "http://backend.example", Transport: carrier(func(r *http.Request) (*http.Response, error) {
		cancel()
		return nil, r.Context().Err()
	})})
	if err != nil {
		t.Fatal(err)
	}
	store := inventory.NewMemoryStore(inventory.New("t"))
	result, err := apply.Run(ctx, c, plan, store, apply.Options{Clock: &fakeClock{}})
	if !errors.Is(err, context.Canceled) || result.Count(apply.StateFailed) != 1 {
		t.Errorf("it ends with its context: %v, %+v", err, result)
	}
	if i, _ := store.Load(t.Context()); i.Len() != 1 || i.Records()[0].State != waybill.StateCreating {
		t.Errorf("and what was begun is known: %+v", i.Spec())
	}
}
