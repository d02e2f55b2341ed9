package sharedcache

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// TestHostile has servers that lie, fail or never end. None changes what Get returns, but nil; each is reported once.
func TestHostile(t *testing.T) {
	k, other := Key{1}, Key{2}
	good := signing{}.seal(k, bytes.Repeat([]byte("data "), 100))
	flipped := bytes.Clone(good)
	flipped[len(flipped)-1]++
	bomb := sealed(k, func() []byte {
		var zeros bytes.Buffer
		w, _ := zstd.NewWriter(&zeros, zstd.WithWindowSize(8<<20))
		for range maxData>>20 + 1 {
			_, _ = w.Write(make([]byte, 1<<20))
		}
		w.Close()
		return zeros.Bytes()
	}())
	send := func(data []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) }
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
			w.WriteHeader(code)
			_, _ = io.WriteString(w, "s3cret of the server")
		}
	}
	for name, c := range map[string]struct {
		server http.HandlerFunc
		says   string
		stops  bool // whether the server is not asked again
		writes bool // and not for storing either
	}{
		"no entry":     {send([]byte("<html>not found</html>")), "is no entry of this cache; it is not used", false, false},
		"empty":        {send(nil), "is no entry of this cache", false, false},
		"truncated":    {send(good[:len(good)-9]), "is damaged, or belongs to another key", false, false},
		"cut in head":  {send(good[:len(entryMagic)+9]), "is no entry of this cache", false, false},
		"flipped":      {send(flipped), "is damaged, or belongs to another key", false, false},
		"of another":   {send(signing{}.seal(other, []byte("data"))), "is damaged, or belongs to another key", false, false},
		"not packed":   {send(sealed(k, []byte("plain"))), "is no entry of this cache", false, false},
		"bomb":         {send(bomb), "has more than 64 MiB", false, false},
		"unknown kind": {send(bytes.Replace(good, []byte("\nd"), []byte("\nx"), 1)), "is no entry of this cache", false, false},
		"huge":         {send(make([]byte, maxEntry+1)), "the answer is larger than 8388608 bytes", true, false},
		"endless":      {endless, "the answer is larger than 8388608 bytes", true, false},
		"breaks off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "99")
			_, _ = w.Write(good[:50])
		}, "unexpected EOF", true, false},
		"never answers": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "timeout awaiting response headers", true, true},
		"500":           {status(500), "GET: 500 Internal Server Error; it is not asked for more", true, false},
		"401":           {status(401), "GET: 401 Unauthorized; set WAYBILL_CACHE_TOKEN, or write a password into .netrc", true, false},
		"redirect":      {status(302), "GET: 302 Found; redirects are not followed: name the final URL", true, false},
		"moved":         {status(308), "GET: 308 Permanent Redirect; redirects are not followed", true, false},
		"no content":    {status(204), "GET: 204 No Content", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				c.server(w, r)
			}))
			defer server.Close()
			cache, said := open(t, server.URL, Options{Write: c.writes})
			cache.store.(*httpStore).client.Transport.(*http.Transport).ResponseHeaderTimeout = 200 * time.Millisecond
			if got := cache.Get(k); got != nil {
				t.Errorf("got %d bytes", len(got))
			}
			cache.Get(Key{7})
			if c.writes {
				cache.Put(Key{7}, []byte("data"))
				cache.Close()
			}
			if (asked.Load() == 1) != c.stops {
				t.Errorf("the server was asked %d times", asked.Load())
			}
			if text := said.String(); strings.Count(text, "\n") > 0 || !strings.Contains(text, c.says) || !strings.HasPrefix(text, "shared cache "+server.URL) {
				t.Errorf("it says %q, want %q, once", text, c.says)
			}
			if strings.Contains(said.String(), "s3cret") {
				t.Errorf("the answer of the server is repeated: %s", said)
			}
		})
	}
}

// sealed is an entry whose digest is right, whatever its body is.
func sealed(k Key, body []byte) []byte {
	return bytes.Join([][]byte{entryMagic, {unsigned}, digestOf(k, body), body}, nil)
}

func endless(w http.ResponseWriter, _ *http.Request) {
	for block := make([]byte, 1<<20); ; {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
}

// TestReadOnly has a server that lets nobody write: that is reported once, and reading goes on.
func TestReadOnly(t *testing.T) {
	var puts atomic.Int64
	good := signing{}.seal(Key{1}, []byte("data"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			puts.Add(1)
			w.WriteHeader(http.StatusForbidden)
			return
		}
		_, _ = w.Write(good)
	}))
	defer server.Close()
	c, said := open(t, server.URL, Options{Write: true})
	for i := range 100 {
		c.Put(Key{byte(i)}, []byte("data"))
	}
	c.Close()
	if string(c.Get(Key{1})) != "data" {
		t.Error("it no longer reads")
	}
	if n := puts.Load(); n < 1 || n > writers {
		t.Errorf("it tried to store %d entries", n)
	}
	want := "PUT: 403 Forbidden; set WAYBILL_CACHE_TOKEN, or write a password into .netrc; without --cache-write nothing is stored; nothing more is stored"
	if got := said.String(); !strings.HasSuffix(got, want) || strings.Contains(got, "\n") {
		t.Errorf("it says %q", got)
	}
}

// TestMeter has a store that always answers, slowly.
func TestMeter(t *testing.T) {
	now := time.Unix(0, 0)
	m := newMeter()
	m.now = func() time.Time { return now }
	ask := func(took, earned time.Duration) (slow bool) {
		if !m.begin() {
			return false
		}
		now = now.Add(took)
		return m.end(earned)
	}
	for i := range 1000 {
		if ask(patiencePerMiss, patiencePerMiss) || ask(patiencePerHit, patiencePerHit) {
			t.Fatalf("request %d is too slow", i)
		}
	}
	asked := 0
	for !ask(time.Second, patiencePerMiss) {
		if asked++; asked > 20 {
			t.Fatal("it waits for ever")
		}
	}
	if m.begin() {
		t.Error("a store that is too slow is asked again")
	}
	if now = now.Add(retryAfter); !m.begin() || m.end(0) {
		t.Error("after a while it is asked again, with the patience of the beginning")
	}
	for range 32 { // at the same time, and counted once
		m.begin()
	}
	now = now.Add(patienceAtStart / 2)
	for range 32 {
		if m.end(0) {
			t.Fatal("requests at the same time are counted together")
		}
	}
}
