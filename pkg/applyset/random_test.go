package applyset_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestRandom compares the engine with the naive model in the same random histories: inputs appear, disappear and change
// their requests; other clients edit, relabel and add outputs.
func TestRandom(t *testing.T) {
	for seed := range uint64(testenv.Few(300)) {
		if !history(t, seed) {
			return // one failure is enough
		}
	}
}

func FuzzHistory(f *testing.F) {
	f.Add(uint64(1 << 40))
	f.Fuzz(func(t *testing.T, seed uint64) { history(t, seed) })
}

func history(t *testing.T, seed uint64) bool {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	objects := map[string]object{}
	s := randomSetup(r)
	for range 4 {
		changeByOthers(r, s, objects)
		n := &naive{setup: s, objects: objects, requests: randomRequests(r)}
		want := n.run()
		items := toItems(t, r, n)
		edges := func(items []*krm.Object) []applyset.Edge { return []applyset.Edge{randomEdge(items, s, n.requests)} }
		plan := run(t, items, edges(items)...)
		got := result{objects: objectsOf(t, plan.Items)}
		for _, res := range plan.Results {
			if (res.Severity == sdk.Error || res.Reason == applyset.ReasonRetry) && res.Key != "" {
				got.failed = append(got.failed, res.Key)
			}
		}
		for _, op := range plan.Operations {
			if op.Action != applyset.ActionKeep {
				got.ops = append(got.ops, string(op.Action)+" "+op.Ref.Name)
			}
		}
		slices.Sort(got.failed)
		got.failed = slices.Compact(got.failed)
		slices.Sort(got.ops)
		if d := cmp.Diff(want, got, cmp.AllowUnexported(result{}, object{})); d != "" {
			t.Errorf("seed %d: the engine differs from the naive model (-naive +engine):\n%s\nsetup %+v\nwishes %v\nthings %v\nresults %v", seed, d, s, n.requests, objects, results(plan))
			return false
		}
		if !s.grows {
			checkLaws(t, items, edges)
		}
		objects = got.objects
	}
	return !t.Failed()
}

func randomSetup(r *rand.Rand) setup {
	s := setup{
		merge: applyset.Merge(r.IntN(2)), drift: applyset.Drift(r.IntN(2)), adopt: applyset.Adoption(r.IntN(3)),
		view: applyset.Extent(r.IntN(2)), allowEmpty: r.IntN(2) == 0, maxDeletions: -1, grows: r.IntN(4) == 0,
	}
	if r.IntN(5) == 0 {
		s.update = applyset.OnDelete
	}
	if s.merge == applyset.Replace && s.adopt == applyset.Preserve {
		s.adopt = applyset.Converge
	}
	if r.IntN(4) == 0 {
		s.maxDeletions = r.IntN(3)
	}
	return s
}

func randomKey(r *rand.Rand) string { return fmt.Sprintf("test.dev/Source//k%d", r.IntN(5)) }

func randomSpec(r *rand.Rand) map[string]int {
	spec := map[string]int{}
	for _, field := range []string{"size", "a", "b"} {
		if r.IntN(2) == 0 {
			spec[field] = r.IntN(3)
		}
	}
	return spec
}

func randomRequests(r *rand.Rand) map[string]request {
	requests := map[string]request{}
	for range r.IntN(5) {
		w := request{decision: "outputs", outputs: map[string]map[string]int{}}
		if r.IntN(4) == 0 {
			w.decision = []string{"fail", "retry", "keep"}[r.IntN(3)]
		}
		for range r.IntN(3) {
			if w.decision == "outputs" {
				w.outputs[fmt.Sprintf("x%d", r.IntN(7))] = randomSpec(r)
			}
		}
		for range 2 {
			if r.IntN(6) == 0 && w.decision == "outputs" {
				w.dependsOn = append(w.dependsOn, randomKey(r))
			}
		}
		requests[randomKey(r)] = w
	}
	return requests
}

// changeByOthers changes outputs as other clients do.
func changeByOthers(r *rand.Rand, s setup, objects map[string]object) {
	for range r.IntN(3) {
		name := fmt.Sprintf("x%d", r.IntN(7))
		th, exists := objects[name]
		switch {
		case !exists && r.IntN(3) == 0:
			objects[name] = object{controller: "other", input: randomKey(r), spec: randomSpec(r)}
		case !exists:
			objects[name] = object{spec: randomSpec(r), keep: r.IntN(2) == 0}
		case r.IntN(4) == 0:
			delete(objects, name)
		default:
			th.spec = randomSpec(r)
			th.keep = r.IntN(2) == 0
			if r.IntN(6) == 0 && s.merge == applyset.ThreeWay && th.controller == "maker" {
				th.last = nil
			}
			objects[name] = th
		}
	}
}

