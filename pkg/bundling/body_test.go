package bundling

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/template/expansion"
)

// TestBodiesAreSharedWhereLoadsAreDividedAlike holds that clusters whose objects are divided in the same way share groups, and
// bodies where no template makes a difference.
func TestBodiesAreSharedWhereLoadsAreDividedAlike(t *testing.T) {
	items := []shippedObject{{payload: &payload{length: 1}}, {payload: &payload{length: 2}}, {payload: &payload{length: 3}}}
	divided := divisions{}
	a, b := divided.bodies(items, []int{1, 0, 1}), divided.bodies(items, []int{1, 0, 1})
	got := map[int][]int{}
	for i, body := range a {
		if body != b[i] {
			t.Error("the same division made other bodies")
		}
		for s := range body.objects() {
			got[body.number] = append(got[body.number], s.length())
		}
	}
	if d := cmp.Diff(map[int][]int{0: {2}, 1: {1, 3}}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if c := divided.bodies(items, []int{0, 0, 0}); len(c) != 1 || len(divided) != 2 {
		t.Errorf("another division: %d works, %d divisions known", len(c), len(divided))
	}
}

func TestBodiesKeepTheValuesOfTheirCluster(t *testing.T) {
	p := &payload{template: &expansion.Template{}, leaves: make([]manifest.Leaf, 2)}
	items := []shippedObject{{payload: &payload{}}, {payload: p}, {payload: p}}
	divided := divisions{}
	made := map[string][]*body{}
	for _, cluster := range []string{"a", "b"} {
		items[1].values, items[2].values = []string{cluster, "1"}, []string{cluster, "2"}
		made[cluster] = divided.bodies(items, []int{1, 1, 0})
	}
	for cluster, bodies := range made {
		var got [][]string
		for _, body := range bodies {
			for s := range body.objects() {
				got = append(got, s.values)
			}
		}
		if d := cmp.Diff([][]string{{cluster, "2"}, nil, {cluster, "1"}}, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", cluster, d)
		}
	}
	items[1].values = nil // its template failed
	if failed := divided.bodies(items, []int{1, 1, 0}); failed[0].group == made["a"][0].group {
		t.Error("a cluster where a template fails shares a group")
	}
	if made["a"][0].group != made["b"][0].group {
		t.Error("the clusters do not share a group")
	}
}
