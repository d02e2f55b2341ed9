package fleet

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCompareWith observes every cluster that is compared, each once; clusters that are the same need no comparison.
func TestCompareWith(t *testing.T) {
	files := func(value string) map[string][]byte {
		out := map[string][]byte{"clusters/same/x.yaml": []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")}
		for i := range 9 {
			out[fmt.Sprintf("clusters/c%d/x.yaml", i)] = []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: " + value + "}\n")
		}
		return out
	}
	was, err := Read(treeOf(t, files("one")), nil)
	if err != nil {
		t.Fatal(err)
	}
	is, err := Read(treeOf(t, files("two")), was)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var got []int
	c, err := CompareWith(was, is, func(done, total int) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, done)
		if total != 9 {
			t.Errorf("%d of %d", done, total)
		}
	})
	slices.Sort(got)
	if diff := cmp.Diff([]int{1, 2, 3, 4, 5, 6, 7, 8, 9}, got); diff != "" || err != nil || len(c.Changes) != 9 {
		t.Errorf("%v, %d changes (-want +got):\n%s", err, len(c.Changes), diff)
	}
}
