package plan

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
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

var subject = status.Subject{Group: "apps", Version: "v1", Kind: "Deployment", Resource: "deployments", Namespace: "shop", Name: "web", UID: "u", Policy: "p", PolicyUID: "q"}

// combinedOf is the CombinedStatus with results, as desired and as stored.
func combinedOf(t testing.TB, results ...control.NamedStatusCombination) (*control.CombinedStatus, *unstructured.Unstructured) {
	t.Helper()
	want, err := status.New(subject, results)
	if err != nil {
		t.Fatal(err)
	}
	obj, err := toUnstructured(want)
	if err != nil {
		t.Fatal(err)
	}
	obj.SetResourceVersion("7")
	obj.SetUID("c")
	return want, obj
}

func rowsOf(texts ...string) (rows []control.StatusCombinationRow) {
	for _, text := range texts {
		rows = append(rows, control.StatusCombinationRow{Columns: []control.Value{{Type: control.TypeString, String: &text}}})
	}
	return rows
}

func listed(rows ...string) control.NamedStatusCombination {
	return control.NamedStatusCombination{Name: "c", ColumnNames: []string{"x"}, Rows: rowsOf(rows...)}
}

// TestCombined has what is there, what should be, and what is done.
func TestCombined(t *testing.T) {
	want, _ := combinedOf(t, listed("edge1"))
	there := func(edit func(*unstructured.Unstructured)) *stored {
		_, obj := combinedOf(t, listed("edge1"))
		obj.SetAnnotations(map[string]string{"of": "others"})
		edit(obj)
		return &stored{object: obj, whole: true}
	}
	as := func(*unstructured.Unstructured) {}
	going := func(o *unstructured.Unstructured) { o.SetDeletionTimestamp(&metav1.Time{Time: time.Unix(1, 0)}) }
	for name, tc := range map[string]struct {
		reason string
		have   *stored
		want   *control.CombinedStatus
		keep   bool
		verb   Verb
	}{
		"none":      {"there is none and should be none", nil, nil, false, nothing},
		"new":       {"there is none", nil, want, false, Create},
		"right":     {"there is what should be, and what others added", there(as), want, false, nothing},
		"stale":     {"it is not desired", there(as), nil, false, Delete},
		"undecided": {"it may be desired later", there(as), nil, true, nothing},
		"other's":   {"it is not ours", there(func(o *unstructured.Unstructured) { o.SetLabels(nil) }), nil, false, nothing},
		"going":     {"it is being deleted", there(going), want, false, nothing},
		"gone soon": {"it is not desired, and it is being deleted", there(going), nil, false, nothing},
		"unread":    {"another client changed it", &stored{object: there(as).object}, want, false, Read},
		"unwanted":  {"it need not be read", &stored{object: there(as).object}, nil, false, Delete},
		"results":   {"it says something else", there(func(o *unstructured.Unstructured) { o.Object["results"] = []any{} }), want, false, Update},
		"silent":    {"it says nothing", there(func(o *unstructured.Unstructured) { delete(o.Object, "results") }), want, false, Update},
		"labels":    {"it has no labels", there(func(o *unstructured.Unstructured) { o.SetLabels(nil) }), want, false, Update},
		"owners":    {"it has no owner", there(func(o *unstructured.Unstructured) { o.SetOwnerReferences(nil) }), want, false, Update},
	} {
		t.Run(name, func(t *testing.T) {
			verb := combinedVerb(tc.have, tc.want, tc.keep)
			var patch []byte
			if verb == Update {
				var err error
				if patch, err = combinedPatch(tc.have, tc.want); err != nil {
					t.Fatal(err)
				}
				if patch == nil {
					verb = nothing
				}
			}
			if verb != tc.verb {
				t.Fatalf("%s: want %q, got %q", tc.reason, tc.verb, verb)
			}
			if verb != Update {
				return
			}
			after, err := patched(tc.have.object, patch)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(there(as).object.Object, after.Object); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if again, err := combinedPatch(&stored{object: after, whole: true}, tc.want); again != nil || err != nil {
				t.Errorf("a second time: %s, %v", again, err)
			}
		})
	}
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
