package applyset_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// outsOf is the outputs of a plan, without their tags.
func outsOf(t *testing.T, plan *applyset.Plan) string {
	t.Helper()
	var texts []string
	for _, o := range plan.Items {
		if o.Kind() != "Out" {
			continue
		}
		o = o.DeepCopy()
		o.RemoveAnnotations(func(name string) bool {
			return strings.HasPrefix(name, "waybill.dev/") && name != applyset.KeepAnnotation
		})
		if labels := o.Lookup("metadata", "labels"); labels != nil {
			krm.RemoveField(labels, applyset.MapKeyLabel)
		}
		texts = append(texts, canonical(t, o.Node()))
	}
	return strings.Join(texts, "\n")
}

func TestReplace(t *testing.T) {
	before := strings.Replace(tagged("x", keyA, "{a: {b: 1}, list: [{name: x, v: 1}]}"), "  labels:\n", `  finalizers: [theirs]
  labels:
    own/old: gone
    theirs: stays
`, 1) + "old: gone\nother: stays\nstatus: {ready: true}\n"
	made := `{apiVersion: v1, kind: Out, metadata: {name: x, namespace: n, finalizers: [ours], labels: {own/new: "1"}}, spec: {a: {c: 1}, list: [{name: x}]}, fresh: 1}`
	items := read(t, before+source("a", "{make: ["+made+"]}"))
	edges := func(items []*krm.Object) []applyset.Edge {
		e := edge(items)
		e.OwnFields, e.OwnNames = []string{"old"}, []string{"own/"}
		return []applyset.Edge{e}
	}
	want := `{"apiVersion":"v1","fresh":1,"kind":"Out","metadata":{"finalizers":["theirs","ours"],"labels":{"own/new":"1","theirs":"stays"},"name":"x","namespace":"n"},` +
		`"other":"stays","spec":{"a":{"c":1},"list":[{"name":"x"}]},"status":{"ready":true}}`
	if d := cmp.Diff(want, outsOf(t, run(t, items, edges(items)...))); d != "" {
		t.Errorf("outermost fields are replaced; what is not the edge's stays (-want +got):\n%s", d)
	}
	checkLaws(t, items, edges)
}

