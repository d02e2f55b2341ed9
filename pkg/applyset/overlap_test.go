package applyset_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// overlap is the naive model for objects of one type that are inputs, outputs and owners of each other, all by name. Those
// whose names begin with x are inputs of every owner that did not make them.
type overlap struct {
	owners     []string
	adopt      applyset.Adoption
	complete   bool
	allowEmpty bool
	made       map[string]maker // "" for an object of another client
	requests   map[maker][]string
	state      map[maker]string // ok, error or kept
}

// maker is the owner and the input that an object was made for.
type maker struct{ owner, input string }

func (n *overlap) isInput(owner, name string) bool {
	by, exists := n.made[name]
	return exists && slices.Contains(n.owners, owner) && strings.HasPrefix(name, "x") && by.owner != owner
}

// run returns the objects after a run, and the keys with errors.
func (n *overlap) run() (map[string]maker, []string) {
	n.state = map[maker]string{}
	some := false // an object of another client exists, or an input
	for name, by := range n.made {
		some = some || by.owner == ""
		for _, owner := range n.owners {
			if n.isInput(owner, name) {
				n.state[maker{owner, name}], some = "ok", true
			}
		}
	}
	for _, by := range n.made {
		if by.owner != "" && n.state[by] == "" {
			n.state[by] = map[bool]string{true: "ok", false: "kept"}[n.complete && (some || n.allowEmpty)]
		}
	}
	for n.propagate() {
	}
	return n.apply()
}

// propagate finds one more key that cannot have its outputs.
func (n *overlap) propagate() bool {
	for key, state := range n.state {
		if state == "ok" && n.isInput(key.owner, key.input) && slices.ContainsFunc(n.requests[key], func(name string) bool { return !n.mayHave(key, name) }) {
			n.state[key] = "error"
			return true
		}
	}
	return false
}

func (n *overlap) mayHave(key maker, name string) bool {
	for other, names := range n.requests {
		if other != key && n.isInput(other.owner, other.input) && slices.Contains(names, name) {
			return false
		}
	}
	by, exists := n.made[name]
	switch {
	case !exists || by == key:
		return true
	case by.owner != "":
		return n.state[by] == "ok"
	}
	return n.adopt != applyset.Never && !n.isInput(key.owner, name) && !slices.Contains(n.owners, name)
}

func (n *overlap) apply() (map[string]maker, []string) {
	after, wanted, failed := maps.Clone(n.made), map[string]bool{}, []string(nil)
	for key, state := range n.state {
		if state == "error" {
			failed = append(failed, key.owner+" "+key.input)
		}
		for _, name := range n.requests[key] {
			if state == "ok" && n.isInput(key.owner, key.input) {
				after[name], wanted[name] = key, true
			}
		}
	}
	for name, by := range n.made {
		if by.owner != "" && n.state[by] == "ok" && !wanted[name] {
			delete(after, name)
		}
	}
	slices.Sort(failed)
	return after, failed
}

// TestOverlap compares the engine with the model in random histories where outputs are inputs, too: no object of another
// client may be deleted.
func TestOverlap(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 2))
		n := &overlap{
			owners: []string{"p", "q"}[:1+r.IntN(2)], adopt: []applyset.Adoption{applyset.Never, applyset.Converge}[r.IntN(2)],
			complete: r.IntN(3) > 0, allowEmpty: r.IntN(2) == 0, made: map[string]maker{"p": {}, "q": {}},
		}
		for step := range 4 {
			n.changeByOthers(r)
			items := n.toItems(t, r)
			edges := func(items []*krm.Object) []applyset.Edge { return []applyset.Edge{n.edge(items)} }
			plan := run(t, items, edges(items)...)
			want, failed := n.run()
			if d := cmp.Diff(want, makersOf(plan.Items), cmp.AllowUnexported(maker{})); d != "" {
				t.Fatalf("seed %d, step %d: who made what (-naive +engine):\n%s\n%+v\n%v", seed, step, d, n, results(plan))
			}
			if d := cmp.Diff(failed, failedKeys(plan)); d != "" {
				t.Fatalf("seed %d, step %d: which keys fail (-naive +engine):\n%s\n%+v\n%v", seed, step, d, n, results(plan))
			}
			if len(n.owners) == 1 { // two owners may make inputs for each other
				checkLaws(t, items, edges)
			}
			n.made = want
		}
	}
}

