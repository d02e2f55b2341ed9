package push

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	"github.com/waybill-dev/waybill/pkg/image"
	"github.com/waybill-dev/waybill/pkg/oci/access"
)

// TestPush sends an index to registries that list referrers and to those that do not, and reads all of it back.
func TestPush(t *testing.T) {
	for name, options := range map[string][]registry.Option{
		"lists referrers": {registry.WithReferrersSupport(true)},
		"knows only tags": nil,
	} {
		t.Run(name, func(t *testing.T) {
			r, stored := newRegistry(t, options...), store(t)
			p := newPusher(t, r, nil)
			step, err := p.Plan(t.Context(), stored)
			if err != nil {
				t.Fatal(err)
			}
			if step.Done() || len(r.written()) > 0 {
				t.Error("a plan says that there is something to do, and does nothing")
			}
			if err := p.Do(t.Context(), step); err != nil {
				t.Fatal(err)
			}
			checkPushed(t, r, stored)
			if last := last(r.written()); last != "PUT /v2/fleet/bind/manifests/v1" {
				t.Errorf("the tag comes last, not %s", last)
			}
			again, err := send(t, newPusher(t, r, nil), stored)
			if err != nil || !again.Done() {
				t.Errorf("everything is there: %v", err)
			}
			if writes := r.written(); len(writes) > 0 {
				t.Errorf("a second push changes nothing, and not %q", writes)
			}
		})
	}
}

func last(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// checkPushed reads everything from the registry, and compares it with the layout.
func checkPushed(t *testing.T, r *fakeRegistry, stored image.Stored) {
	t.Helper()
	tag, err := name.NewTag(r.host() + "/fleet/bind:v1")
	if err != nil {
		t.Fatal(err)
	}
	auth := remote.WithAuthFromKeychain(login{password})
	got, err := remote.Index(tag, auth)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(got); err != nil {
		t.Error(err)
	}
	for _, a := range stored.Attached {
		list, err := remote.Referrers(tag.Digest(a.Subject.String()), auth)
		if err != nil {
			t.Fatal(err)
		}
		index, err := list.IndexManifest()
		if err != nil {
			t.Fatal(err)
		}
		want, err := a.Image.Digest()
		if err != nil {
			t.Fatal(err)
		}
		if len(index.Manifests) != 1 || index.Manifests[0].Digest != want {
			t.Errorf("%s has the artifact %s, and the registry lists %+v", a.Subject, want, index.Manifests)
			continue
		}
		artifact, err := remote.Image(tag.Digest(want.String()), auth)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate.Image(artifact); err != nil {
			t.Error(err)
		}
	}
}

// TestPushContinues breaks off a push at each of its requests; then, the same push gets the rest there.
func TestPushContinues(t *testing.T) {
	stored := store(t)
	for after := 0; ; after++ {
		r := newRegistry(t)
		left := after
		r.failWith(func(w http.ResponseWriter, req *http.Request) bool {
			if req.Method != http.MethodPut && req.Method != http.MethodPatch {
				return false
			}
			left--
			if left < 0 {
				w.WriteHeader(http.StatusTeapot)
			}
			return left < 0
		})
		_, failed := send(t, newPusher(t, r, nil), stored)
		r.failWith(nil)
		if _, err := send(t, newPusher(t, r, nil), stored); err != nil {
			t.Fatalf("after %d requests: %v", after, err)
		}
		checkPushed(t, r, stored)
		if failed == nil {
			if after < 8 {
				t.Errorf("only %d requests", after)
			}
			return
		}
	}
}

// TestPushRetries: a request that fails for the moment is sent again.
func TestPushRetries(t *testing.T) {
	stored := store(t)
	for _, status := range []int{429, 500, 502, 503, 504} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			r, failed := newRegistry(t), map[string]int{}
			r.failWith(func(w http.ResponseWriter, req *http.Request) bool {
				request := req.Method + req.URL.Path
				if i := strings.Index(request, "/uploads/"); i >= 0 { // each upload has its own number
					request = request[:i]
				}
				failed[request]++
				if failed[request] > 1 {
					return false
				}
				w.WriteHeader(status)
				return true
			})
			if _, err := send(t, newPusher(t, r, nil), stored); err != nil {
				t.Fatal(err)
			}
			r.failWith(nil)
			checkPushed(t, r, stored)
			if len(failed) < 10 {
				t.Errorf("only %d kinds of requests failed", len(failed))
			}
		})
	}
}

// TestPushGivesUp: a registry that never recovers gets a number of requests, and no more.
func TestPushGivesUp(t *testing.T) {
	r, requests := newRegistry(t), 0
	r.failWith(func(w http.ResponseWriter, _ *http.Request) bool {
		requests++
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	_, err := send(t, newPusher(t, r, nil), store(t))
	r.failWith(nil)
	if err == nil || !strings.HasPrefix(err.Error(), reference+": ") || !strings.Contains(err.Error(), "503 Service Unavailable") {
		t.Errorf("want the image and the status, got %v", err)
	}
	if requests < access.Tries || requests > 2*access.Tries {
		t.Errorf("want about %d requests, got %d", access.Tries, requests)
	}
}

// TestPushKeepsTags: a tag that names another image is not moved, unless that is allowed.
func TestPushKeepsTags(t *testing.T) {
	r, old, changed := newRegistry(t), store(t), store(t)
	if _, err := send(t, newPusher(t, r, nil), old); err != nil {
		t.Fatal(err)
	}
	r.written()
	_, err := send(t, newPusher(t, r, nil), changed)
	if err == nil || !strings.Contains(err.Error(), "tag v1 is in "+r.host()+"/fleet/bind already, and names sha256:") {
		t.Errorf("want a refusal, got %v", err)
	}
	if writes := r.written(); len(writes) > 0 {
		t.Errorf("refused, and written all the same: %q", writes)
	}
	checkPushed(t, r, old)
	if _, err := send(t, newPusher(t, r, func(o *Options) { o.MoveTags = true }), changed); err != nil {
		t.Fatal(err)
	}
	checkPushed(t, r, changed)
}
