package applyset_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

func threeWay(edit func(*applyset.Edge)) func([]*krm.Object) []applyset.Edge {
	return func(items []*krm.Object) []applyset.Edge {
		e := edge(items)
		e.Merge = applyset.ThreeWay
		if edit != nil {
			edit(&e)
		}
		return []applyset.Edge{e}
	}
}

// again runs with other sources on the result of an earlier run.
func again(t *testing.T, before []*krm.Object, in string, edges func([]*krm.Object) []applyset.Edge) *applyset.Plan {
	t.Helper()
	items := slices.DeleteFunc(slices.Clone(before), func(o *krm.Object) bool { return o.Kind() == "Source" })
	items = append(items, read(t, in)...)
	checkLaws(t, items, edges)
	return run(t, items, edges(items)...)
}

// with is the items with another spec in their Out.
func with(t *testing.T, items []*krm.Object, spec string) []*krm.Object {
	t.Helper()
	var changed []*krm.Object
	for _, o := range items {
		if o.Kind() == "Out" || o.Kind() == "Secret" {
			o = o.DeepCopy()
			krm.SetField(o.Node(), "spec", node(t, spec))
		}
		changed = append(changed, o)
	}
	return changed
}

func TestState(t *testing.T) {
	large := strings.Repeat("x", applyset.MaxAnnotationState)
	cases := map[string]struct {
		reason string
		edit   func(*applyset.Edge)
		first  string // the first output
		now    string // after a change by another client
		second string // the second output
		want   string
	}{
		"dropped and foreign":    {"fields that are not desired any more disappear, fields of other clients stay", nil, "{a: 1, b: 2}", "{a: 1, b: 2, c: 3}", "{a: 1}", `{"a":1,"c":3}`},
		"corrected":              {"changes of other clients are corrected", nil, "{a: 1}", "{a: 9}", "{a: 1}", `{"a":1}`},
		"tolerated":              {"changes of other clients stay until the input changes the field", func(e *applyset.Edge) { e.Drift = applyset.Tolerate }, "{a: 1, b: 1}", "{a: 9, b: 9}", "{a: 1, b: 2}", `{"a":9,"b":2}`},
		"in an item":             {"the same with the state elsewhere", func(e *applyset.Edge) { e.State = applyset.InItem }, "{a: 1, b: 2}", "{a: 1, b: 2, c: 3}", "{a: 1}", `{"a":1,"c":3}`},
		"in an item, tolerated":  {"the same with the state elsewhere", func(e *applyset.Edge) { e.State, e.Drift = applyset.InItem, applyset.Tolerate }, "{a: 1, b: 1}", "{a: 9, b: 9}", "{a: 1, b: 2}", `{"a":9,"b":2}`},
		"too large":              {"a state that is too large for the annotation is in an item", nil, "{a: " + large + ", b: 2}", "{a: 1, b: 2, c: 3}", "{a: 1}", `{"a":1,"c":3}`},
		"large integers":         {"are exact in a state", func(e *applyset.Edge) { e.Drift = applyset.Tolerate }, "{a: 9007199254740993}", "{a: 1}", "{a: 9007199254740992}", `{"a":9007199254740992}`},
		"large integers, as was": {"are exact in a state", func(e *applyset.Edge) { e.Drift = applyset.Tolerate }, "{a: 9007199254740993}", "{a: 1}", "{a: 9007199254740993}", `{"a":1}`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			edges := threeWay(c.edit)
			items := read(t, source("a", "{make: ["+out("x", c.first)+"]}"))
			checkLaws(t, items, edges)
			first := run(t, items, edges(items)...)
			plan := again(t, with(t, first.Items, c.now), source("a", "{make: ["+out("x", c.second)+"]}"), edges)
			for _, o := range plan.Items {
				if o.Kind() != "Out" {
					continue
				}
				if d := cmp.Diff(c.want, canonical(t, o.Lookup("spec"))); d != "" {
					t.Errorf("%s (-want +got):\n%s", c.reason, d)
				}
			}
			if len(plan.Results) > 0 {
				t.Errorf("%s: it says %v", c.reason, results(plan))
			}
		})
	}
}

