package memo

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
)

// sharedMap is a Shared in memory.
type sharedMap struct {
	mu      sync.Mutex
	entries map[key][]byte
	asked   int
}

func (s *sharedMap) Get(k [sha256.Size]byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	return s.entries[k]
}

func (s *sharedMap) Put(k [sha256.Size]byte, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entries == nil {
		s.entries = map[key][]byte{}
	}
	s.entries[k] = data
}

func (s *sharedMap) Writes() bool { return true }

// onMachine is a Cache on a machine of its own.
func onMachine(t *testing.T, s Shared) *Cache {
	c := New(t.TempDir(), 0, func(err error) { t.Error(err) })
	c.Share(s, func(data []byte) bool { return string(data) != "invalid" })
	return c
}

// TestShare has a second machine ask what a first one kept, once: then it has it in its own folder.
func TestShare(t *testing.T) {
	shared := &sharedMap{}
	of, absent := sha256.Sum256([]byte("one")), sha256.Sum256([]byte("two"))
	onMachine(t, shared).Put(of, []byte("rendered"))
	second := onMachine(t, shared)
	for range 3 {
		if got := second.Get(of); string(got) != "rendered" {
			t.Errorf("got %q", got)
		}
	}
	if shared.asked != 1 {
		t.Errorf("the shared cache was asked %d times", shared.asked)
	}
	onMachine(t, shared).Put(absent, []byte("invalid"))
	if got := second.Get(absent); got != nil {
		t.Errorf("got %q for what is not valid", got)
	}
	k := sameKey(keyOf("image", []byte("in")))
	second.keep(k, &answer{[]byte("out"), []byte("log")})
	if a := onMachine(t, shared).lookUp(k, anyAnswer); a == nil || !a.equal(&answer{[]byte("out"), []byte("log")}) {
		t.Errorf("got %v for a function", a)
	}
	if local, _ := buildKey(of); shared.entries[local] != nil {
		t.Error("an entry is shared under the place of this program on disk")
	}
}

// TestMissIsRemembered asks once for an entry that is missing, and once for all that ask at the same time.
func TestMissIsRemembered(t *testing.T) {
	shared := &sharedMap{}
	c := onMachine(t, shared)
	of := sha256.Sum256([]byte("one"))
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() { c.Get(of) })
	}
	all.Wait()
	if shared.asked != 1 {
		t.Errorf("the shared cache was asked %d times", shared.asked)
	}
}

// TestPrefetch copies many entries at once; those that are there already are not asked for.
func TestPrefetch(t *testing.T) {
	shared := &sharedMap{}
	first, second := onMachine(t, shared), onMachine(t, shared)
	var of [][sha256.Size]byte
	for i := range 100 {
		of = append(of, sha256.Sum256([]byte{byte(i)}))
		first.Put(of[i], []byte{byte(i)})
	}
	for range 2 {
		second.Prefetch(slices.Values(of))
	}
	if shared.asked < 100 || shared.asked > 110 { // no machine stored packs
		t.Errorf("the shared cache was asked %d times", shared.asked)
	}
	shared.entries = nil
	for i, k := range of {
		if got := second.Get(k); !bytes.Equal(got, []byte{byte(i)}) {
			t.Errorf("entry %d is %q", i, got)
		}
	}
	alone := New(t.TempDir(), 0, nil)
	alone.Prefetch(func(func([sha256.Size]byte) bool) { t.Error("keys are made for nobody") })
	var none *Cache
	none.Prefetch(slices.Values(of))
}

// TestDamagedShare has a shared cache whose data is right by its digest, and no answer of ours, or one with a Secret.
func TestDamagedShare(t *testing.T) {
	for _, data := range []string{"", "short", "\xff\xff\xff\xff\xff\xff\xff\xffx", "\x00\x00\x00\x00\x00\x00\x00\x0ckind: Secret"} {
		shared := &sharedMap{}
		c := onMachine(t, shared)
		k := sameKey(keyOf("image", []byte("in")))
		shared.Put(k.shared, []byte(data))
		if a := c.lookUp(k, anyAnswer); a != nil {
			t.Errorf("%q gives %q", data, a.stdout)
		}
	}
}

// TestNoSecretIsShared spells Secrets in all ways that a parser of YAML or JSON understands.
func TestNoSecretIsShared(t *testing.T) {
	for text, private := range map[string]bool{
		"kind: Secret\n":                               true,
		`{"kind":"Secret"}`:                            true,
		"kind: &k Secret":                              true,
		"x: &k Secret\nkind: *k":                       true,
		"kind:\n" + strings.Repeat(" ", 99) + "Secret": true,
		`kind: "Se\x63ret"`:                            true,
		`{"kind":"\u0053ecret"}`:                       true,
		`kind: "Secre\U00000074"`:                      true,
		"kind: \"Sec\\\n   ret\"":                      true,
		"kind: \"Sec\\\r\n\tret\"":                     true,
		`"k\x69nd": Secret`:                            true,
		base64.StdEncoding.EncodeToString([]byte("kind: Secret\x00")): true, base64.StdEncoding.EncodeToString([]byte("kind:  Secret\xff")): true,
		base64.StdEncoding.EncodeToString([]byte("kind:   Secret\n")): true, base64.StdEncoding.EncodeToString([]byte("kind: ConfigMap\xff")): false,
		"kind: SecretStore":                 false,
		"kind: ExternalSecret":              false,
		"secretKeyRef: {name: a}":           false,
		"run: |\n  a \\\n  b \\x41 \\u003c": false,
		`kind: "\x4"`:                       false,
		"kind: ConfigMap":                   false,
	} {
		shared := &sharedMap{}
		c := onMachine(t, shared)
		c.keep(sameKey(keyOf("stdout", []byte(text))), &answer{[]byte(text), nil})
		c.keep(sameKey(keyOf("stderr", []byte(text))), &answer{nil, []byte(text)})
		c.Put(sha256.Sum256([]byte(text)), []byte(text))
		if want := map[bool]int{true: 0, false: 3}[private]; len(shared.entries) != want {
			t.Errorf("%q: %d entries are shared, want %d: %s", text, len(shared.entries), want, fmt.Sprintf("%q", slices.Collect(maps.Values(shared.entries))))
		}
	}
}
