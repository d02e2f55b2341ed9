package plan

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// patched applies a JSON patch by the library of the API server.
func patched(obj *unstructured.Unstructured, patch []byte) (*unstructured.Unstructured, error) {
	text, err := obj.MarshalJSON()
	if err != nil {
		return nil, err
	}
	operations, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, err
	}
	if text, err = operations.Apply(text); err != nil {
		return nil, err
	}
	out := &unstructured.Unstructured{}
	return out, out.UnmarshalJSON(text)
}

// TestResultsPatch has a long chain of random changes, each a patch of what is known to be stored. After each the object is
// what the desired one as a whole would be.
func TestResultsPatch(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 7))
		results := randomResults(r)
		_, obj := combinedOf(t, results...)
		for step := range 200 {
			have := (&stored{object: obj}).with(slices.Clone(results))
			if results = changedResults(r, results); r.IntN(20) == 0 {
				results = randomResults(r)
			}
			want, whole := combinedOf(t, results...)
			patch, err := combinedPatch(have, want)
			if err != nil {
				t.Fatal(err)
			}
			results = want.Results // in order
			after := obj
			if patch != nil {
				if after, err = patched(obj, patch); err != nil {
					t.Fatalf("seed %d, step %d: %s: %v", seed, step, patch, err)
				}
			}
			if !equal(after.Object, whole.Object) {
				t.Fatalf("seed %d, step %d: %s (-whole +patched):\n%s", seed, step, patch, cmp.Diff(whole.Object, after.Object))
			}
			obj = after
		}
	}
}

// TestRowsPatch has a patch mention only the rows that change.
func TestRowsPatch(t *testing.T) {
	many := func(prefix string, n int) (rows []string) {
		for i := range n {
			rows = append(rows, fmt.Sprint(prefix, i))
		}
		return rows
	}
	for name, tc := range map[string]struct {
		reason     string
		have, want []string
		patch      string
	}{
		"same":    {"nothing changes", many("a", 3), many("a", 3), ""},
		"one":     {"a row changes", []string{"a", "b", "c"}, []string{"a", "x", "c"}, "replace /results/0/rows/1"},
		"two":     {"the row between stays", []string{"a", "b", "c"}, []string{"x", "b", "y"}, "replace /results/0/rows/0, replace /results/0/rows/2"},
		"added":   {"a cluster comes", []string{"a", "c"}, []string{"a", "b", "c"}, "add /results/0/rows/1"},
		"last":    {"clusters come at the end", []string{"a"}, []string{"a", "b", "c"}, "add /results/0/rows/1, add /results/0/rows/2"},
		"removed": {"a cluster goes", []string{"a", "b", "c"}, []string{"a", "c"}, "remove /results/0/rows/1"},
		"first":   {"clusters go", []string{"a", "b", "c"}, []string{"c"}, "remove /results/0/rows/1, remove /results/0/rows/0"},
		"none":    {"the last cluster goes", []string{"a"}, nil, "remove /results/0/rows"},
		"some":    {"the first cluster comes", nil, []string{"a"}, "add /results/0/rows"},
		"all":     {"more rows change than a patch should have operations", many("a", maxOperations+1), many("b", maxOperations+1), "add /results"},
	} {
		t.Run(name, func(t *testing.T) {
			_, obj := combinedOf(t, listed(tc.have...))
			want, _ := combinedOf(t, listed(tc.want...))
			patch, err := combinedPatch((&stored{object: obj}).with([]control.NamedStatusCombination{listed(tc.have...)}), want)
			if err != nil {
				t.Fatal(err)
			}
			if got := operationsOf(t, patch); got != tc.patch {
				t.Errorf("%s: want %q, got %q", tc.reason, tc.patch, got)
			}
		})
	}
}

// operationsOf are the operations of a patch behind the first, which tests the version.
func operationsOf(t testing.TB, patch []byte) string {
	t.Helper()
	if patch == nil {
		return ""
	}
	var operations []operation
	if err := json.Unmarshal(patch, &operations); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, o := range operations[1:] {
		out = append(out, o.Op+" "+o.Path)
	}
	return strings.Join(out, ", ")
}

// TestPatchOfAnother has another client change the object: the patch fails, although its rows are there.
func TestPatchOfAnother(t *testing.T) {
	_, obj := combinedOf(t, listed("a", "b"))
	want, _ := combinedOf(t, listed("a", "c"))
	patch, err := combinedPatch((&stored{object: obj}).with([]control.NamedStatusCombination{listed("a", "b")}), want)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := patched(obj, patch); err != nil {
		t.Errorf("the object is as it was read: %v", err)
	}
	obj.SetResourceVersion("8")
	if after, err := patched(obj, patch); err == nil {
		t.Errorf("the object has another version, and is overwritten: %v", after)
	}
}
