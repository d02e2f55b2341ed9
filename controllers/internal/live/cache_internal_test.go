package live

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// sent is an object as an API server sent.
func sent(name, uid string, version int) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"namespace": "n", "name": name, "uid": uid, "resourceVersion": fmt.Sprint(version)}}}
}

func contents(c *Cache) (out []string) {
	for _, o := range c.List() {
		out = append(out, fmt.Sprint(o.Name(), " ", UID(o), " ", revisionOf(o), " ", IsDeleting(o)))
	}
	slices.Sort(out)
	return out
}

func TestCache(t *testing.T) {
	answer := func(name, uid string, version int) *krm.Object {
		o, err := FromUnstructured(sent(name, uid, version))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	for name, tc := range map[string]struct {
		reason string
		do     func(*partition)
		want   []string
	}{
		"Newest": {"what comes late is old", func(p *partition) {
			p.cache.BeginWrite(Key{Namespace: "n", Name: "a"})(answer("a", "u", 7), nil)
			p.Put(sent("a", "u", 5))
		}, []string{"a u 7 false"}},
		"Gone": {"an answer does not bring back what went meanwhile", func(p *partition) {
			end := p.cache.BeginWrite(Key{Namespace: "n", Name: "a"})
			p.Put(sent("a", "u", 7))
			p.Delete("n", "a")
			end(answer("a", "u", 7), nil)
		}, nil},
		"Ghost": {"nor does one that no list knows stay", func(p *partition) {
			p.cache.BeginWrite(Key{Namespace: "n", Name: "a"})(answer("a", "u", 7), nil)
			p.cache.BeginWrite(Key{Namespace: "n", Name: "b"})(answer("b", "u", 9), nil)
			p.Synced("ConfigMap", "8")
		}, []string{"b u 9 false"}},
		"Sure": {"one that was told of stays", func(p *partition) {
			p.cache.BeginWrite(Key{Namespace: "n", Name: "a"})(answer("a", "u", 7), nil)
			p.Put(sent("a", "u", 7))
			p.Synced("ConfigMap", "8")
		}, []string{"a u 7 false"}},
		"Dying": {"a deletion that was accepted counts at once, until an event brings more", func(p *partition) {
			p.Put(sent("a", "u", 7))
			p.Put(sent("b", "u", 7))
			p.Put(sent("c", "u", 7))
			for _, name := range []string{"a", "b"} {
				p.cache.MarkDeleting(answer(name, "u", 7))
			}
			p.cache.MarkDeleting(answer("c", "another", 7))
			p.Put(sent("a", "u", 7))
			p.Put(sent("b", "again", 8))
		}, []string{"a u 7 true", "b again 8 false", "c u 7 false"}},
	} {
		c := newCache(nil, Resource{schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, true}, nil)
		tc.do(c.addPartition(""))
		if diff := cmp.Diff(tc.want, contents(c)); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, tc.reason, diff)
		}
	}
}

func TestCacheErr(t *testing.T) {
	c := newCache(nil, Resource{}, nil)
	one, other := c.addPartition("one"), c.addPartition("other")
	expect := func(want error) {
		t.Helper()
		if got := c.Err(); !errors.Is(got, want) || (want == nil) != (got == nil) {
			t.Errorf("want error %v, got %v", want, got)
		}
	}
	expect(ErrNotSynced)
	one.Synced("A", "1")
	expect(ErrNotSynced)
	other.Synced("A", "1")
	expect(nil)
	why := errors.New("why")
	other.Failed(why)
	expect(why)
	other.Synced("", "")
	expect(ErrNotServed)
}

// TestNumbersKeepTheirDigits holds for whole numbers of 64 bits, and for all that JSON writes in the shortest way.
func TestNumbersKeepTheirDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		in := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "A", "metadata": map[string]any{"name": "a"},
			"whole": int64(r.Uint64()), "part": r.NormFloat64(), "text": fmt.Sprint("0", r.IntN(8)), "list": []any{nil, true, "null", "1e3", map[string]any{}}}}
		o, err := FromUnstructured(in)
		if err != nil {
			t.Fatal(err)
		}
		out, err := ToUnstructured(o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(in.Object, out.Object); diff != "" {
			t.Fatalf("an object changed on its way (-want +got):\n%s", diff)
		}
	}
}
