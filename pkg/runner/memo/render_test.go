package memo

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"

	"github.com/waybill-dev/waybill/pkg/diskcache"
)

func TestRender(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	c := New(dir, 0, func(err error) { t.Error(err) })
	one, two := sha256.Sum256([]byte("one")), sha256.Sum256([]byte("two"))
	if got := c.Get(one); got != nil {
		t.Errorf("an empty cache returns %q", got)
	}
	c.Put(one, []byte("first"))
	c.Put(two, nil)
	for of, want := range map[[sha256.Size]byte]string{one: "first", two: ""} {
		if got := New(dir, 0, nil).Get(of); got == nil || string(got) != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	k, _ := buildKey(one)
	_, name := diskcache.Key(k).File()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1]++
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := c.Get(one); got != nil {
		t.Errorf("an entry that was changed is returned as %q", got)
	}
	var none *Cache
	none.Put(one, []byte("x"))
	if got := none.Get(one); got != nil {
		t.Errorf("a nil cache returns %q", got)
	}
}

func TestBuild(t *testing.T) {
	if build() == "" {
		t.Error("the build of this program is unknown")
	}
}
