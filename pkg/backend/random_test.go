package backend_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
	"github.com/waybill-dev/waybill/pkg/backend/table"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestRandomBackends goes from one random state to another, for backends that delete what is named and that
// do not, without faults, with faults, and killed. Without faults one run reaches what is desired; with
// faults, one without them does afterwards. Never goes for good what something else names.
func TestRandomBackends(t *testing.T) {
	for _, seed := range testenv.Seeds(t, 1) {
		for run := range testenv.Few(500) {
			t.Run(fmt.Sprintf("seed=%d/%d", seed, run), func(t *testing.T) { randomBackend(t, rand.New(rand.NewPCG(seed, uint64(run)))) })
		}
	}
}

// traveller pushes to a model.
type traveller struct {
	*model
	*rand.Rand
	table  *table.Table
	client *httpclient.Client
	store  *inventory.MemoryStore
	fickle bool // minds change before all is done; then zones never turn round, which could leave a circle
}

func randomBackend(t *testing.T, r *rand.Rand) {
	w := travel(t, r, r.IntN(2) == 0)
	var was []string
	for range 4 {
		desired := w.wish()
		was = append(was, fmt.Sprint(desired))
		faulty := w.IntN(2) * w.IntN(4)
		for range faulty {
			w.fault = w.faults(1 + w.IntN(6))
			w.apply(t, desired)
			if w.fickle && w.IntN(2) == 0 {
				desired = w.wish()
			}
		}
		w.fault = func() (before, after bool, as int) { return false, false, 0 }
		result := w.apply(t, desired)
		if !result.Complete() {
			t.Fatalf("after %d faulty runs: %v\n%s\nof %s", faulty, result.Err(), strings.Join(told(result), "\n"), strings.Join(was, "\n"))
		}
		w.check(t, desired)
	}
}

// travel sets out for a model that holds nothing.
func travel(t *testing.T, r *rand.Rand, blocks bool) *traveller {
	t.Helper()
	m := &model{blocks: blocks, things: map[string]*thing{}, fault: func() (before, after bool, as int) { return false, false, 0 }}
	with := ""
	if m.blocks {
		with = ", blocks: true"
	}
	table, err := table.Read("t.yaml", []byte(strings.ReplaceAll(modelTable, "BLOCKS", with)))
	if err != nil {
		t.Fatal(err)
	}
	c, err := httpclient.New(table, httpclient.Config{URL: "http://backend.example", Transport: m})
	if err != nil {
		t.Fatal(err)
	}
	return &traveller{m, r, table, c, inventory.NewMemoryStore(inventory.New("model")), r.IntN(2) == 0}
}

// TestTurnedRound has two that cannot be replaced name each other the other way round.
func TestTurnedRound(t *testing.T) {
	for _, blocks := range []bool{false, true} {
		w := travel(t, rand.New(rand.NewPCG(1, 1)), blocks)
		w.apply(t, []plan.Translation{translation("a/a", resource("Mon", "", "id", "m0"), resource("Mon", "", "id", "m1", "mon", "m0"))})
		is := []plan.Translation{translation("a/a", resource("Mon", "", "id", "m1"), resource("Mon", "", "id", "m0", "mon", "m1"))}
		i, err := w.store.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := "delete Mon m1 of a/a: changed\ncreate Mon m1 of a/a: changed\ndelete Mon m0 of a/a: changed\ncreate Mon m0 of a/a: changed\n"
		if diff := cmp.Diff(want, show(t, is, w.table, i)); diff != "" {
			t.Errorf("each goes before what it named, and comes back after what it names; it blocks: %t (-want +got):\n%s", blocks, diff)
		}
		if result := w.apply(t, is); !result.Complete() {
			t.Error(result.Err())
		}
		w.check(t, is)
	}
}

// faults are such that come upon one request in some.
func (w *traveller) faults(in int) func() (before, after bool, as int) {
	return func() (before, after bool, as int) {
		as = []int{0, 500, 503, 403, die}[w.IntN(5)]
		if w.IntN(in+1) > 0 {
			return false, false, as
		}
		before = as == 403 || w.IntN(2) == 0 // a backend may be cut off, but does not lie
		return before, !before, as
	}
}

func (w *traveller) plan(t *testing.T, desired []plan.Translation) *waybill.BackendPlan {
	t.Helper()
	i, err := w.store.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := plan.New(desired, w.table, i)
	if err != nil || len(plan.Spec.Problems) > 0 {
		t.Fatal(err, plan)
	}
	return plan
}

