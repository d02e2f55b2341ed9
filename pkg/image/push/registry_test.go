package push

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/random"

	"github.com/waybill-dev/waybill/pkg/image"
)

const (
	user, password = "porter", "s3cr3t/Pass"
	reference      = image.Registry + "/bind:v1"
)

// fakeRegistry is a registry that wants a password, and that a test makes fail.
type fakeRegistry struct {
	*httptest.Server
	mu sync.Mutex
	// writes are the requests that changed something.
	writes []string
	fail   failure
}

// failure answers a request in a registry's place, if it returns true.
type failure func(http.ResponseWriter, *http.Request) bool

// failWith sets what fails from now on, nil for nothing. Requests of a push that failed may still be on the way.
func (r *fakeRegistry) failWith(f failure) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fail = f
}

func newRegistry(t *testing.T, options ...registry.Option) *fakeRegistry {
	t.Helper()
	r := &fakeRegistry{}
	inner := registry.New(append(options, registry.Logger(log.New(io.Discard, "", 0)))...)
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if u, p, ok := req.BasicAuth(); !ok || u != user || p != password {
			w.Header().Set("WWW-Authenticate", `Basic realm="test"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if r.answer(w, req) {
			inner.ServeHTTP(w, req)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// answer reports whether the registry is to answer.
func (r *fakeRegistry) answer(w http.ResponseWriter, req *http.Request) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fail != nil && r.fail(w, req) {
		return false
	}
	if req.Method != http.MethodGet && req.Method != http.MethodHead {
		r.writes = append(r.writes, req.Method+" "+req.URL.Path)
	}
	return true
}

func (r *fakeRegistry) written() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.writes
	r.writes = nil
	return out
}

// host is the registry's name: 127.0.0.1:port.
func (r *fakeRegistry) host() string { return strings.TrimPrefix(r.URL, "http://") }

// login has the password for every registry.
type login struct{ password string }

func (l login) Resolve(authn.Resource) (authn.Authenticator, error) {
	return authn.FromConfig(authn.AuthConfig{Username: user, Password: l.password}), nil
}

func newPusher(t *testing.T, r *fakeRegistry, change func(*Options)) *Pusher {
	t.Helper()
	o := Options{To: r.host() + "/fleet", Keychain: login{password}, Wait: time.Millisecond}
	if change != nil {
		change(&o)
	}
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// store writes an index of two images, with something attached to it and to its first image, into a layout.
func store(t *testing.T) image.Stored {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "layout")
	idx, err := random.Index(2000, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := idx.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	self, err := partial.Descriptor(idx)
	if err != nil {
		t.Fatal(err)
	}
	if err := image.WriteLayout(dir, reference, idx, attachTo(t, *self), attachTo(t, manifest.Manifests[0])); err != nil {
		t.Fatal(err)
	}
	all, err := image.ReadLayout(dir)
	if err != nil || len(all) != 1 || len(all[0].Attached) != 2 {
		t.Fatalf("want one index with two artifacts, got %+v, %v", all, err)
	}
	return all[0]
}

func attachTo(t *testing.T, subject v1.Descriptor) v1.Image {
	t.Helper()
	img, err := random.Image(100, 1)
	if err != nil {
		t.Fatal(err)
	}
	return mutate.Subject(img, subject).(v1.Image)
}

// send plans and does.
func send(t *testing.T, p *Pusher, stored image.Stored) (*Step, error) {
	t.Helper()
	step, err := p.Plan(t.Context(), stored)
	if err == nil {
		err = p.Do(t.Context(), step)
	}
	return step, err
}
