package packing

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const manyObjects = 512000

// limitsOf are limits that leave no room for growth.
func limitsOf(size, encoded, objects int) Limits {
	return Limits{Size: size, Encoded: encoded, Objects: objects, Sent: MaxSent, Fill: percent}
}

func TestSplit(t *testing.T) {
	roomy := limitsOf(1000, 512000, manyObjects)
	cases := map[string]struct {
		reason  string
		limits  Limits
		counted []int // with newline, as the contract's examples have them
		want    []int
	}{
		"Nothing":         {"no objects, no works", roomy, nil, nil},
		"JustFull":        {"the limit itself closes a batch", roomy, []int{400, 300, 300}, []int{2, 3}},
		"JustBelow":       {"one byte less does not", roomy, []int{400, 300, 299}, []int{3}},
		"FirstIsExact":    {"a first object of exactly the limit leaves no empty work before it", roomy, []int{1000, 10}, []int{1, 2}},
		"ExactThenExact":  {"nor does a second", roomy, []int{1000, 1000}, []int{1, 2}},
		"TwoEach":         {"ten objects by twos", limitsOf(1000, 512000, 2), []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, []int{2, 4, 6, 8, 10}},
		"OneEach":         {"one object each", limitsOf(1000, 512000, 1), []int{5, 5}, []int{1, 2}},
		"HubIsStricter":   {"the hub counts two bytes more for short objects", limitsOf(1000, 21, manyObjects), []int{10, 10}, []int{1, 2}},
		"HubJustFits":     {"the hub's limit may be reached", limitsOf(1000, 22, manyObjects), []int{10, 10}, []int{2}},
		"TooLargeIsAlone": {"what is refused anyway takes nothing along", limitsOf(100, 512000, 9), []int{10, 500, 10}, []int{1, 2, 3}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, ends(tc.limits.Split(lengths(tc.counted)))); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}

// TestSplitOfManyThousandBytes is the contract's own example of what KubeStellar accepts and a hub
// refuses: 511 objects of 1000 bytes.
func TestSplitOfManyThousandBytes(t *testing.T) {
	objects := make([]int, 511)
	for i := range objects {
		objects[i] = 1001
	}
	upstream := limitsOf(512000, 1<<30, manyObjects)
	if got := ends(upstream.Split(lengths(objects))); len(got) != 1 {
		t.Errorf("by KubeStellar's limit alone: %d works, want 1", len(got))
	}
	both := limitsOf(512000, 512000, manyObjects)
	if d := cmp.Diff([]int{510, 511}, ends(both.Split(lengths(objects)))); d != "" {
		t.Errorf("with the hub's limit (-want +got):\n%s", d)
	}
}

func TestTooLarge(t *testing.T) {
	both := limitsOf(512000, 512000, manyObjects)
	cases := map[string]struct {
		reason  string
		limits  Limits
		counted int
		want    string
	}{
		"ByOwnMeasure": {"one byte past maxSize", both, 512001, "maxSize"},
		"ByTheHubs":    {"exactly maxSize is too much for the hub", both, 512000, "manifestLimit"},
		"Fits":         {"the largest object that fits both", both, 511997, ""},
		"ExactMaxSize": {"exactly maxSize is allowed", limitsOf(100, 512000, 9), 100, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if _, _, got := tc.limits.TooLarge(Weight{Object: tc.counted - 1}); got != tc.want {
				t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
			}
		})
	}
}

// TestSplitAgainstTheContract recomputes every batch from its definition.
func TestSplitAgainstTheContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := limitsOf(rapid.IntRange(1, 60).Draw(t, "size"), rapid.IntRange(1, 60).Draw(t, "encoded"), rapid.IntRange(1, 6).Draw(t, "objects"))
		counted := rapid.SliceOfN(rapid.IntRange(1, 40), 0, 20).Draw(t, "counted")
		if d := cmp.Diff(naiveCut(l, counted), ends(l.Split(lengths(counted)))); d != "" {
			t.Fatalf("(-want +got):\n%s", d)
		}
	})
}

// naiveCut lengthens each batch while its whole content is within every limit.
func naiveCut(l Limits, counted []int) (ends []int) {
	fits := func(batch []int) bool {
		size, encoded := 0, 0
		for _, n := range batch {
			size, encoded = size+n, encoded+n-1+2 // short objects: a tag and one byte of length
		}
		return size < l.Size && encoded <= l.Encoded && len(batch) <= l.Objects
	}
	for start := 0; start < len(counted); {
		end := start + 1
		for end < len(counted) && fits(counted[start:end+1]) {
			end++
		}
		ends = append(ends, end)
		start = end
	}
	return ends
}

// lengths are the weights of objects of those sizes that works say nothing about.
func lengths(counted []int) (out []Weight) {
	for _, n := range counted {
		out = append(out, Weight{Object: n - 1})
	}
	return out
}

// ends is where each work ends, going by the work that each object goes to.
func ends(numbers []int) (out []int) {
	for i, n := range numbers {
		if i+1 == len(numbers) || numbers[i+1] != n {
			out = append(out, i+1)
		}
	}
	return out
}

func TestSplitOfWhatIsSent(t *testing.T) {
	roomy := limitsOf(1<<30, 1<<30, manyObjects)
	many := func(n int, w Weight) (out []Weight) {
		for range n {
			out = append(out, w)
		}
		return out
	}
	const small, large = 98, 498_998 // with commas 100 and 499,000
	cases := map[string]struct {
		reason  string
		weights []Weight
		want    []int
	}{
		"Silent":     {"what says nothing goes by the limits alone", many(20_000, Weight{Object: small}), []int{20_000}},
		"JustFits":   {"the bound itself is allowed", many(2, Weight{Object: large - 1000, Config: 1000}), []int{2}},
		"OneByte":    {"one byte more is not", append(many(1, Weight{Object: large - 999, Config: 1000}), Weight{Object: large - 1000, Config: 1000}), []int{1, 2}},
		"ManySmall":  {"thousands of small objects of which much is said", many(2800, Weight{Object: small, Config: 900}), []int{998, 1996, 2800}},
		"LastSpeaks": {"the first config of a large work closes it", append(many(2, Weight{Object: large + 1000}), Weight{Object: small, Config: 1}), []int{2, 3}},
		"Alone":      {"one object is never divided", many(2, Weight{Object: 1_200_000, Config: 1}), []int{1, 2}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, ends(roomy.Split(tc.weights))); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}