// apply plans and applies, and returns what came of it; nil if it was killed.
func (w *traveller) apply(t *testing.T, desired []plan.Translation) (result *apply.Result) {
	t.Helper()
	w.desired = map[string]bool{}
	for _, tr := range desired {
		for _, res := range tr.Resources {
			w.desired[keyOf(res)] = true
		}
	}
	plan := w.plan(t, desired)
	defer func() {
		if r := recover(); r != nil && r != any(killed{}) {
			panic(r)
		}
	}()
	result, err := apply.Run(t.Context(), w.client, plan, w.store, apply.Options{Clock: &fakeClock{}})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func keyOf(r table.Resource) string {
	id := strings.SplitN(r.Body, `"id":"`, 2)[1]
	return strings.ToLower(r.Kind) + "/" + id[:strings.Index(id, `"`)]
}

// check holds that the model has what is desired, rules in order, and that nothing is left to do.
func (w *traveller) check(t *testing.T, desired []plan.Translation) {
	t.Helper()
	want, got := map[string]string{}, map[string]string{}
	for _, tr := range desired {
		last := map[string]int{}
		for _, r := range tr.Resources {
			want[keyOf(r)] = r.Parent + r.Body
			if x := w.things[keyOf(r)]; r.Kind == "Rule" && x != nil {
				if x.born < last[r.Parent] {
					t.Errorf("%s is older than those before it", keyOf(r))
				}
				last[r.Parent] = x.born
			}
		}
	}
	for key, x := range w.things {
		got[key] = x.parent + x.body
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("what is there (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string(nil), w.wrongs); diff != "" {
		t.Fatalf("nothing goes that is named:\n%s", diff)
	}
	if left := w.plan(t, desired).Spec.Operations; len(left) > 0 {
		t.Fatalf("nothing is left to do, but: %+v", left)
	}
}

// wish is a random state that can be had, cut into lists at random.
func (w *traveller) wish() []plan.Translation {
	mons, zones, recs, rules := w.some("m"), w.some("z"), w.some("r"), w.some("u")
	if w.fickle {
		slices.Sort(zones)
	}
	var all []table.Resource
	for i, id := range mons {
		all = append(all, w.resource("Mon", "", id, "mon", mons[:i]))
	}
	for i, id := range zones {
		all = append(all, w.resource("Zone", "", id, "mon", mons, "zone", zones[:i]))
	}
	if len(zones) > 0 {
		for _, id := range recs {
			all = append(all, w.resource("Rec", zones[w.IntN(len(zones))], id, "mon", mons, "zone", zones))
		}
		for _, id := range rules {
			all = append(all, w.resource("Rule", zones[w.IntN(len(zones))], id, "rec", recs, "zone", zones))
		}
	}
	return w.cut(all)
}

// some are some ids in any order.
func (w *traveller) some(of string) (ids []string) {
	for i := range 5 {
		if w.IntN(3) > 0 {
			ids = append(ids, fmt.Sprint(of, i))
		}
	}
	w.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	return ids
}

// resource names one of each list, or none.
func (w *traveller) resource(kind, parent, id string, references ...any) table.Resource {
	pairs := []any{"id", id}
	for i := 0; i < len(references); i += 2 {
		if ids := references[i+1].([]string); len(ids) > 0 && w.IntN(2) == 0 {
			pairs = append(pairs, references[i], ids[w.IntN(len(ids))])
		}
	}
	if w.IntN(3) == 0 {
		pairs = append(pairs, "v", fmt.Sprint(w.IntN(3)))
	}
	return resource(kind, parent, pairs...)
}

// cut makes lists in which what is needed comes first: of neighbours, or of any.
func (w *traveller) cut(all []table.Resource) (lists []plan.Translation) {
	n := 1 + w.IntN(5)
	neighbours := w.IntN(2) == 0
	for i := range n {
		lists = append(lists, translation(fmt.Sprintf("d/t%d", i)))
	}
	w.Shuffle(n, func(i, j int) { lists[i], lists[j] = lists[j], lists[i] })
	for i, r := range all {
		to := &lists[w.IntN(n)]
		if neighbours {
			to = &lists[i*n/len(all)]
		}
		to.Resources = append(to.Resources, r)
	}
	return lists
}
