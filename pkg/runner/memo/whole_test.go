package memo

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"

	"github.com/waybill-dev/waybill/pkg/diskcache"
)

func TestWhole(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	c := New(dir, 0, func(err error) { t.Error(err) })
	one, two := sha256.Sum256([]byte("one")), sha256.Sum256([]byte("two"))
	if got := c.Recall(one); got != nil {
		t.Errorf("an empty cache recalls %q", got)
	}
	c.Keep(one, []byte("first"))
	c.Keep(two, nil)
	for of, want := range map[[sha256.Size]byte]string{one: "first", two: ""} {
		if got := New(dir, 0, nil).Recall(of); got == nil || string(got) != want {
			t.Errorf("recalled %q, want %q", got, want)
		}
	}
	k, _ := wholeKey(one)
	_, name := diskcache.Key(k).File()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1]++
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := c.Recall(one); got != nil {
		t.Errorf("an entry that somebody changed is recalled as %q", got)
	}
	var none *Cache
	none.Keep(one, []byte("x"))
	if got := none.Recall(one); got != nil {
		t.Errorf("no cache recalls %q", got)
	}
}

func TestBuild(t *testing.T) {
	if build() == "" {
		t.Error("nobody knows what program this is")
	}
}