// toItems converts the objects of the naive model to items, in any order.
func toItems(t *testing.T, r *rand.Rand, n *naive) []*krm.Object {
	var text strings.Builder
	for key := range n.requests {
		fmt.Fprintf(&text, "---\napiVersion: test.dev/v1\nkind: Source\nmetadata: {name: %s}\n", strings.TrimPrefix(key, "test.dev/Source//"))
	}
	for name, th := range n.objects {
		annotations := map[string]string{}
		if th.keep {
			annotations[applyset.KeepAnnotation] = "true"
		}
		if th.controller != "" {
			annotations[applyset.ControllerAnnotation], annotations[applyset.EdgeAnnotation] = th.controller, "out"
			annotations[applyset.InputAnnotation], annotations[applyset.OwnerAnnotation] = th.input, th.input
		}
		if th.last != nil {
			annotations[applyset.LastKnownAnnotation] = fmt.Sprintf(`{"apiVersion":"v1","kind":"Out","metadata":{"name":%q},"spec":%s}`, name, encode(t, th.last))
		}
		if th.adopted != "" {
			annotations[applyset.AdoptedAnnotation] = th.adopted
		}
		fmt.Fprintf(&text, "---\napiVersion: v1\nkind: Out\nmetadata: {name: %s, labels: {%s: %q}, annotations: %s}\nspec: %s\n",
			name, applyset.MapKeyLabel, applyset.MapKey(th.input), encode(t, annotations), encode(t, th.spec))
	}
	items := read(t, text.String())
	r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	return items
}

func encode(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// objectsOf converts the items of the engine to objects of the naive model.
func objectsOf(t *testing.T, items []*krm.Object) map[string]object {
	objects := map[string]object{}
	for _, o := range items {
		if o.Kind() != "Out" {
			continue
		}
		tags := applyset.TagsOf(o)
		th := object{
			controller: tags.Controller, input: tags.Input, spec: map[string]int{},
			keep: o.Annotation(applyset.KeepAnnotation) == "true", adopted: o.Annotation(applyset.AdoptedAnnotation),
		}
		if err := krm.DecodeNode(o.Lookup("spec"), nil, &th.spec); err != nil {
			t.Fatal(err)
		}
		if text := o.Annotation(applyset.LastKnownAnnotation); text != "" {
			var last struct{ Spec map[string]int }
			if err := json.Unmarshal([]byte(text), &last); err != nil {
				t.Fatal(err)
			}
			th.last = last.Spec
		}
		objects[o.Name()] = th
	}
	return objects
}

func randomEdge(items []*krm.Object, s setup, requests map[string]request) applyset.Edge {
	e := applyset.Edge{
		Verb: "make", Controller: "maker", Merge: s.merge, Drift: s.drift, Adopt: s.adopt, UpdateOf: always(s.update), View: s.view,
		AllowEmpty: s.allowEmpty, Inputs: sources(items), Project: projectionOf(requests),
	}
	if s.maxDeletions >= 0 {
		e.MaxDeletions = atMost(s.maxDeletions)
	}
	if s.grows {
		e.Validate = func(_ *applyset.Group, old, new *krm.Object) error {
			if size(new) < size(old) {
				return errors.New("it must not shrink")
			}
			return nil
		}
	}
	return e
}

func size(o *krm.Object) int {
	n, err := strconv.Atoi(o.String("spec", "size"))
	if err != nil {
		return 0
	}
	return n
}

// grant is a projection that decides as requested.
func projectionOf(requests map[string]request) applyset.Projection {
	return func(_ context.Context, g *applyset.Group) applyset.Outcome {
		w := requests[g.Key]
		var out applyset.Outcome
		switch w.decision {
		case "fail":
			out = applyset.Fail(errors.New("as requested"))
		case "retry":
			out = applyset.Retry("as requested")
		case "keep":
			out = applyset.KeepAll()
		default:
			var objects []*krm.Object
			for name, spec := range w.outputs {
				o, err := krm.FromTyped(map[string]any{"apiVersion": "v1", "kind": "Out", "metadata": map[string]any{"name": name}, "spec": spec})
				if err != nil {
					return applyset.Fail(err)
				}
				objects = append(objects, o)
			}
			slices.SortFunc(objects, func(a, b *krm.Object) int { return strings.Compare(a.Name(), b.Name()) })
			out = applyset.Outputs(objects...)
		}
		out.DependsOn = w.dependsOn
		return out
	}
}
