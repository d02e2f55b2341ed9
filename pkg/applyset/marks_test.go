package applyset_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// marked is an edge whose inputs mark their outputs.
func marked(items []*krm.Object) applyset.Edge {
	e := edge(items)
	e.Merge, e.Drift, e.MarkNames = applyset.ThreeWay, applyset.Tolerate, []string{"waybill.dev/from", "waybill.dev/note"}
	for i := range e.Inputs {
		e.Inputs[i].Marks = applyset.Marks{
			Labels: map[string]string{"waybill.dev/from": e.Inputs[i].Object.Name()}, Annotations: map[string]string{"waybill.dev/note": "made"},
		}
	}
	return e
}

// TestMarks checks that outputs get the marks of their input, that a run repairs them, and that a released output loses them.
func TestMarks(t *testing.T) {
	const from, note = "waybill.dev/from", "waybill.dev/note"
	cases := map[string]struct {
		reason string
		mangle func(*krm.Object) // what was made
		letGo  bool
		label  string
		note   string
		tagged bool
	}{
		"Made":    {reason: "they are there", label: "a", note: "made", tagged: true},
		"Mangled": {reason: "and there again", mangle: func(o *krm.Object) { o.SetAnnotation(note, "by hand") }, label: "a", note: "made", tagged: true},
		"LetGo":   {reason: "an object without an owner has none", letGo: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			items := run(t, read(t, source("a", "{make: ["+out("x", "{size: 1}")+"]}")), marked(read(t, source("a", "{make: ["+out("x", "{size: 1}")+"]}")))).Items
			for i, o := range items {
				if o.Kind() == "Out" && tc.mangle != nil {
					items[i] = o.DeepCopy()
					tc.mangle(items[i])
				}
			}
			e := marked(items)
			if tc.letGo {
				e.Project = func(context.Context, *applyset.Group) applyset.Outcome { return applyset.Orphan() }
			}
			plan := run(t, items, e)
			for _, o := range plan.Items {
				if o.Kind() != "Out" {
					continue
				}
				got := []any{o.Labels()[from], o.Annotation(note), applyset.TagsOf(o).Controller != ""}
				if diff := cmp.Diff([]any{tc.label, tc.note, tc.tagged}, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
				}
			}
			if again := run(t, plan.Items, e); !tc.letGo && len(again.Operations) > 0 {
				t.Errorf("%s: a second run has something to do: %v", tc.reason, operations(again))
			}
		})
	}
}
