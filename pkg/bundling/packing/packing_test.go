package packing

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// What Options.Overflow may be.
const fail, move = "fail", "move"

// Place puts objects of those lengths into works, given the works they were in.
func (l Limits) Place(counted, was []int, overflow string) (numbers, overfull []int) {
	p := New(l, lengths(counted), slices.Clone(was))
	if overflow == move {
		p.Evict(func(i int) bool { return counted[i] == state }, func(int) Weight { return Weight{Object: 1} })
	}
	for _, w := range p.Place() {
		overfull = append(overfull, w.Number)
	}
	return append([]int{}, p.numbers...), overfull
}

const state = 31 // the length of objects that hold state

func TestSettle(t *testing.T) {
	two := limitsOf(1000, 512000, 2)
	small := limitsOf(100, 512000, manyObjects)
	roomy := Limits{Size: 100, Encoded: 512000, Objects: manyObjects, Sent: MaxSent, Fill: 50}
	cases := map[string]struct {
		reason         string
		limits         Limits
		overflow       string
		counted, was   []int
		want, overfull []int
	}{
		"Nothing":     {"no objects, no works", two, fail, nil, nil, []int{}, nil},
		"AllNew":      {"works fill in order", two, fail, []int{1, 1, 1}, []int{-1, -1, -1}, []int{0, 0, 1}, nil},
		"FirstFit":    {"a small object goes back to where there is space", small, fail, []int{60, 60, 30}, []int{-1, -1, -1}, []int{0, 1, 0}, nil},
		"Settled":     {"what fits where it is stays there", two, fail, []int{1, 1, 1}, []int{4, 2, 4}, []int{4, 2, 4}, nil},
		"LowestFree":  {"a new work takes the lowest free number", two, fail, []int{1, 1, 1, 1, 1}, []int{0, 0, 2, 2, -1}, []int{0, 0, 2, 2, 1}, nil},
		"FitFirst":    {"space in a work goes before a free number", two, fail, []int{1, 1}, []int{3, -1}, []int{3, 3}, nil},
		"LargeNumber": {"any number can be kept", two, fail, []int{1, 1}, []int{999999999, -1}, []int{999999999, 999999999}, nil},
		"AtTheLimit":  {"an object of exactly the limit takes no other", small, fail, []int{100, 1}, []int{0, -1}, []int{0, 1}, nil},

		"TooMany":   {"lower limits move nothing", two, fail, []int{1, 1, 1}, []int{0, 0, 0}, []int{0, 0, 0}, []int{0}},
		"Grown":     {"an object that grew moves nothing", small, fail, []int{90, 30, 30}, []int{0, 0, 0}, []int{0, 0, 0}, []int{0}},
		"GrownNew":  {"a work beyond its limits takes nothing new", small, fail, []int{90, 30, 1}, []int{0, 0, -1}, []int{0, 0, 1}, []int{0}},
		"OneAlone":  {"one object is not beyond the limits of its work", small, fail, []int{100}, []int{7}, []int{7}, nil},
		"Growth":    {"an object may grow into the room that was kept", roomy, fail, []int{80, 15}, []int{0, 0}, []int{0, 0}, nil},
		"NoGrowth":  {"a new one may not", roomy, fail, []int{40, 15}, []int{0, -1}, []int{0, 1}, nil},
		"Large":     {"a large object is alone", roomy, fail, []int{5, 30, 5}, []int{-1, -1, -1}, []int{0, 1, 0}, nil},
		"LargeStay": {"a large object that was with others stays with them, and takes no more", roomy, fail, []int{5, 30, 5}, []int{0, 0, -1}, []int{0, 0, 1}, nil},

		"MoveLast":  {"where moving is allowed the last in the Binding's order move", two, move, []int{1, 1, 1}, []int{0, 0, 0}, []int{0, 0, 1}, nil},
		"MoveGrown": {"only what does not fit moves", small, move, []int{50, 60, 30}, []int{0, 0, 0}, []int{0, 1, 0}, nil},
		"MoveState": {"what holds state moves last", small, move, []int{60, 30, state}, []int{0, 0, 0}, []int{0, 1, 0}, nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, overfull := tc.limits.Place(tc.counted, tc.was, tc.overflow)
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
			if d := cmp.Diff(tc.overfull, overfull); d != "" {
				t.Errorf("%s: works beyond the limits (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}

// TestSettleLaws follows a Binding through a life of objects that come, go and change their size.
func TestSettleLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := limitsOf(rapid.IntRange(41, 90).Draw(t, "size"), rapid.IntRange(42, 90).Draw(t, "encoded"), rapid.IntRange(2, 5).Draw(t, "objects"))
		l.Fill = rapid.IntRange(1, 100).Draw(t, "fill")
		overflow := rapid.SampledFrom([]string{fail, move}).Draw(t, "overflow")
		size := rapid.IntRange(1, 40)
		var counted, was []int
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			at := rapid.IntRange(0, len(counted)).Draw(t, "at")
			change := rapid.IntRange(0, 3).Draw(t, "change")
			insert := change > 1 || at == len(counted)
			switch {
			case insert:
				counted, was = slices.Insert(slices.Clone(counted), at, size.Draw(t, "new")), slices.Insert(slices.Clone(was), at, NoWork)
			case change == 1:
				counted[at] = size.Draw(t, "grown")
			default:
				counted, was = slices.Delete(slices.Clone(counted), at, at+1), slices.Delete(slices.Clone(was), at, at+1)
			}
			now, overfull := l.Place(counted, was, overflow)
			checkSettled(t, l, overflow, counted, was, now, overfull, change != 1 || insert)
			was = now
		}
	})
}

// checkSettled compares one step with what sticky promises; quiet says that no object changed its size.
func checkSettled(t *rapid.T, l Limits, overflow string, counted, was, now, overfull []int, quiet bool) {
	for number, batch := range batchesOf(counted, now) {
		if beyond := len(naiveCut(l, batch)) != 1; beyond != slices.Contains(overfull, number) {
			t.Fatalf("work %d: %v, told to be beyond the limits: %v", number, batch, !beyond)
		}
	}
	if overflow == move && len(overfull) > 0 {
		t.Fatalf("works %v are beyond the limits", overfull)
	}
	for i := range now {
		if (quiet || overflow == fail) && was[i] != NoWork && now[i] != was[i] {
			t.Fatalf("object %d moved from work %d to %d", i, was[i], now[i])
		}
	}
	again, _ := l.Place(counted, now, overflow)
	if d := cmp.Diff(now, again); d != "" {
		t.Fatalf("doing it again changes something (-once +twice):\n%s", d)
	}
	backwards := func(s []int) []int { s = slices.Clone(s); slices.Reverse(s); return s }
	reverse, _ := l.Place(backwards(counted), backwards(now), overflow)
	if d := cmp.Diff(now, backwards(reverse)); d != "" {
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

// TestVacate leaves room for the entries of what leaves.
func TestVacate(t *testing.T) {
	cases := map[string]struct {
		reason  string
		entry   int // length of one
		encoded int
		want    []int
	}{
		"Room":   {"small entries fit beside what stays", 1, 103, []int{0, 0, 0, -1}},
		"Larger": {"for larger ones more objects leave", 20, 104, []int{0, 0, -1, -1}},
		"One":    {"but one stays, whatever its size", 40, 60, []int{0, -1, -1, -1}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p := New(limitsOf(512000, tc.encoded, manyObjects), lengths([]int{29, 29, 29, 29}), []int{0, 0, 0, 0})
			p.Evict(func(int) bool { return false }, func(int) Weight { return Weight{Object: tc.entry} })
			if d := cmp.Diff(tc.want, p.numbers); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}
