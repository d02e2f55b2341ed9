package fetch_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/helm/fetch"
	"github.com/waybill-dev/waybill/pkg/helm/helmtest"
)

// TestVersions resolves versions and ranges by Helm's rules.
func TestVersions(t *testing.T) {
	repo := helmtest.NewRepository(t)
	for _, v := range []string{"1.2.0", "1.2.3", "1.10.0", "2.0.0-rc.1", "not-semver", "2.0.0+build.5"} {
		repo.Add("web", v)
	}
	for name, tc := range map[string]struct{ reason, version, want string }{
		"exact":        {"one version", "1.2.0", "1.2.0"},
		"none":         {"the newest release", "", "2.0.0+build.5"},
		"caret":        {"numbers compare as numbers", "^1.2", "1.10.0"},
		"tilde":        {"patches only", "~1.2.0", "1.2.3"},
		"two ends":     {"a space means and", ">1.2.0 <1.9", "1.2.3"},
		"pre-release":  {"a range takes pre-releases only if it names one", ">=2.0.0-0 <2.0.0", "2.0.0-rc.1"},
		"build":        {"the text wins", "2.0.0+build.5", "2.0.0+build.5"},
		"unknown":      {"it names some that there are", "3.0.0", `error: the repository has no version "3.0.0" of it; it has 1.2.0, 1.2.3, 1.10.0`},
		"not a range":  {"what is no range", "latest", `error: version "latest": want an exact version, or a range`},
		"below range":  {"nothing fits", "<1", `error: the repository has no version "<1"`},
		"with a v":     {"Helm accepts it", "v1.2.0", "1.2.0"},
		"minor as 'x'": {"a wildcard", "1.2.x", "1.2.3"},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := fetch.New(fetch.Options{}).Fetch(t.Context(), fetch.Request{Repo: repo.URL, Name: "web", Version: tc.version})
			got := ""
			if err == nil {
				got = a.Version
			} else if want, ok := strings.CutPrefix(tc.want, "error: "); ok && strings.Contains(err.Error(), want) {
				got = tc.want
			}
			if got != tc.want {
				t.Errorf("%s: got %q, error %v, want %q", tc.reason, got, err, tc.want)
			}
		})
	}
}

// TestRefused fetches from servers that are broken or hostile: each is refused within bounds, and says why.
func TestRefused(t *testing.T) {
	const chart = "/charts/web-1.0.0.tgz"
	endless := func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	}
	redirect := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
	}
	text := func(contentType, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			_, _ = w.Write([]byte(body))
		}
	}
	index := func(fields string) http.HandlerFunc {
		return text("text/yaml", "apiVersion: v1\nentries:\n  web:\n  - name: web\n    version: 1.0.0\n"+fields)
	}
	for name, tc := range map[string]struct {
		path string
		do   http.HandlerFunc
		want string
	}{
		"login page":       {"/index.yaml", text("text/html", "<!DOCTYPE html><html><body>\n<p>Log in: <b>now</b></p></body></html>"), `it is no index of a chart repository (content type "text/html")`},
		"other YAML":       {"/index.yaml", text("text/yaml", "a: 1\n"), "it has no entries"},
		"empty":            {"/index.yaml", text("text/yaml", ""), "it has no entries"},
		"wrong types":      {"/index.yaml", text("text/yaml", "entries:\n  web: 5\n"), "entries[web]"},
		"alias bomb":       {"/index.yaml", text("text/yaml", bomb()), "index.yaml"},
		"endless index":    {"/index.yaml", endless, "more than 65536 bytes"},
		"missing":          {"/index.yaml", http.NotFound, "status 404"},
		"forbidden":        {"/index.yaml", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) }, "name its host in .netrc"},
		"loop":             {"/index.yaml", redirect("/index.yaml"), "more than 5 redirects"},
		"to a file":        {"/index.yaml", redirect("file:///etc/passwd"), "which is no web server"},
		"silent":           {"/index.yaml", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "did not answer in full within 200ms"},
		"slow":             {"/index.yaml", slow, "did not answer in full within 200ms"},
		"no URL":           {"/index.yaml", index(""), "names no URL"},
		"file URL":         {"/index.yaml", index("    urls: ['file:///etc/passwd']\n"), "is none of a web server"},
		"URL with secret":  {"/index.yaml", index("    urls: ['https://me:hunter2@example.com/a.tgz']\n"), "https://example.com/a.tgz"},
		"endless archive":  {chart, endless, "more than 65536 bytes"},
		"digest":           {chart, text("application/gzip", "other"), "has the digest sha256:"},
		"path out":         {chart, serve(helmtest.Archive("web", "1.0.0", map[string]string{"../../etc/cron.d/x": "x"})), "is outside of the chart's folder"},
		"bomb":             {chart, serve(helmtest.Archive("web", "1.0.0", map[string]string{"zeros": strings.Repeat("\x00", 6<<20)})), "zeros"},
		"other chart":      {chart, serve(helmtest.Archive("api", "1.0.0", nil)), `holds the chart "api"`},
		"other version":    {chart, serve(helmtest.Archive("web", "1.0.1", nil)), `holds version "1.0.1", and the repository calls it "1.0.0"`},
		"no archive":       {chart, text("text/html", "<html>"), "not a gzip-compressed archive"},
		"no chart":         {chart, serve(helmtest.Archive("", "", nil)), "the archive has no files"},
		"half of a chart":  {chart, serve(helmtest.Archive("web", "1.0.0", nil)[:60]), "broken"},
		"invalid redirect": {chart, redirect("http://%zz"), "redirects to what is no URL"},
	} {
		t.Run(name, func(t *testing.T) {
			repo := helmtest.NewRepository(t)
			repo.Add("web", "1.0.0")
			if name != "digest" {
				repo.WithoutDigests()
			}
			repo.Answer(tc.path, tc.do)
			f := fetch.New(fetch.Options{Limits: fetch.Limits{Index: 1 << 16, Archive: 1 << 16, Time: 200 * time.Millisecond}})
			_, err := f.Fetch(t.Context(), fetch.Request{Repo: repo.URL, Name: "web", Version: "1.0.0"})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("error %v, want one that contains %q", err, tc.want)
			}
			if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has several lines, or a secret: %q", err)
			}
		})
	}
}

