package bundling

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestStay(t *testing.T) {
	two := limits{size: 1000, encoded: 512000, objects: 2}
	small := limits{size: 100, encoded: 512000, objects: manyObjects}
	cases := map[string]struct {
		reason       string
		limits       limits
		counted, was []int
		want         []int
	}{
		"Nothing":     {"no objects, no works", two, nil, nil, []int{}},
		"AllNew":      {"works fill in order", two, []int{1, 1, 1}, []int{-1, -1, -1}, []int{0, 0, 1}},
		"FirstRoom":   {"a small object goes back to where room is", small, []int{60, 60, 30}, []int{-1, -1, -1}, []int{0, 1, 0}},
		"Settled":     {"what fits where it is stays there", two, []int{1, 1, 1}, []int{4, 2, 4}, []int{4, 2, 4}},
		"LowestFree":  {"a new work takes the lowest free number", two, []int{1, 1, 1, 1, 1}, []int{0, 0, 2, 2, -1}, []int{0, 0, 2, 2, 1}},
		"RoomFirst":   {"room in a work goes before a free number", two, []int{1, 1}, []int{3, -1}, []int{3, 3}},
		"TooMany":     {"lower limits make the last ones move", two, []int{1, 1, 1}, []int{0, 0, 0}, []int{0, 0, 1}},
		"Grown":       {"what comes after the object that grew moves", small, []int{90, 30, 30}, []int{0, 0, 0}, []int{0, 1, 1}},
		"SmallStays":  {"only what does not fit moves", small, []int{50, 60, 30}, []int{0, 0, 0}, []int{0, 1, 0}},
		"AtTheLimit":  {"an object of exactly the limit is alone", small, []int{100, 1}, []int{0, 0}, []int{0, 1}},
		"LargeNumber": {"any number can be kept", two, []int{1, 1}, []int{999999999, -1}, []int{999999999, 999999999}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := tc.limits.stay(lengths(tc.counted), tc.was)
			if d := cmp.Diff(tc.want, append([]int{}, got...)); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}

// TestStayLaws follows a Binding through a life of objects that come, go and change their size.
func TestStayLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := limits{size: rapid.IntRange(41, 90).Draw(t, "size"), encoded: rapid.IntRange(42, 90).Draw(t, "encoded"),
			objects: rapid.IntRange(2, 5).Draw(t, "objects")}
		size := rapid.IntRange(1, 40)
		var counted, was []int
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			at := rapid.IntRange(0, len(counted)).Draw(t, "at")
			change := rapid.IntRange(0, 3).Draw(t, "change")
			insert := change > 1 || at == len(counted)
			switch {
			case insert:
				counted, was = slices.Insert(slices.Clone(counted), at, size.Draw(t, "new")), slices.Insert(slices.Clone(was), at, homeless)
			case change == 1:
				counted[at] = size.Draw(t, "grown")
			default:
				counted, was = slices.Delete(slices.Clone(counted), at, at+1), slices.Delete(slices.Clone(was), at, at+1)
			}
			now := l.stay(lengths(counted), was)
			checkStay(t, l, counted, was, now, change != 1 || insert)
			was = now
		}
	})
}

// checkStay holds one step against what stable promises; quiet says that no object changed its size.
func checkStay(t *rapid.T, l limits, counted, was, now []int, quiet bool) {
	for number, batch := range batchesOf(counted, now) {
		if len(naiveCut(l, batch)) != 1 {
			t.Fatalf("work %d breaks a limit: %v", number, batch)
		}
	}
	for i := range now {
		if quiet && was[i] != homeless && now[i] != was[i] {
			t.Fatalf("object %d moved from work %d to %d", i, was[i], now[i])
		}
	}
	if d := cmp.Diff(now, l.stay(lengths(counted), now)); d != "" {
		t.Fatalf("doing it again changes something (-once +twice):\n%s", d)
	}
	backwards := func(s []int) []int { s = slices.Clone(s); slices.Reverse(s); return s }
	if d := cmp.Diff(now, backwards(l.stay(lengths(backwards(counted)), backwards(now)))); d != "" {
		t.Fatalf("another order in the Binding moves what is settled (-want +got):\n%s", d)
	}
}

func batchesOf(counted, numbers []int) map[int][]int {
	out := map[int][]int{}
	for i, n := range numbers {
		out[n] = append(out[n], counted[i])
	}
	return out
}

func TestBodiesAreSharedWhereLoadsAreDividedAlike(t *testing.T) {
	load := []shipped{{length: 1}, {length: 2}, {length: 3}}
	shared := map[string][]*body{}
	a, b := bodiesOnce(shared, load, []int{1, 0, 1}), bodiesOnce(shared, load, []int{1, 0, 1})
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
	if c := bodiesOnce(shared, load, []int{0, 0, 0}); len(c) != 1 || len(slices.Collect(maps.Keys(shared))) != 2 {
		t.Errorf("another division: %d works, %d divisions known", len(c), len(shared))
	}
}
