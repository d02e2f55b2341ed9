package hooks_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/mapcontroller"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/hooks"
)

// step is one request of a history, with the answer of the server.
type step struct {
	hook, parent, key string
	wait              time.Duration
	status            int
	etag              string
}

// cacheModel is the naive model of the cache: all answers with ETags and times.
type cacheModel struct {
	lifetime time.Duration
	answers  []struct {
		of, etag, body string
		at             time.Time
	}
}

func (m *cacheModel) find(of string, now time.Time) (etag, body string) {
	for i := len(m.answers) - 1; i >= 0; i-- {
		if a := m.answers[i]; a.of == of {
			if now.Sub(a.at) < m.lifetime {
				return a.etag, a.body
			}
			return "", ""
		}
	}
	return "", ""
}

// does returns the If-None-Match header of a step and its result.
func (m *cacheModel) does(s step, body string, now time.Time) (sent, want string) {
	of := s.hook + " " + s.parent + " " + s.key
	sent, before := m.find(of, now)
	switch {
	case s.status == 200:
		m.answers = append(m.answers, struct {
			of, etag, body string
			at             time.Time
		}{of, s.etag, body, now})
		if s.etag == "" { // an answer without an ETag removes the one before
			m.answers[len(m.answers)-1].at = time.Time{}
		}
		return sent, body
	case s.status == 429:
		return sent, "later: 0s"
	case (s.status == 304 || s.status == 412) && sent != "":
		return sent, before
	}
	return sent, fmt.Sprintf("error: URL: status %d %s", s.status, http.StatusText(s.status))
}

// TestHistories compares hooks that cache answers with the model, for a server that does anything in any order.
func TestHistories(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2)) // #nosec G404 -- a test
	replays := 0
	for round := range 20 {
		now := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
		var s step
		var body, sent string
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			sent = r.Header.Get("If-None-Match")
			if s.etag != "" {
				w.Header().Set("ETag", s.etag)
			}
			w.WriteHeader(s.status)
			if s.status == 200 {
				fmt.Fprint(w, body)
			}
		})
		model := &cacheModel{lifetime: time.Duration(1+rng.IntN(10)) * time.Second}
		etag := fmt.Sprintf("etag: {enabled: true, cacheTimeoutSeconds: %d}", model.lifetime/time.Second) // no cacheCleanupSeconds
		one := "{webhook: {url: '" + server.URL + "', " + etag + "}}"
		_, spec := config(t, "map: "+one+", tombstone: "+one, "")
		h, err := hooks.New(t.Context(), spec, hooks.Options{Proxy: direct, Now: func() time.Time { return now }})
		check(t, err)
		for i := range 100 {
			s = randomStep(rng)
			now, body = now.Add(s.wait), fmt.Sprintf(`{"n":%d}`, i)
			wantSent, want := model.does(s, body, now)
			hook := map[string]*mapcontroller.Request{mapcontroller.HookMap: request(s.key), mapcontroller.HookTombstone: request(s.key)}[s.hook]
			hook.Hook, hook.ParentKey = s.hook, s.parent
			settings := spec.Hooks.Map.Webhook
			got := describe(h.Webhook(t.Context(), settings, hook))
			if diff := cmp.Diff([]string{wantSent, want}, []string{sent, replace(got, server.URL)}); diff != "" {
				t.Fatalf("round %d, step %d, %+v (-want +got):\n%s", round, i, s, diff)
			}
			if s.status != 200 && got[0] == '{' {
				replays++
			}
		}
		h.Close()
	}
	if replays < 50 {
		t.Errorf("only %d answers were replayed", replays)
	}
}

func randomStep(rng *rand.Rand) step {
	return step{
		hook: []string{mapcontroller.HookMap, mapcontroller.HookTombstone}[rng.IntN(2)], parent: fmt.Sprint("p", rng.IntN(2)), key: fmt.Sprint("k", rng.IntN(2)),
		wait:   time.Duration(rng.IntN(1500)) * time.Millisecond,
		status: []int{200, 200, 200, 304, 304, 412, 429, 500}[rng.IntN(8)],
		etag:   []string{`"a"`, `"b"`, `W/"c"`, ""}[rng.IntN(4)],
	}
}

func TestETagsAreOptional(t *testing.T) {
	sent := 0
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") != "" {
			sent++
		}
		w.Header().Set("ETag", "x")
		fmt.Fprint(w, "{}")
	})
	for settings, want := range map[string]int{"": 0, "etag: {}": 0, "etag: {enabled: false, cacheTimeoutSeconds: 5}": 0, "etag: {enabled: true}": 1, "etag: {enabled: true, cacheTimeoutSeconds: 0, cacheCleanupSeconds: 0}": 1} {
		h, hook, err := webhook(t, "url: '"+s.URL+"', "+settings, "", hooks.Options{})
		check(t, err)
		sent = 0
		for range 2 {
			_, err = h.Webhook(t.Context(), hook, request("a"))
			check(t, err)
		}
		if sent != want {
			t.Errorf("%q: %d requests had an ETag, want %d", settings, sent, want)
		}
	}
}

func replace(got, at string) string { return strings.ReplaceAll(got, at, "URL") }
