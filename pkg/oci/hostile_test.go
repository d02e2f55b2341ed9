package oci_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"

	"github.com/waybill-dev/waybill/pkg/diskcache"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
)

const (
	user, password = "porter", "s3cr3t/Pass"
	manifestType   = "application/vnd.oci.image.manifest.v1+json"
)

// manifestOf is a manifest with these layers.
func manifestOf(layers ...map[string]any) map[string]any {
	return map[string]any{
		"schemaVersion": 2, "mediaType": manifestType, "layers": layers,
		"config": layer(oci.FluxConfig, oci.Digest([]byte("{}")), 2),
	}
}

func layer(mediaType, digest string, size int64) map[string]any {
	return map[string]any{"mediaType": mediaType, "digest": digest, "size": size}
}

// TestHostilePull: a registry that lies gets an error that says so, and no endless reading.
func TestHostilePull(t *testing.T) {
	content := "this is no layer"
	right := layer(oci.FluxContent, oci.Digest([]byte(content)), int64(len(content)))
	many := make([]map[string]any, 65)
	for i := range many {
		many[i] = right
	}
	with := func(key string, value any) map[string]any {
		m := manifestOf(right)
		m[key] = value
		return m
	}
	for name, tc := range map[string]struct {
		manifest any
		blob     func(w http.ResponseWriter)
		digest   string
		want     string
	}{
		"wrong manifest": {manifestOf(right), nil, "sha256:" + strings.Repeat("0", 64), "does not match requested digest"},
		"wrong blob":     {manifestOf(right), text("another content!"), "", "error verifying sha256 checksum"},
		"short blob":     {manifestOf(right), text("this"), "", "blob sha256:"},
		"endless refusal": {manifestOf(right), func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusBadRequest)
			endlessly(w)
		}, "", "exceeds 65536 byte limit"},
		"endless blob":    {manifestOf(right), endlessly, "", "another number"},
		"huge blob":       {manifestOf(layer(oci.FluxContent, oci.Digest(nil), 1<<40)), nil, "", "has 1099511627776 bytes, and more than 268435456 are not read"},
		"huge sum":        {manifestOf(layer(oci.FluxContent, oci.Digest(nil), 200<<20), layer(oci.FluxContent, oci.Digest(nil), 200<<20)), nil, "", "its blobs have 419430402 bytes"},
		"negative size":   {manifestOf(layer(oci.FluxContent, oci.Digest(nil), -1)), nil, "", "has -1 bytes"},
		"many layers":     {manifestOf(many...), nil, "", "has 65 layers"},
		"digest no hash":  {manifestOf(layer(oci.FluxContent, "sha256:../../etc/passwd", 1)), nil, "", "not JSON"},
		"other hash":      {manifestOf(layer(oci.FluxContent, "sha512:"+strings.Repeat("0", 128), 1)), nil, "", "is no SHA-256 digest"},
		"no layers":       {manifestOf(), nil, "", "names no config or no layers"},
		"index":           {with("mediaType", "application/vnd.oci.image.index.v1+json"), nil, "", "list of images for several platforms"},
		"other type":      {with("mediaType", "text/html"), nil, "", `has the media type "text/html"`},
		"old schema":      {with("schemaVersion", 1), nil, "", "has schemaVersion 1"},
		"not JSON":        {"just text", nil, "", "not JSON"},
		"endless":         {nil, endlessly, "", "answer is longer than 8388608 bytes"},
		"layer is no tar": {manifestOf(right), text(content), "", "unpacks"},
	} {
		t.Run(name, func(t *testing.T) {
			s := ocitest.Hostile(t, func(w http.ResponseWriter, r *http.Request) bool {
				switch {
				case strings.Contains(r.URL.Path, "/manifests/") && tc.manifest == nil:
					w.Header().Set("Content-Type", manifestType)
					tc.blob(w)
				case strings.Contains(r.URL.Path, "/manifests/"):
					w.Header().Set("Content-Type", manifestType)
					_ = json.NewEncoder(w).Encode(tc.manifest)
				case strings.HasSuffix(r.URL.Path, oci.Digest([]byte("{}"))):
					fmt.Fprint(w, "{}")
				case strings.Contains(r.URL.Path, "/blobs/") && tc.blob != nil:
					tc.blob(w)
				default:
					return false
				}
				return true
			})
			ref := reference(t, s.URL("bp/edge:v1"))
			if tc.digest != "" {
				ref = ref.WithDigest(tc.digest)
			}
			p, err := client(t, oci.Options{}).Pull(t.Context(), ref)
			if tc.want == "unpacks" {
				if err == nil {
					_, _, err = p.Tree(oci.UnpackLimits{})
				}
				tc.want = "the content is not compressed so"
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("want %q, got %v", tc.want, err)
			}
		})
	}
}

