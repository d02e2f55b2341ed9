package hooks

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestCacheIsBounded caches random answers of random sizes: the cache has the youngest ones that fit.
func TestCacheIsBounded(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1)) // #nosec G404 -- a test
	for round := range 50 {
		a := newCache(time.Duration(1+rng.IntN(20))*time.Second, time.Duration(1+rng.IntN(5))*time.Second)
		a.most = 200 + rng.IntN(400)
		var all []*cacheEntry // the naive model: the oldest first
		now := noon
		for range 200 {
			now = now.Add(time.Duration(rng.IntN(1500)) * time.Millisecond)
			got := reply{etag: []string{"", `"x"`, `W/"yy"`}[rng.IntN(3)], body: []byte(`"` + strings.Repeat("b", rng.IntN(300)) + `"`)}
			key := cacheKey{"p", fmt.Sprint(rng.IntN(8))}
			a.put(key, got, now)
			all = fitting(append(without(all, key), fresh(key, got, now, a.most)...), a.most)
			if a.bytes > a.most || a.bytes != sizes(a) || len(a.byKey) != a.byAge.Len() {
				t.Fatalf("round %d: %d bytes of %d, %d in truth", round, a.bytes, a.most, sizes(a))
			}
			for i := range 8 {
				key := cacheKey{"p", fmt.Sprint(i)}
				if diff := cmp.Diff(body(newest(all, key, a.lifetime, now)), body(a.get(key, now))); diff != "" {
					t.Fatalf("round %d, %v (-want +got):\n%s", round, key, diff)
				}
			}
		}
	}
}

// fresh is an answer, if the cache should keep it.
func fresh(key cacheKey, got reply, now time.Time, most int) []*cacheEntry {
	a := &cacheEntry{key, got.etag, got.body, now}
	if got.etag == "" || a.size() > most {
		return nil
	}
	return []*cacheEntry{a}
}

func without(all []*cacheEntry, key cacheKey) (rest []*cacheEntry) {
	for _, a := range all {
		if a.key != key {
			rest = append(rest, a)
		}
	}
	return rest
}

// fitting are the youngest entries that fit.
func fitting(all []*cacheEntry, most int) []*cacheEntry {
	size := 0
	for i := len(all) - 1; i >= 0; i-- {
		if size += all[i].size(); size > most {
			return all[i+1:]
		}
	}
	return all
}

func newest(all []*cacheEntry, key cacheKey, lifetime time.Duration, now time.Time) *cacheEntry {
	for _, a := range all {
		if a.key == key && now.Sub(a.stored) < lifetime {
			return a
		}
	}
	return nil
}

func body(a *cacheEntry) string {
	if a == nil {
		return ""
	}
	return a.etag + string(a.body)
}

func sizes(a *cache) (n int) {
	for _, e := range a.byKey {
		n += e.Value.(*cacheEntry).size()
	}
	return n
}

func TestExpiredEntriesAreRemoved(t *testing.T) {
	a := newCache(time.Minute, time.Hour)
	for i := range 100 {
		a.put(cacheKey{"p", fmt.Sprint(i)}, reply{etag: "x", body: []byte("{}")}, noon.Add(time.Duration(i)*time.Second))
	}
	if a.byAge.Len() != 100 {
		t.Errorf("it is too early for a cleanup: %d entries are left", a.byAge.Len())
	}
	a.put(cacheKey{"p", "new"}, reply{etag: "x", body: []byte("{}")}, noon.Add(time.Hour))
	if a.byAge.Len() != 1 {
		t.Errorf("only the new entry stays, not %d", a.byAge.Len())
	}
}

func TestNotCached(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		got    reply
		want   bool
	}{
		"fine":    {"JSON with an ETag", reply{etag: `"x"`, body: []byte("{}")}, true},
		"weak":    {"a weak one is sent as it is", reply{etag: `W/"x"`, body: []byte("{}")}, true},
		"none":    {"there is nothing to send", reply{body: []byte("{}")}, false},
		"control": {"it could not be sent", reply{etag: "a\x01", body: []byte("{}")}, false},
		"no JSON": {"it would be repeated for ever", reply{etag: "x", body: []byte("{")}, false},
		"large":   {"it would remove all others", reply{etag: "x", body: []byte(`"` + strings.Repeat("x", 100) + `"`)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := newCache(time.Hour, time.Hour)
			a.most = 50
			key := cacheKey{"p", "k"}
			a.put(key, reply{etag: "old", body: []byte("[]")}, noon)
			a.put(key, tc.got, noon)
			want := ""
			if tc.want {
				want = tc.got.etag + string(tc.got.body)
			}
			if diff := cmp.Diff(want, body(a.get(key, noon))); diff != "" {
				t.Errorf("%s; the entry before is removed (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