func TestStateItems(t *testing.T) {
	edges := threeWay(func(e *applyset.Edge) { e.State = applyset.InItem })
	items := read(t, source("a", "{make: ["+out("x", "{}")+", "+out("y", "{}")+"]}"))
	plan := run(t, items, edges(items)...)
	want := `---
apiVersion: waybill.dev/v1alpha1
kind: SyncState
metadata:
  name: state-bb8e71d5a9fb5b5a3cd8
  annotations:
    config.kubernetes.io/local-config: 'true'
    waybill.dev/controller: 'maker'
    waybill.dev/owner: 'test.dev/Source/n/a'
    config.kubernetes.io/index: '0'
    config.kubernetes.io/path: 'state/maker/bb8e71d5a9fb5b5a3cd8.yaml'
    internal.config.kubernetes.io/index: '0'
    internal.config.kubernetes.io/path: 'state/maker/bb8e71d5a9fb5b5a3cd8.yaml'
data:
  out /Out/n/x: '{"apiVersion":"v1","kind":"Out","metadata":{"name":"x","namespace":"n"},"spec":{}}'
  out /Out/n/y: '{"apiVersion":"v1","kind":"Out","metadata":{"name":"y","namespace":"n"},"spec":{}}'
`
	states := func(items []*krm.Object) (out []*krm.Object) {
		for _, o := range items {
			if o.Kind() == applyset.StateKind {
				out = append(out, o)
			}
		}
		return out
	}
	got := dump(t, states(plan.Items))
	short, _, _ := strings.Cut(strings.SplitAfter(got, "name: state-")[1], "\n")
	if d := cmp.Diff(strings.ReplaceAll(want, "bb8e71d5a9fb5b5a3cd8", short), got); d != "" {
		t.Errorf("one item per owner (-want +got):\n%s", d)
	}
	plan = again(t, plan.Items, source("a", "{make: ["+out("x", "{}")+"]}"), edges)
	if got := states(plan.Items); len(got) != 1 || got[0].Lookup("data", "out /Out/n/y") != nil {
		t.Errorf("the state of what is deleted goes: %s", dump(t, got))
	}
	plan = again(t, plan.Items, source("a", "{make: []}"), edges)
	if got := states(plan.Items); len(got) != 0 {
		t.Errorf("an empty item goes: %s", dump(t, got))
	}
}

func TestLostState(t *testing.T) {
	for name, edit := range map[string]func(*applyset.Edge){
		"annotation": nil, "item": func(e *applyset.Edge) { e.State = applyset.InItem },
	} {
		for _, garbage := range []string{"", "no JSON", `["a"]`} {
			edges := threeWay(edit)
			items := read(t, source("a", "{make: ["+out("x", "{a: 1}")+"]}"))
			var broken []*krm.Object
			for _, o := range with(t, run(t, items, edges(items)...).Items, "{a: 9, b: 2}") {
				if o.Kind() == "Out" && edit == nil {
					o.SetAnnotation(applyset.LastKnownAnnotation, garbage)
				}
				if o.Kind() == applyset.StateKind {
					o = o.DeepCopy()
					krm.SetField(o.Lookup("data"), "out /Out/n/x", krm.StringNode(garbage))
				}
				broken = append(broken, o)
			}
			plan := again(t, broken, source("a", "{make: ["+out("x", "{a: 1}")+"]}"), edges)
			want := []string{"warning StateLost: make(test.dev/Source/n/a): what was last applied to /Out/n/x is not known; its other fields stay"}
			if d := cmp.Diff(want, results(plan)); d != "" {
				t.Errorf("%s %q: a lost state is reported (-want +got):\n%s", name, garbage, d)
			}
			if got := strings.Join(outputs(t, plan.Items), "\n"); !strings.Contains(got, `{"a":1,"b":2}`) {
				t.Errorf("%s %q: desired is asserted, the rest kept: %s", name, garbage, got)
			}
		}
	}
}

func TestHostileState(t *testing.T) {
	edges := threeWay(nil)
	items := read(t, `
apiVersion: v1
kind: Out
metadata:
  name: x
  namespace: n
  uid: "1"
  labels: {waybill.dev/map-key: `+applyset.MapKey(keyA)+`}
  annotations:
    config.kubernetes.io/path: f.yaml
    waybill.dev/controller: maker
    waybill.dev/edge: out
    waybill.dev/input: `+keyA+`
    waybill.dev/owner: `+keyA+`
    waybill.dev/keep: "no"
    waybill.dev/last-known: '{"metadata":{"uid":"1","annotations":{"config.kubernetes.io/path":"","waybill.dev/keep":""}},"status":{"a":1}}'
status: {a: 1}
`+source("a", "{make: [{apiVersion: v1, kind: Out, metadata: {name: x, namespace: n}}]}"))
	for _, o := range run(t, items, edges(items)...).Items {
		if o.Kind() == "Out" && (o.String("metadata", "uid") == "" || o.File() != "f.yaml" || !o.HasAnnotation(applyset.KeepAnnotation) || o.Lookup("status", "a") == nil) {
			t.Errorf("a forged state removes what is not content:\n%s", dump(t, []*krm.Object{o}))
		}
	}
	checkLaws(t, items, edges)
}

func secret(data string) string {
	return source("a", "{make: [{apiVersion: v1, kind: Secret, metadata: {name: x, namespace: n}, stringData: "+data+", list: [hunter2, 7]}]}")
}