// TestWrongSizeOfCached: a manifest that says another size of a blob is refused, also if another manifest brought the blob to the cache.
func TestWrongSizeOfCached(t *testing.T) {
	text := "a layer"
	size := int64(len(text))
	s := ocitest.Hostile(t, func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case strings.Contains(r.URL.Path, "/manifests/"):
			w.Header().Set("Content-Type", manifestType)
			_ = json.NewEncoder(w).Encode(manifestOf(layer(oci.FluxContent, oci.Digest([]byte(text)), size)))
		case strings.Contains(r.URL.Path, "/blobs/"):
			fmt.Fprint(w, text)
		default:
			return false
		}
		return true
	})
	c := client(t, oci.Options{Cache: diskcache.New(t.TempDir(), 1<<20, nil)})
	ref := reference(t, s.URL("bp/edge:v1"))
	if _, err := c.Pull(t.Context(), ref); err != nil {
		t.Fatal(err)
	}
	size++
	if _, err := c.Pull(t.Context(), ref); err == nil || !strings.Contains(err.Error(), "the manifest says 8 bytes, and it has 7") {
		t.Errorf("want an error about the size, got %v", err)
	}
}

// TestRedirectLoop: a registry that redirects for ever gets an error, and few requests.
func TestRedirectLoop(t *testing.T) {
	var requests atomic.Int32
	s := ocitest.Hostile(t, func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "/manifests/") {
			return false
		}
		if requests.Add(1) > 1000 {
			return false
		}
		http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
		return true
	})
	for name, ask := range map[string]func(ref oci.Reference) error{
		"resolve": func(ref oci.Reference) error {
			_, err := client(t, oci.Options{}).Resolve(t.Context(), ref)
			return err
		},
		"pull": func(ref oci.Reference) error {
			_, err := client(t, oci.Options{}).Pull(t.Context(), ref)
			return err
		},
		"push": func(ref oci.Reference) error {
			_, err := client(t, oci.Options{}).Push(t.Context(), ref, &oci.Artifact{Layers: []oci.Blob{{MediaType: oci.FluxContent}}})
			return err
		},
	} {
		requests.Store(0)
		err := ask(reference(t, s.URL("bp/edge:v1")))
		if err == nil || !strings.Contains(err.Error(), "redirects more than 10 times") || requests.Load() > 11 {
			t.Errorf("%s: want an error after 11 requests, got %v after %d", name, err, requests.Load())
		}
	}
}

// TestTwoPushes: when two clients that saw no tag push it, the one whose artifact the tag does not name in the end gets an error.
func TestTwoPushes(t *testing.T) {
	pushed := func(text string) *oci.Artifact {
		return &oci.Artifact{Layers: []oci.Blob{{MediaType: oci.FluxContent, Data: []byte(text)}}}
	}
	var other func()
	var there atomic.Bool
	honest := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		honest.ServeHTTP(w, r)
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/manifests/v1") && !there.Swap(true) {
			other()
		}
	}))
	defer s.Close()
	ref := reference(t, "oci://"+strings.TrimPrefix(s.URL, "http://")+"/bp/edge:v1")
	var last string
	other = func() {
		var err error
		if last, err = client(t, oci.Options{MoveTags: true}).Push(t.Context(), ref, pushed("other")); err != nil {
			t.Error(err)
		}
	}
	digest, err := client(t, oci.Options{}).Push(t.Context(), ref, pushed("first"))
	var moved *oci.TagError
	if !errors.As(err, &moved) || moved.Is != last || moved.Want != digest {
		t.Errorf("want an error that the tag names %s, got %v", last, err)
	}
}

func text(s string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) { fmt.Fprint(w, s) }
}

// endlessly sends until the client hangs up.
func endlessly(w http.ResponseWriter) {
	chunk := []byte(strings.Repeat(" ", 1<<16))
	for {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

// TestBlobElsewhere: registries of clouds redirect to where their blobs are, and a large one is read there, too.
func TestBlobElsewhere(t *testing.T) {
	large := make([]byte, 9<<20)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(large) }))
	defer elsewhere.Close()
	s := ocitest.Hostile(t, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, "/blobs/"+oci.Digest(large)) {
			return false
		}
		http.Redirect(w, r, elsewhere.URL+"/bucket/1f3e", http.StatusTemporaryRedirect)
		return true
	})
	c, ref := client(t, oci.Options{}), reference(t, s.URL("bp/edge:v1"))
	if _, err := c.Push(t.Context(), ref, &oci.Artifact{Layers: []oci.Blob{{MediaType: oci.FluxContent, Data: large}}}); err != nil {
		t.Fatal(err)
	}
	if p, err := c.Pull(t.Context(), ref); err != nil || len(p.Layers[0].Data) != len(large) {
		t.Errorf("got %v", err)
	}
}

