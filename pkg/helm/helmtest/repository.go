// Package helmtest has chart repositories for tests.
package helmtest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/waybill-dev/waybill/pkg/helm/chart"
)

// Repository is an HTTP repository of charts. Its archives lie in /charts.
type Repository struct {
	*httptest.Server
	mu       sync.Mutex
	versions []version
	answers  map[string]http.HandlerFunc
	login    [2]string
	bare     bool
	asked    []string
}

type version struct {
	chart, version string
	archive        []byte
}

// NewRepository starts an empty repository.
func NewRepository(t testing.TB) *Repository {
	t.Helper()
	r := &Repository{answers: map[string]http.HandlerFunc{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

// Add adds a chart with a ConfigMap, and with files, each a path and a text.
func (r *Repository) Add(chart, v string, files ...string) {
	all := map[string]string{
		"templates/settings.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n" +
			"data:\n  version: {{ .Chart.Version | quote }}\n",
	}
	for i := 0; i+1 < len(files); i += 2 {
		all[files[i]] = files[i+1]
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.versions = append(r.versions, version{chart, v, Archive(chart, v, all)})
}

// Answer has one path answered by do.
func (r *Repository) Answer(path string, do http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answers[path] = do
}

// WithoutDigests leaves digests out of the index, as old versions of Helm did.
func (r *Repository) WithoutDigests() { r.bare = true }

// Password has the repository want a user and a password.
func (r *Repository) Password(user, password string) { r.login = [2]string{user, password} }

// Asked are the paths that were asked for since the last call.
func (r *Repository) Asked() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.asked
	r.asked = nil
	return out
}

func (r *Repository) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	r.asked = append(r.asked, req.URL.Path)
	do, versions := r.answers[req.URL.Path], r.versions
	r.mu.Unlock()
	user, password, _ := req.BasicAuth()
	switch {
	case r.login != [2]string{user, password}:
		w.WriteHeader(http.StatusUnauthorized)
	case do != nil:
		do(w, req)
	case req.URL.Path == "/index.yaml":
		_, _ = w.Write([]byte(r.index(versions)))
	default:
		for _, v := range versions {
			if req.URL.Path == "/charts/"+v.chart+"-"+v.version+".tgz" {
				_, _ = w.Write(v.archive)
				return
			}
		}
		http.NotFound(w, req)
	}
}

func (r *Repository) index(versions []version) string {
	entries := map[string]string{}
	for _, v := range versions {
		digest := ""
		if !r.bare {
			digest = "    digest: " + strings.TrimPrefix(chart.Digest(v.archive), "sha256:") + "\n"
		}
		entries[v.chart] += fmt.Sprintf("  - apiVersion: v2\n    name: %[1]s\n    version: %[2]s\n%[3]s    urls:\n    - charts/%[1]s-%[2]s.tgz\n",
			v.chart, v.version, digest)
	}
	text := "apiVersion: v1\nentries:\n"
	for chart, list := range entries {
		text += "  " + chart + ":\n" + list
	}
	return text + "generated: \"2026-01-01T00:00:00Z\"\n"
}

// Archive is the archive of a chart with a Chart.yaml, or without one for "", and other files. A path with .. is one from the
// root of the archive.
func Archive(chart, version string, files map[string]string) []byte {
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	w := tar.NewWriter(zipped)
	add := func(name, text string) {
		_ = w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg})
		_, _ = w.Write([]byte(text))
	}
	if chart != "" {
		add(chart+"/Chart.yaml", fmt.Sprintf("apiVersion: v2\nname: %s\nversion: %s\n", chart, version))
	}
	for _, name := range sorted(files) {
		if strings.HasPrefix(name, "..") {
			add(name, files[name])
			continue
		}
		add(chart+"/"+name, files[name])
	}
	_, _ = w.Close(), zipped.Close()
	return out.Bytes()
}

func sorted(files map[string]string) []string { return slices.Sorted(maps.Keys(files)) }
