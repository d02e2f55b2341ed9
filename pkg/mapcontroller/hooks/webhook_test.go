package hooks_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/mapcontroller/hooks"
)

var errMissing = errors.New("there is none")

func TestStatuses(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		status int
		want   string
	}{
		"ok":           {"the only success", 200, "{}"},
		"created":      {"nothing else is one", 201, "error: URL: status 201 Created"},
		"empty":        {"an answer without a body is an error", 204, "error: URL: status 204 No Content"},
		"moved":        {"a redirect to nowhere", 301, "error: URL: status 301 Moved Permanently: a redirect to another host, or to another method, is not followed"},
		"not modified": {"the request had no ETag", 304, "error: URL: status 304 Not Modified"},
		"bad":          {"the body is not repeated", 400, "error: URL: status 400 Bad Request"},
		"unauthorized": {"it is an error like others", 401, "error: URL: status 401 Unauthorized"},
		"precondition": {"there was none", 412, "error: URL: status 412 Precondition Failed"},
		"later":        {"no error: it is asked again", 429, "later: 7s"},
		"trouble":      {"Retry-After counts with 429 alone", 503, "error: URL: status 503 Service Unavailable"},
		"odd":          {"a status without a name", 599, "error: URL: status 599"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", "7")
				w.WriteHeader(tc.status)
				if tc.status >= 200 && tc.status != 204 && tc.status != 304 {
					fmt.Fprint(w, "{}")
				}
			})
			got := strings.ReplaceAll(ask(t, "url: '"+s.URL+"/map?a=b'", "", hooks.Options{}), s.URL, "URL")
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestRequest(t *testing.T) {
	var got []string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, fmt.Sprintln(r.Method, r.RequestURI, r.Header.Get("Content-Type"), r.Header["Authorization"], r.Header["If-None-Match"], string(body)))
		w.Header().Set("ETag", `"x"`)
		fmt.Fprint(w, `{"outputs":[]}`)
	})
	h, hook, err := webhook(t, "url: '"+s.URL+"/map?token=x'", "", hooks.Options{})
	check(t, err)
	r := request("m1-<&>")
	for range 2 { // answers are not kept unless that is asked for
		_, err = h.Webhook(t.Context(), hook, r)
		check(t, err)
	}
	body, err := r.JSON()
	check(t, err)
	one := "POST /map?token=x application/json [] [] " + string(body) + "\n"
	if diff := cmp.Diff([]string{one, one}, got); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(string(body), "m1-<&>") {
		t.Errorf("HTML is escaped: %s", body)
	}
}

func TestServiceAddress(t *testing.T) {
	asked := ""
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) { // stands in for the cluster's names
		asked = r.Method + " " + r.URL.String()
		fmt.Fprint(w, "{}")
	})
	for service, want := range map[string]string{
		"service: {name: a, namespace: b}":                       "POST http://a.b:80/",
		"service: {name: a, namespace: b, port: 8080}, path: /c": "POST http://a.b:8080/c",
	} {
		if got := ask(t, service, "", hooks.Options{Proxy: to(proxy.URL)}); got != "{}" {
			t.Error(got)
		}
		if diff := cmp.Diff(want, asked); diff != "" {
			t.Errorf("%s (-want +got):\n%s", service, diff)
		}
	}
}

func TestRedirects(t *testing.T) {
	elsewhere := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("asked the other host") })
	const refused = ": a redirect to another host, or to another method, is not followed"
	for name, tc := range map[string]struct {
		reason, location string
		status           int
		want             string
	}{
		"same host":    {"the same request at another place", "/there", 307, `{"body":true}`},
		"permanent":    {"likewise", "/there", 308, `{"body":true}`},
		"other host":   {"credentials stay here", elsewhere.URL + "/there", 307, "error: URL: status 307 Temporary Redirect" + refused},
		"other method": {"a GET asks nothing", "/there", 302, "error: URL: status 302 Found" + refused},
		"other scheme": {"nor does it get a better connection", "https://HOST/there", 308, "error: URL: status 308 Permanent Redirect" + refused},
		"round":        {"it has an end", "/", 307, "error: URL: status 307 Temporary Redirect" + refused},
		"nowhere":      {"a redirect without a place", "", 307, "error: URL: status 307 Temporary Redirect" + refused},
		"broken":       {"what the server says is not repeated", "http://%zz/secret", 307, "error: URL: it, or a proxy on the way, did not answer in HTTP"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/there" {
					body, _ := io.ReadAll(r.Body)
					fmt.Fprintf(w, `{"body":%t}`, r.Method == http.MethodPost && len(body) > 0 && r.Header.Get("Authorization") == "Bearer t0ken")
					return
				}
				if tc.location != "" {
					w.Header().Set("Location", strings.ReplaceAll(tc.location, "HOST", r.Host))
				}
				w.WriteHeader(tc.status)
			})
			got := ask(t, "url: '"+s.URL+"', authorization: {secretRef: {name: a, namespace: prod, key: b}}", "", hooks.Options{Values: values{"Secret prod/a b": "t0ken"}.read})
			if diff := cmp.Diff(tc.want, strings.ReplaceAll(got, s.URL, "URL")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestObserve(t *testing.T) {
	status, got := 200, []string{}
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if status == 0 {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(status)
	})
	h, hook, err := webhook(t, "url: '"+s.URL+"'", "", hooks.Options{Observe: func(hook string, status int, took time.Duration) {
		got = append(got, fmt.Sprint(hook, " ", status, " ", took >= 0))
	}})
	check(t, err)
	for _, status = range []int{200, 429, 500, 0} {
		_, _ = h.Webhook(t.Context(), hook, request("a")) // what is counted is at issue here
	}
	if diff := cmp.Diff([]string{"map 200 true", "map 429 true", "map 500 true", "map 0 true"}, got); diff != "" {
		t.Error(diff)
	}
}
