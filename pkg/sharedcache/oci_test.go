package sharedcache

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
)

// TestRegistry has a real registry that wants a password: docker's configuration has it, and without it there is one warning.
func TestRegistry(t *testing.T) {
	url := ocitest.Registry(t, ocitest.WithLogin("me", "s3cret")).URL("team/cache")
	host := strings.Split(url, "/")[2]
	config := fmt.Sprintf(`{"auths":{%q:{"auth":%q}}}`, host, base64.StdEncoding.EncodeToString([]byte("me:s3cret")))
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DOCKER_CONFIG", dir)
	entries := map[Key][]byte{{1}: []byte("small"), {2}: bytes.Repeat([]byte{0, 1, 2, 3}, 9), {3}: noise(3 << 20)}
	for range 2 {
		writer, said := open(t, url, Options{Write: true})
		for k, data := range entries {
			writer.Put(k, data)
		}
		if writer.Close(); said.String() != "" {
			t.Fatal(said)
		}
	}
	reader, said := open(t, url, Options{})
	for k, want := range entries {
		if got := reader.Get(k); !bytes.Equal(got, want) {
			t.Errorf("key %x: got %d bytes, want %d", k[:1], len(got), len(want))
		}
	}
	if reader.Get(Key{9}) != nil || said.String() != "" {
		t.Error(said)
	}
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	stranger, said := open(t, url, Options{})
	if stranger.Get(Key{1}) != nil || !strings.Contains(said.String(), "UNAUTHORIZED") || strings.Contains(said.String(), "\n") {
		t.Errorf("without a password: %s", said)
	}
}

// noise does not compress.
func noise(n int) []byte {
	data := make([]byte, n)
	x := uint64(1)
	for i := range data {
		x = x*6364136223846793005 + 1442695040888963407
		data[i] = byte(x >> 56)
	}
	return data
}

// TestRegistryRequests counts the requests for small entries: one each, and one that asks the registry how to log in.
func TestRegistryRequests(t *testing.T) {
	var requests atomic.Int64
	url := ocitest.Hostile(t, func(http.ResponseWriter, *http.Request) bool {
		requests.Add(1)
		return false
	}).URL("team/cache")
	writer, _ := open(t, url, Options{Write: true})
	for i := range 20 {
		writer.Put(Key{byte(i)}, []byte("data"))
	}
	writer.Close()
	reader, said := open(t, url, Options{})
	requests.Store(0)
	for i := range 20 {
		if string(reader.Get(Key{byte(i)})) != "data" {
			t.Errorf("entry %d is not there: %s", i, said)
		}
	}
	if n := requests.Load(); n > 21 {
		t.Errorf("20 entries took %d requests", n)
	}
}

// TestHostileRegistry has registries that lie or refuse.
func TestHostileRegistry(t *testing.T) {
	wrong := func(old, new string) ocitest.Answer {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/manifests/") {
				_, _ = fmt.Fprint(w, strings.Replace(`{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":{"mediaType":"application/vnd.oci.empty.v1+json",`+
					`"digest":"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","size":2},"layers":[{"mediaType":"x",`+
					`"digest":"sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","size":3,"data":"YWJj"}]}`, old, new, 1))
				return true
			}
			return false
		}
	}
	refuse := func(method string, status int) ocitest.Answer {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method == method && r.URL.Path != "/v2/" {
				w.WriteHeader(status)
				return true
			}
			return false
		}
	}
	for name, c := range map[string]struct {
		answer ocitest.Answer
		says   string
	}{
		"no entry":    {wrong("", ""), "entry 01" + strings.Repeat("00", 31) + " is no entry of this cache; it is not used"},
		"other data":  {wrong("YWJj", "YWJk"), ""}, // its blob is asked for, and is not there: a miss
		"huge":        {wrong(`"size":3`, `"size":99999999`), "more than 8388608 are not read"},
		"no manifest": {wrong(`{"schema`, `[{"schema`), "it is not asked for more"},
		"403":         {refuse(http.MethodGet, 403), "403 Forbidden"},
		"500":         {refuse(http.MethodGet, 500), "500 Internal Server Error"},
		"read-only":   {refuse(http.MethodPost, 403), "; nothing more is stored"},
	} {
		t.Run(name, func(t *testing.T) {
			cache, said := open(t, ocitest.Hostile(t, c.answer).URL("team/cache"), Options{Write: true})
			if got := cache.Get(Key{1}); got != nil {
				t.Errorf("got %q", got)
			}
			if name == "read-only" {
				cache.Put(Key{1}, []byte("data"))
				cache.Close()
			}
			if text := said.String(); !strings.Contains(text, c.says) || strings.Contains(text, "\n") {
				t.Errorf("it says %q, want %q, once", text, c.says)
			}
		})
	}
}
