package plan

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status"
)

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