// changeByOthers changes objects as other clients do, and the requests of inputs.
func (n *overlap) changeByOthers(r *rand.Rand) {
	name := func() string { return fmt.Sprintf("%c%d", "xy"[r.IntN(2)], r.IntN(4)) }
	for range r.IntN(4) {
		switch by := name(); r.IntN(3) {
		case 0:
			delete(n.made, by)
		default:
			n.made[by] = maker{}
		}
	}
	n.requests = map[maker][]string{}
	for range r.IntN(6) {
		key := maker{[]string{"p", "q"}[r.IntN(2)], fmt.Sprintf("x%d", r.IntN(4))}
		request := []string{name(), name(), key.input, key.owner}[r.IntN(4)]
		if !slices.Contains(n.requests[key], request) {
			n.requests[key] = append(n.requests[key], request)
		}
	}
}

const outKey = "/Out//"

func (n *overlap) toItems(t *testing.T, r *rand.Rand) []*krm.Object {
	var text strings.Builder
	for name, by := range n.made {
		fmt.Fprintf(&text, "---\napiVersion: v1\nkind: Out\nmetadata:\n  name: %s\n", name)
		if by.owner != "" {
			fmt.Fprintf(&text, "  labels: {%s: %s}\n  annotations: {%s: maker, %s: out, %s: %q, %s: %q}\n",
				applyset.MapKeyLabel, applyset.MapKey(outKey+by.input), applyset.ControllerAnnotation, applyset.EdgeAnnotation,
				applyset.InputAnnotation, outKey+by.input, applyset.OwnerAnnotation, outKey+by.owner)
		}
	}
	items := read(t, text.String())
	r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	return items
}

func (n *overlap) edge(items []*krm.Object) applyset.Edge {
	e := applyset.Edge{
		Verb: "make", Controller: "maker", Adopt: n.adopt, AllowEmpty: n.allowEmpty, Owners: []applyset.Owner{},
		Project: func(_ context.Context, g *applyset.Group) applyset.Outcome {
			var objects []*krm.Object
			for _, name := range n.requests[maker{strings.TrimPrefix(g.Owner, outKey), strings.TrimPrefix(g.Key, outKey)}] {
				objects = append(objects, krm.FromNode(krm.MapNode(krm.StringNode("apiVersion"), krm.StringNode("v1"), krm.StringNode("kind"), krm.StringNode("Out"),
					krm.StringNode("metadata"), krm.MapNode(krm.StringNode("name"), krm.StringNode(name)))))
			}
			return applyset.Outputs(objects...)
		},
	}
	if n.complete {
		e.View = applyset.Complete
	}
	for _, owner := range n.owners {
		e.Owners = append(e.Owners, applyset.Owner{Key: outKey + owner})
		for _, o := range items {
			if strings.HasPrefix(o.Name(), "x") {
				e.Inputs = append(e.Inputs, applyset.Input{Key: applyset.Key(o), Owner: outKey + owner, Object: o})
			}
		}
	}
	return e
}

func makersOf(items []*krm.Object) map[string]maker {
	out := map[string]maker{}
	for _, o := range items {
		tags := applyset.TagsOf(o)
		out[o.Name()] = maker{strings.TrimPrefix(tags.Owner, outKey), strings.TrimPrefix(tags.Input, outKey)}
	}
	return out
}

func failedKeys(plan *applyset.Plan) (keys []string) {
	for _, r := range plan.Results {
		if r.Severity == sdk.Error && r.Key != "" {
			keys = append(keys, strings.TrimPrefix(r.Owner, outKey)+" "+strings.TrimPrefix(r.Key, outKey))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
