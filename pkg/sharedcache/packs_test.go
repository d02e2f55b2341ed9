package sharedcache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/waybill-dev/waybill/pkg/runner/memo"
)

// countedCache counts what it is asked, and notes the keys of what it gets.
type countedCache struct {
	*Cache
	asked atomic.Int64
	mu    sync.Mutex
	got   []Key
}

func (c *countedCache) Get(k Key) []byte {
	c.asked.Add(1)
	data := c.Cache.Get(k)
	if data != nil {
		c.mu.Lock()
		c.got = append(c.got, k)
		c.mu.Unlock()
	}
	return data
}

// inFleet is more than fits into three packs, however the program's digest divides the entries.
const inFleet = 400

// fleetMachine is a machine with an empty folder.
func fleetMachine(t *testing.T, c memo.Shared) (*memo.Cache, [][sha256.Size]byte) {
	machine := memo.New(t.TempDir(), 0, func(err error) { t.Error(err) })
	machine.Share(c, func([]byte) bool { return true })
	var keys [][sha256.Size]byte
	for i := range inFleet {
		keys = append(keys, sha256.Sum256(fmt.Append(nil, i)))
	}
	return machine, keys
}

func storeFleet(t *testing.T, c *Cache) {
	machine, keys := fleetMachine(t, c)
	for i, k := range keys {
		machine.Put(k, fmt.Append(nil, "render ", i))
	}
	machine.Pack(slices.Values(keys))
	c.Close()
}

// readFleet returns how many entries a new machine gets, which must be those that were stored.
func readFleet(t *testing.T, c *countedCache) (n int) {
	machine, keys := fleetMachine(t, c)
	machine.Prefetch(slices.Values(keys))
	for i, k := range keys {
		if got := machine.Get(k); got != nil {
			if n++; string(got) != fmt.Sprint("render ", i) {
				t.Errorf("entry %d is %q", i, got)
			}
		}
	}
	return n
}

// TestPacks stores the packs of a fleet in real stores, by two writers at once, and reads them with the right key and a wrong one. Then
// somebody swaps two packs: none of them is used, and each entry is asked for by itself.
func TestPacks(t *testing.T) {
	private, public := keyFiles(t)
	_, stranger := keyFiles(t)
	for name, s := range stores(t) {
		t.Run(name, func(t *testing.T) {
			getenv := environment(s.env)
			var writers sync.WaitGroup
			for range 2 {
				writer, said := open(t, s.url, Options{Write: true, KeyFile: private, Getenv: getenv})
				writers.Go(func() {
					if storeFleet(t, writer); said.String() != "" {
						t.Error(said)
					}
				})
			}
			writers.Wait()
			reader := func(key string) (*countedCache, *noted) {
				c, said := open(t, s.url, Options{KeyFile: key, Getenv: getenv})
				return &countedCache{Cache: c}, said
			}
			good, said := reader(public)
			if n := readFleet(t, good); n != inFleet || good.asked.Load() > inFleet/10 || said.String() != "" {
				t.Errorf("%d entries after %d requests: %s", n, good.asked.Load(), said)
			}
			wrong, said := reader(stranger)
			if n := readFleet(t, wrong); n != 0 || strings.Count(said.String(), "is signed by another key") != 1 {
				t.Errorf("with another key, %d entries: %s", n, said)
			}
			swap(t, good.store, s.url, good.got[0], good.got[1])
			bad, said := reader(public)
			if n := readFleet(t, bad); n != inFleet || bad.asked.Load() <= good.asked.Load() || strings.Count(said.String(), "it is not used") != 1 {
				t.Errorf("of swapped packs, %d entries after %d requests: %s", n, bad.asked.Load(), said)
			}
		})
	}
}

func swap(t *testing.T, in store, url string, a, b Key) {
	t.Helper()
	names := []string{hex.EncodeToString(a[:]), hex.EncodeToString(b[:])}
	entries := [][]byte{must(in.get(t.Context(), names[0])), must(in.get(t.Context(), names[1]))}
	for i, name := range names {
		if err := in.put(t.Context(), name, entries[1-i]); err != nil {
			t.Fatalf("%s: %v", url, err)
		}
	}
}
