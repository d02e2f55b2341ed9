package bundling

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBodiesAreSharedWhereLoadsAreDividedAlike(t *testing.T) {
	items := []shippedObject{{length: 1}, {length: 2}, {length: 3}}
	shared := map[string][]*body{}
	a, b := bodiesOnce(shared, items, []int{1, 0, 1}), bodiesOnce(shared, items, []int{1, 0, 1})
	if !slices.Equal(a, b) {
		t.Error("the same division made other bodies")
	}
	got := map[int][]int{}
	for _, body := range a {
		for _, s := range body.batch {
			got[body.number] = append(got[body.number], s.length)
		}
	}
	if d := cmp.Diff(map[int][]int{0: {2}, 1: {1, 3}}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if c := bodiesOnce(shared, items, []int{0, 0, 0}); len(c) != 1 || len(slices.Collect(maps.Keys(shared))) != 2 {
		t.Errorf("another division: %d works, %d divisions known", len(c), len(shared))
	}
}