func TestSecrets(t *testing.T) {
	for name, edit := range map[string]func(*applyset.Edge){
		"annotation": nil,
		"item":       func(e *applyset.Edge) { e.State = applyset.InItem },
		"tolerated":  func(e *applyset.Edge) { e.Drift = applyset.Tolerate },
	} {
		t.Run(name, func(t *testing.T) {
			edges := threeWay(edit)
			items := read(t, secret("{a: hunter2, b: swordfish}"))
			checkLaws(t, items, edges)
			first := run(t, items, edges(items)...)
			for _, op := range first.Operations {
				if strings.Contains(string(op.State), "hunter2") || op.State == nil {
					t.Errorf("a state shows a secret: %s", op.State)
				}
			}
			for _, o := range first.Items {
				if text := o.Annotation(applyset.LastKnownAnnotation) + canonical(t, o.Lookup("data")); strings.Contains(text, "hunter2") {
					t.Errorf("a state shows a secret: %s", text)
				}
			}
			plan := again(t, first.Items, secret("{a: hunter3}"), edges)
			for _, o := range plan.Items {
				if o.Kind() == "Secret" && canonical(t, o.Lookup("stringData")) != `{"a":"hunter3"}` {
					t.Errorf("hashes tell what was dropped: %s", canonical(t, o.Lookup("stringData")))
				}
			}
		})
	}
}

func TestSecretDrift(t *testing.T) {
	edges := threeWay(func(e *applyset.Edge) { e.Drift = applyset.Tolerate })
	items := read(t, secret("{a: hunter2, b: swordfish}"))
	var drifted []*krm.Object
	for _, o := range run(t, items, edges(items)...).Items {
		if o.Kind() == "Secret" {
			o = o.DeepCopy()
			krm.SetField(o.Lookup("stringData"), "a", krm.StringNode("theirs"))
		}
		drifted = append(drifted, o)
	}
	for _, o := range again(t, drifted, secret("{a: hunter2, b: new}"), edges).Items {
		if o.Kind() == "Secret" && canonical(t, o.Lookup("stringData")) != `{"a":"theirs","b":"new"}` {
			t.Errorf("hashes tell what is as before: %s", canonical(t, o.Lookup("stringData")))
		}
	}
}

func TestPreserved(t *testing.T) {
	edges := threeWay(func(e *applyset.Edge) { e.Adopt = applyset.Preserve })
	items := read(t, sourceA+free)
	first := run(t, items, edges(items)...)
	plan := again(t, first.Items, source("a", "{make: ["+out("x", "{size: 1, extra: 2}")+"]}"), edges)
	want := []string{`Out n/x {"extra":2,"more":true,"size":7} <- test.dev/Source/n/a`}
	if d := cmp.Diff(want, outputs(t, plan.Items)); d != "" {
		t.Errorf("later changes are differences (-want +got):\n%s", d)
	}
}

func TestLastKnownStore(t *testing.T) {
	store := map[string][]byte{}
	view := func(items []*krm.Object) applyset.View {
		return applyset.View{Items: items, LastKnown: func(controller, owner, edge string, output applyset.Ref) []byte {
			return store[fmt.Sprint(controller, owner, edge, output)]
		}}
	}
	edges := threeWay(func(e *applyset.Edge) { e.State = applyset.InItem })
	step := func(items []*krm.Object) *applyset.Plan {
		plan, err := applyset.Run(t.Context(), view(items), edges(items))
		if err != nil {
			t.Fatal(err)
		}
		for _, op := range plan.Operations {
			store[fmt.Sprint(op.Controller, op.Owner, op.Edge, op.Ref)] = op.State
		}
		return plan
	}
	first := step(read(t, source("a", "{make: ["+out("x", "{a: 1, b: 2}")+"]}")))
	if slices.ContainsFunc(first.Items, func(o *krm.Object) bool { return o.Kind() == applyset.StateKind }) {
		t.Error("with a store there is no state item")
	}
	second := step(append(with(t, first.Items[1:], "{a: 1, b: 2, c: 3}"), read(t, source("a", "{make: ["+out("x", "{a: 1}")+"]}"))...))
	if d := cmp.Diff([]string{`Out n/x {"a":1,"c":3} <- test.dev/Source/n/a`}, outputs(t, second.Items)); d != "" {
		t.Errorf("the store has what was last applied (-want +got):\n%s", d)
	}
	clear(store)
	third := step(second.Items)
	if d := cmp.Diff([]string{"keep StateLost /Out/n/x"}, operations(third)); d != "" {
		t.Errorf("a lost state is stored again (-want +got):\n%s", d)
	}
	if fourth := step(third.Items); len(fourth.Operations)+len(fourth.Results) > 0 {
		t.Errorf("and then nothing changes: %v %v", operations(fourth), results(fourth))
	}
}
