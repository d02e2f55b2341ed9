package sharedcache

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/rclone/gofakes3"
	"github.com/rclone/gofakes3/s3mem"

	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
)

// plainServer is an HTTP cache that accepts everything, as nginx with dav_methods PUT does.
type plainServer struct {
	mu      sync.Mutex
	entries map[string][]byte
}

func (s *plainServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method == http.MethodPut {
		s.entries[r.URL.Path], _ = io.ReadAll(r.Body)
		w.WriteHeader(http.StatusCreated)
		return
	}
	entry, ok := s.entries[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write(entry)
}

func startPlain(t *testing.T) (*plainServer, string) {
	s := &plainServer{entries: map[string][]byte{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, server.URL + "/cache"
}

// noted are the errors that a Cache reported.
type noted struct {
	mu   sync.Mutex
	text []string
}

func (n *noted) add(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.text = append(n.text, err.Error())
}

func (n *noted) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.text, "\n")
}

func environment(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

// open opens a cache that must open, and closes it after the test.
func open(t *testing.T, url string, o Options) (*Cache, *noted) {
	t.Helper()
	n := &noted{}
	if o.Report = n.add; o.Getenv == nil {
		o.Getenv = environment(nil)
	}
	c, err := Open(context.Background(), url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, n
}

// stores are the URLs of real stores, and what the environment has for them.
func stores(t *testing.T) map[string]struct {
	url string
	env map[string]string
} {
	_, plain := startPlain(t)
	backend := s3mem.New()
	if err := backend.CreateBucket(t.Context(), "renders"); err != nil {
		t.Fatal(err)
	}
	s3 := httptest.NewServer(gofakes3.New(backend, gofakes3.WithV4Auth(map[string]string{"writer": "s3cret"})).Server())
	t.Cleanup(s3.Close)
	return map[string]struct {
		url string
		env map[string]string
	}{
		"http": {plain, nil},
		"s3": {"s3://renders/team a/env=b+c,ü:(1)!?region=eu-west-1&endpoint=" + s3.URL,
			map[string]string{"AWS_ACCESS_KEY_ID": "writer", "AWS_SECRET_ACCESS_KEY": "s3cret"}},
		"oci": {ocitest.InMemory(t).URL("team/cache"), nil},
	}
}

// TestStores writes with one Cache, and reads with another that may only read.
func TestStores(t *testing.T) {
	big := bytes.Repeat([]byte("0123456789abcdefghijklmnopqrstuvwxyz\n"), 1<<17)
	entries := map[Key][]byte{{1}: []byte("one"), {2}: {}, {3}: big}
	for name, s := range stores(t) {
		t.Run(name, func(t *testing.T) {
			o := Options{Getenv: environment(s.env)}
			reader, said := open(t, s.url, o)
			o.Write = true
			for range 2 { // a second writer of the same entries changes nothing
				writer, said := open(t, s.url, o)
				for k, data := range entries {
					writer.Put(k, data)
				}
				if writer.Close(); said.String() != "" {
					t.Fatal(said)
				}
			}
			for k, want := range entries {
				if got := reader.Get(k); got == nil || !bytes.Equal(got, want) {
					t.Errorf("key %x: got %d bytes, want %d", k[:1], len(got), len(want))
				}
			}
			if got := reader.Get(Key{9}); got != nil {
				t.Errorf("an entry that nobody stored: %q", got)
			}
			reader.Put(Key{9}, []byte("not to be stored"))
			reader.Close()
			if again, _ := open(t, s.url, o); again.Get(Key{9}) != nil {
				t.Error("a Cache that only reads stored an entry")
			}
			if said.String() != "" {
				t.Error(said)
			}
		})
	}
}

// TestWritersAtOnce has two writers store the same and different entries at the same time, while a reader reads.
func TestWritersAtOnce(t *testing.T) {
	_, url := startPlain(t)
	var all sync.WaitGroup
	for i := range 2 {
		writer, said := open(t, url, Options{Write: true})
		reader, _ := open(t, url, Options{})
		all.Go(func() {
			for j := range 100 {
				k := Key{byte(j), byte(i * (j % 2))}
				writer.Put(k, bytes.Repeat(k[:], 50))
				if got := reader.Get(k); got != nil && !bytes.Equal(got, bytes.Repeat(k[:], 50)) {
					t.Errorf("key %x has the data of another", k[:2])
				}
			}
			if writer.Close(); said.String() != "" {
				t.Error(said)
			}
		})
	}
	all.Wait()
	reader, _ := open(t, url, Options{})
	for j := range 100 {
		if k := (Key{byte(j), byte(j % 2)}); !bytes.Equal(reader.Get(k), bytes.Repeat(k[:], 50)) {
			t.Errorf("key %x is not there", k[:2])
		}
	}
}