// TestOwnReferences has outputs with owner references of other clients, and with more fields than desired.
func TestOwnReferences(t *testing.T) {
	const theirs, ours = `{apiVersion: v1, kind: Other, name: b, uid: "2"}`, `{apiVersion: test.dev/v1, kind: Source, name: a, uid: "1"}`
	for name, c := range map[string]struct {
		own              bool
		have, want, left string
	}{
		"of others stay":      {false, theirs, ours, `[{"apiVersion":"v1","kind":"Other","name":"b","uid":"2"},{"apiVersion":"test.dev/v1","kind":"Source","name":"a","uid":"1"}]`},
		"of others go":        {true, theirs, ours, `[{"apiVersion":"test.dev/v1","kind":"Source","name":"a","uid":"1"}]`},
		"none is left":        {true, theirs, "", ""},
		"two of one go":       {true, ours + ", " + ours, ours, `[{"apiVersion":"test.dev/v1","kind":"Source","name":"a","uid":"1"}]`},
		"more fields go":      {true, strings.Replace(ours, "{", "{blockOwnerDeletion: true, ", 1), ours, `[{"apiVersion":"test.dev/v1","kind":"Source","name":"a","uid":"1"}]`},
		"another uid is ours": {true, strings.Replace(ours, `"1"`, `"2"`, 1), ours, `[{"apiVersion":"test.dev/v1","kind":"Source","name":"a","uid":"1"}]`},
	} {
		made := "{apiVersion: v1, kind: Out, metadata: {name: x, namespace: n}}"
		if c.want != "" {
			made = "{apiVersion: v1, kind: Out, metadata: {name: x, namespace: n, ownerReferences: [" + c.want + "]}}"
		}
		in := strings.Replace(tagged("x", keyA, "{}"), "  labels:\n", "  ownerReferences: ["+c.have+"]\n  labels:\n", 1)
		items := read(t, in+source("a", "{make: ["+made+"]}"))
		edges := func(items []*krm.Object) []applyset.Edge {
			e := edge(items)
			e.OwnReferences = c.own
			return []applyset.Edge{e}
		}
		got := ""
		if refs := run(t, items, edges(items)...).Items[0].Lookup("metadata", "ownerReferences"); refs != nil {
			got = canonical(t, refs)
		}
		if d := cmp.Diff(c.left, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		checkLaws(t, items, edges)
	}
}

func TestOrphan(t *testing.T) {
	in := strings.Replace(tagged("x", keyA, "{}"), "  labels:\n", `  ownerReferences:
  - {apiVersion: test.dev/v1, kind: Source, name: a, uid: "1", controller: true}
  - {apiVersion: v1, kind: Other, name: b, uid: "2"}
  labels:
    theirs: stays
`, 1)
	in = strings.Replace(in, "  annotations:\n", "  annotations:\n    waybill.dev/keep: 'true'\n    waybill.dev/last-known: '{}'\n    waybill.dev/stamp: x\n", 1)
	items := read(t, in+source("a", "{make: []}"))
	edges := func(items []*krm.Object) []applyset.Edge {
		e := edge(items)
		e.Stamp = map[string]string{"waybill.dev/stamp": "x"}
		return []applyset.Edge{e}
	}
	plan := run(t, items, edges(items)...)
	want := `{"apiVersion":"v1","kind":"Out","metadata":{"annotations":{"waybill.dev/keep":"true"},"labels":{"theirs":"stays"},"name":"x","namespace":"n",` +
		`"ownerReferences":[{"apiVersion":"v1","kind":"Other","name":"b","uid":"2"}]},"spec":{}}`
	if got := canonical(t, plan.Items[0].Node()); got != want {
		t.Errorf("tags and the reference to the owner go, the rest stays (-want +got):\n%s", cmp.Diff(want, got))
	}
	checkLaws(t, items, edges)
}

// TestStateMoves changes the place of the state between two runs.
func TestStateMoves(t *testing.T) {
	inAnnotation, inItem := threeWay(nil), threeWay(func(e *applyset.Edge) { e.State = applyset.InItem })
	for name, c := range map[string]struct {
		from, to func([]*krm.Object) []applyset.Edge
	}{
		"to an item": {inAnnotation, inItem}, "to the annotation": {inItem, inAnnotation},
	} {
		items := read(t, source("a", "{make: ["+out("x", "{a: 1, b: 2}")+"]}"))
		first := with(t, run(t, items, c.from(items)...).Items, "{a: 1, b: 2, c: 3}")
		plan := again(t, first, source("a", "{make: ["+out("x", "{a: 1}")+"]}"), c.to)
		if d := cmp.Diff(`{"apiVersion":"v1","kind":"Out","metadata":{"labels":{},"name":"x","namespace":"n"},"spec":{"a":1,"c":3}}`, outsOf(t, plan)); d != "" {
			t.Errorf("%s: what was applied is known (-want +got):\n%s", name, d)
		}
		states := 0
		for _, o := range plan.Items {
			if o.HasAnnotation(applyset.LastKnownAnnotation) || o.Kind() == applyset.StateKind {
				states++
			}
		}
		if states != 1 || len(plan.Results) > 0 {
			t.Errorf("%s: it is kept in one place: %d, %v", name, states, results(plan))
		}
	}
}

func TestRecreateInPlace(t *testing.T) {
	in := strings.Replace(tagged("x", keyA, "{size: 1} # litres"), "  annotations:\n", "  annotations:\n    waybill.dev/keep: 'no'\n    config.kubernetes.io/path: f.yaml\n", 1)
	items := read(t, in+source("a", "{make: ["+out("x", "{size: 2}")+"]}"))
	edges := func(items []*krm.Object) []applyset.Edge {
		e := edge(items)
		e.UpdateOf = always(applyset.Recreate)
		return []applyset.Edge{e}
	}
	o := run(t, items, edges(items)...).Items[0]
	if o.File() != "f.yaml" || o.Annotation(applyset.KeepAnnotation) != "no" || o.String("spec", "size") != "2" || len(o.Comments()) != 1 {
		t.Errorf("a recreated object stays in its file:\n%s", dump(t, []*krm.Object{o}))
	}
	checkLaws(t, items, edges)
}

func TestPercentage(t *testing.T) {
	items := read(t, source("a", "{make: ["+out("x", "{}")+", "+out("y", "{}")+"]}")+tagged("x", keyA, "{}")+tagged("y", keyA, "{}")+tagged("z", keyA, "{}"))
	for text, items2 := range map[string]int{"33%": 4, "34%": 3} {
		e := edge(items)
		limit, err := applyset.ParseLimit(text)
		if err != nil {
			t.Fatal(err)
		}
		e.MaxDeletions = limit
		if got := run(t, items, e).Items; len(got) != items2 {
			t.Errorf("%s of 3 outputs: %d items are left, want %d", text, len(got), items2)
		}
	}
}
