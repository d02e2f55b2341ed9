package mapping

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/controllers/follow"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// sent is an object as an API server sent.
func sent(name, uid string, version int) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"namespace": "n", "name": name, "uid": uid, "resourceVersion": fmt.Sprint(version)}}}
}

func held(s *shelf) (out []string) {
	for _, o := range s.objects() {
		out = append(out, fmt.Sprint(o.Name(), " ", uidOf(o), " ", versionOf(o), " ", isDeleting(o)))
	}
	slices.Sort(out)
	return out
}

func TestShelf(t *testing.T) {
	answer := func(name, uid string, version int) *krm.Object {
		o, err := objectOf(sent(name, uid, version))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	for name, tc := range map[string]struct {
		reason string
		do     func(*corner)
		want   []string
	}{
		"Newest": {"what comes late is old", func(c *corner) {
			c.begin(at{"n", "a"})(answer("a", "u", 7), nil)
			c.Put(sent("a", "u", 5))
		}, []string{"a u 7 false"}},
		"Gone": {"an answer does not bring back what went meanwhile", func(c *corner) {
			end := c.begin(at{"n", "a"})
			c.Put(sent("a", "u", 7))
			c.Drop("n", "a")
			end(answer("a", "u", 7), nil)
		}, nil},
		"Ghost": {"nor does one that no list knows stay", func(c *corner) {
			c.begin(at{"n", "a"})(answer("a", "u", 7), nil)
			c.begin(at{"n", "b"})(answer("b", "u", 9), nil)
			c.Served("ConfigMap", "8")
		}, []string{"b u 9 false"}},
		"Sure": {"one that was told of stays", func(c *corner) {
			c.begin(at{"n", "a"})(answer("a", "u", 7), nil)
			c.Put(sent("a", "u", 7))
			c.Served("ConfigMap", "8")
		}, []string{"a u 7 false"}},
		"Dying": {"a deletion that was accepted counts at once, until more is told", func(c *corner) {
			c.Put(sent("a", "u", 7))
			c.Put(sent("b", "u", 7))
			c.Put(sent("c", "u", 7))
			for _, name := range []string{"a", "b"} {
				c.dying(answer(name, "u", 7))
			}
			c.dying(answer("c", "another", 7))
			c.Put(sent("a", "u", 7))
			c.Put(sent("b", "again", 8))
		}, []string{"a u 7 true", "b again 8 false", "c u 7 false"}},
	} {
		s := newShelf(kind{schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, true})
		tc.do(s.addCorner(""))
		if diff := cmp.Diff(tc.want, held(s)); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, tc.reason, diff)
		}
	}
}

func TestShelfTellsTrouble(t *testing.T) {
	s := newShelf(kind{})
	one, other := s.addCorner("one"), s.addCorner("other")
	expect := func(want error) {
		t.Helper()
		if got := s.trouble(); !errors.Is(got, want) || (want == nil) != (got == nil) {
			t.Errorf("want trouble %v, got %v", want, got)
		}
	}
	expect(errUnknown)
	one.Served("A", "1")
	expect(errUnknown)
	other.Served("A", "1")
	expect(nil)
	why := errors.New("why")
	other.Failed(why)
	expect(why)
	other.Served("", "")
	expect(follow.ErrNotServed)
}

// TestNumbersKeepTheirDigits holds for whole numbers of 64 bits, and for all that JSON writes in the shortest way.
func TestNumbersKeepTheirDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		in := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "A", "metadata": map[string]any{"name": "a"},
			"whole": int64(r.Uint64()), "part": r.NormFloat64(), "text": fmt.Sprint("0", r.IntN(8)), "list": []any{nil, true, "null", "1e3", map[string]any{}}}}
		o, err := objectOf(in)
		if err != nil {
			t.Fatal(err)
		}
		out, err := sendable(o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(in.Object, out.Object); diff != "" {
			t.Fatalf("an object changed on its way (-want +got):\n%s", diff)
		}
	}
}