// TestHostileLists: a list of tags ends, whatever the registry says.
func TestHostileLists(t *testing.T) {
	for name, tc := range map[string]struct {
		answer func(w http.ResponseWriter, page int)
		want   string
	}{
		"endless pages": {func(w http.ResponseWriter, page int) {
			w.Header().Set("Link", fmt.Sprintf(`</v2/bp/edge/tags/list?last=%d>; rel="next"`, page))
			fmt.Fprintf(w, `{"tags": ["v%d"]}`, page)
		}, "more than 1000 pages"},
		"endless page": {func(w http.ResponseWriter, _ int) { endlessly(w) }, "answer is longer than"},
		"many tags": {func(w http.ResponseWriter, _ int) {
			fmt.Fprintf(w, `{"tags": [%s"v"]}`, strings.Repeat(`"v",`, 100_001))
		}, "more than 100000 entries"},
		"another host": {func(w http.ResponseWriter, _ int) {
			w.Header().Set("Link", `<http://169.254.169.254/latest>; rel="next"`)
			fmt.Fprint(w, `{"tags": ["v1"]}`)
		}, "does not match registry host"},
	} {
		t.Run(name, func(t *testing.T) {
			var pages atomic.Int64
			s := ocitest.Hostile(t, func(w http.ResponseWriter, r *http.Request) bool {
				if !strings.HasSuffix(r.URL.Path, "/tags/list") {
					return false
				}
				tc.answer(w, int(pages.Add(1)))
				return true
			})
			_, err := client(t, oci.Options{}).Tags(t.Context(), reference(t, s.URL("bp/edge")))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("want %q, got %v", tc.want, err)
			}
		})
	}
}

// TestCredentialsStay: a registry that sends its clients elsewhere, or repeats what they sent, gets no password into other hands.
func TestCredentialsStay(t *testing.T) {
	var leaked atomic.Bool
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		leaked.Store(leaked.Load() || r.Header.Get("Authorization") != "")
		w.WriteHeader(http.StatusNotFound)
	}))
	defer elsewhere.Close()
	far := strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1)
	for name, answer := range map[string]func(w http.ResponseWriter, r *http.Request){
		"redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, far+"/x", http.StatusFound) },
		"repeat": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_, p, _ := r.BasicAuth()
			fmt.Fprintf(w, `{"errors": [{"code": "DENIED", "message": "%s %s"}]}`, p, r.Header.Get("Authorization"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := ocitest.Hostile(t, func(w http.ResponseWriter, r *http.Request) bool {
				if _, _, ok := r.BasicAuth(); !ok {
					w.Header().Set("WWW-Authenticate", `Basic realm="test"`)
					w.WriteHeader(http.StatusUnauthorized)
					return true
				}
				if r.URL.Path == "/v2/" {
					return false
				}
				answer(w, r)
				return true
			})
			c := client(t, oci.Options{Keychain: oci.BasicAuth(s.Host, user, password)})
			_, err := c.Pull(t.Context(), reference(t, s.URL("bp/edge:v1")))
			if err == nil || strings.Contains(err.Error(), password) || strings.Contains(err.Error(), "cG9ydGVy") {
				t.Errorf("want an error without credentials, got %v", err)
			}
			if leaked.Load() {
				t.Error("another host got the credentials")
			}
		})
	}
}

// TestRefused: an error of 401 and 403 says how to give other credentials.
func TestRefused(t *testing.T) {
	for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden} {
		s := ocitest.Hostile(t, func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != "/v2/" {
				w.WriteHeader(status)
			}
			return r.URL.Path != "/v2/"
		})
		for advice, want := range map[string]string{"": "log in with 'docker login " + s.Host + "'", "check the Secret": "; check the Secret"} {
			_, err := client(t, oci.Options{Advice: advice}).Resolve(t.Context(), reference(t, s.URL("bp/edge:v1")))
			if err == nil || !strings.Contains(err.Error(), want) || advice != "" && strings.Contains(err.Error(), "docker") {
				t.Errorf("%d: want %q, got %v", status, want, err)
			}
		}
	}
}

// TestLogin: a real registry that wants a password gets it, and refuses a wrong one without showing it.
func TestLogin(t *testing.T) {
	s := ocitest.Registry(t, ocitest.WithLogin(user, password))
	a := artifact(t, tree(t, map[string]string{"Kptfile": "kind: Kptfile\n"}))
	ref := reference(t, s.URL("bp/edge:v1"))
	if _, err := client(t, oci.Options{Keychain: oci.BasicAuth(s.Host, user, password)}).Push(t.Context(), ref, a); err != nil {
		t.Error(err)
	}
	_, err := client(t, oci.Options{Keychain: oci.BasicAuth(s.Host, user, "wrong-s3cr3t")}).Pull(t.Context(), ref)
	if err == nil || !strings.Contains(err.Error(), "UNAUTHORIZED") || !strings.Contains(err.Error(), "docker login "+s.Host) || strings.Contains(err.Error(), "wrong-s3cr3t") {
		t.Errorf("want a refusal without the password, got %v", err)
	}
}