// slow writes a byte now and then.
func slow(w http.ResponseWriter, r *http.Request) {
	for r.Context().Err() == nil {
		_, _ = w.Write([]byte("#"))
		w.(http.Flusher).Flush()
		time.Sleep(5 * time.Millisecond)
	}
}

func serve(data []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) }
}

// bomb is YAML whose aliases are a billion values.
func bomb() string {
	text := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		text += strings.NewReplacer("N", string(rune('1'+i)), "M", string(rune('0'+i))).Replace("aN: &aN [*aM, *aM, *aM, *aM, *aM, *aM, *aM, *aM, *aM, *aM]\n")
	}
	return text + "entries: {web: *a9}\n"
}

// TestCredentials sends the user's password to the server of the repository alone, and only when it asks.
func TestCredentials(t *testing.T) {
	var sent []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = append(sent, r.Header.Get("Authorization"))
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer other.Close()
	repo := helmtest.NewRepository(t)
	repo.Add("web", "1.0.0")
	repo.Password("me", "hunter2")
	o := fetch.Options{Login: func(_ context.Context, url string) (string, string, error) {
		if url != repo.URL {
			t.Errorf("asked for the password of %s", url)
		}
		return "me", "hunter2", nil
	}}
	r := fetch.Request{Repo: repo.URL, Name: "web"}
	if _, err := fetch.New(o).Fetch(t.Context(), r); err != nil {
		t.Fatalf("with the password: %v", err)
	}
	if _, err := fetch.New(fetch.Options{}).Fetch(t.Context(), r); err == nil || !strings.Contains(err.Error(), "status 401") {
		t.Errorf("without one: %v", err)
	}
	failing := errors.New(".netrc may be read by others")
	_, err := fetch.New(fetch.Options{Login: func(context.Context, string) (string, string, error) { return "", "", failing }}).Fetch(t.Context(), r)
	if !errors.Is(err, failing) {
		t.Errorf("the file cannot be read: %v", err)
	}
	repo.Answer("/charts/web-1.0.0.tgz", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+"/web.tgz", http.StatusFound)
	})
	if _, err := fetch.New(o).Fetch(t.Context(), r); err == nil || !strings.Contains(err.Error(), "status 401") {
		t.Errorf("an archive elsewhere: %v", err)
	}
	if len(sent) != 1 || sent[0] != "" {
		t.Errorf("the other server got %q, want one request without credentials", sent)
	}
}

// TestRepos refuses what is no repository.
func TestRepos(t *testing.T) {
	for repo, want := range map[string]string{
		"https://me:hunter2@example.com/charts": "holds a user or password",
		"ftp://example.com":                     "want an https://",
		"https:///charts":                       "want SCHEME://HOST/PATH",
		"https://example.com/?token=hunter2":    "without query or fragment",
		"file:///charts":                        "want an https://",
		"http://exa mple.com:hunter2":           "cannot be parsed",
		"oci://registry.example/charts":         "oci:// repositories cannot be read here",
	} {
		_, err := fetch.New(fetch.Options{}).Fetch(t.Context(), fetch.Request{Repo: repo, Name: "web", Version: "1.0.0"})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: error %v, want one that contains %q", repo, err, want)
		}
	}
}
