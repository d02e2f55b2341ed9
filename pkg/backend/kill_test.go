package backend_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/backendtest"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
	"github.com/waybill-dev/waybill/pkg/backend/table"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// fakeClock counts what is slept.
type fakeClock struct {
	now   time.Time
	slept []time.Duration
}

func (c *fakeClock) Now() time.Time { return c.now }

func (c *fakeClock) Sleep(ctx context.Context, d time.Duration) error {
	c.now, c.slept = c.now.Add(d), append(c.slept, d)
	return ctx.Err()
}

// killer ends the process, as it were, at a point of its life: before and after each request and each
// save.
type killer struct {
	http.RoundTripper
	inventory.Store
	table      *table.Table // nil: midonet
	points, at int
}

type killed struct{}

func (k *killer) live() {
	if k.points++; k.points == k.at {
		panic(killed{})
	}
}

func (k *killer) RoundTrip(r *http.Request) (*http.Response, error) {
	k.live()
	res, err := k.RoundTripper.RoundTrip(r)
	k.live()
	return res, err
}

func (k *killer) Save(ctx context.Context, c inventory.Change) error {
	k.live()
	err := k.Store.Save(ctx, c)
	k.live()
	return err
}

// apply applies a plan and reports whether it came to its end.
func (k *killer) apply(t testing.TB, w *backendtest.Server, plan *waybill.BackendPlan, at int) (result *apply.Result, err error, alive bool) {
	t.Helper()
	k.points, k.at = 0, at
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(killed); !ok {
				panic(r)
			}
			alive = false
		}
	}()
	result, err = apply.Run(t.Context(), clientOf(t, k.tableOr(t), w, k), plan, k, apply.Options{Clock: &fakeClock{}})
	return result, err, true
}

var readMidonet = sync.OnceValues(func() (*table.Table, error) {
	table, _, err := table.Builtin("midonet")
	return table, err
})

func midonet(t testing.TB) *table.Table {
	t.Helper()
	table, err := readMidonet()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// blocking is the same table, but for a backend that does not delete what is named.
func blocking(t testing.TB) *table.Table {
	t.Helper()
	_, text, err := table.Builtin("midonet")
	if err != nil {
		t.Fatal(err)
	}
	table, err := table.Read("t.yaml", bytes.ReplaceAll(text, []byte("kinds: [Chain]}"), []byte("kinds: [Chain], blocks: true}")))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func (k *killer) tableOr(t testing.TB) *table.Table {
	t.Helper()
	if k.table != nil {
		return k.table
	}
	return midonet(t)
}

func client(t testing.TB, w *backendtest.Server, transport http.RoundTripper) *httpclient.Client {
	t.Helper()
	return clientOf(t, midonet(t), w, transport)
}

func clientOf(t testing.TB, table *table.Table, w *backendtest.Server, transport http.RoundTripper) *httpclient.Client {
	t.Helper()
	c, err := httpclient.New(table, httpclient.Config{URL: w.URL + "/api/", Username: backendtest.User, Password: backendtest.Password, Project: backendtest.Project, Transport: transport, Timeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func newKiller(w *backendtest.Server) *killer {
	return &killer{RoundTripper: w.Client().Transport, Store: inventory.NewMemoryStore(inventory.New("midonet"))}
}

func (k *killer) plan(t testing.TB, desired []plan.Translation) *waybill.BackendPlan {
	t.Helper()
	i, err := k.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := plan.New(desired, k.tableOr(t), i)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// reach plans and applies, and holds that this leads to what is desired, and that nothing is left to do.
func (k *killer) reach(t testing.TB, w *backendtest.Server, desired []plan.Translation) {
	t.Helper()
	result, err, _ := k.apply(t, w, k.plan(t, desired), 0)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		t.Fatal(err)
	}
	checkBackend(t, w, desired)
	if again := k.plan(t, desired).Spec; len(again.Operations)+len(again.Problems) > 0 {
		t.Fatalf("nothing is left to do, but: %+v", again)
	}
}

var (
	before = sound(wish{nodes: [3]int{1}, nodeChains: [3]int{1}, services: [3]int{1, 1}, endpoints: [3]int{1}, rules: [3][]int{{0, 1, 2}}, pods: [3]int{1}})
	after  = sound(wish{main: 2, nodes: [3]int{2, 1}, nodeChains: [3]int{2}, services: [3]int{2}, endpoints: [3]int{1}, rules: [3][]int{{2, 0, 3}}, pods: [3]int{1}, host: [3]int{1}})
)

func TestKilledAtEveryStep(t *testing.T) {
	testenv.Long(t, "a process is killed at every step")
	for name, then := range map[string]func(t *testing.T, w *backendtest.Server, k *killer, plan *waybill.BackendPlan){
		"planned again": func(t *testing.T, w *backendtest.Server, k *killer, _ *waybill.BackendPlan) {
			k.reach(t, w, after.translations())
		},
		"taken back": func(t *testing.T, w *backendtest.Server, k *killer, _ *waybill.BackendPlan) {
			k.reach(t, w, before.translations())
		},
		"all given up": func(t *testing.T, w *backendtest.Server, k *killer, _ *waybill.BackendPlan) { k.reach(t, w, nil) },
		"same plan taken up again": func(t *testing.T, w *backendtest.Server, k *killer, plan *waybill.BackendPlan) {
			result, err, _ := k.apply(t, w, plan, 0)
			if err == nil {
				err = result.Err()
			}
			if err != nil {
				t.Fatal(err)
			}
			k.reach(t, w, after.translations())
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := backendtest.New(t)
			k := newKiller(w)
			k.reach(t, w, before.translations())
			plan, things := k.plan(t, after.translations()), w.Resources()
			inv, err := k.Load(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for at := 1; ; at++ {
				w.Restore(things)
				k.Store = inventory.NewMemoryStore(inv)
				_, _, alive := k.apply(t, w, plan, at)
				then(t, w, k, plan)
				if at%20 == 0 {
					k.reach(t, w, nil)
				}
				if alive {
					if at < 50 {
						t.Errorf("only %d points to be killed at", at)
					}
					break
				}
			}
		})
	}
}

func TestSamePlanAppliedTwiceCallsForNothingButReplacements(t *testing.T) {
	w := backendtest.New(t)
	k := newKiller(w)
	k.reach(t, w, before.translations())
	plan := k.plan(t, after.translations())
	replaced := 0
	for _, o := range plan.Spec.Operations {
		if o.Op == waybill.OpReplace {
			replaced++
		}
	}
	for round := range 2 {
		result, err, _ := k.apply(t, w, plan, 0)
		if err != nil {
			t.Fatal(err)
		}
		if done := result.Count(apply.StateDone); round == 1 && done != replaced+moves(plan) {
			t.Errorf("done once more: %d, want %d", done, replaced)
		}
		checkBackend(t, w, after.translations())
	}
}

func moves(plan *waybill.BackendPlan) (n int) {
	for _, o := range plan.Spec.Operations {
		if o.Op == waybill.OpMove {
			n++
		}
	}
	return n
}

// TestRandomHistories goes through desired states that can and cannot be had, with a backend that
// fails now and then and a process that is killed now and then. What can be had is reached.
func TestRandomHistories(t *testing.T) {
	for _, seed := range testenv.Seeds(t, 1) {
		for run := range testenv.Few(60) {
			t.Run(fmt.Sprintf("seed=%d/%d", seed, run), func(t *testing.T) { randomHistory(t, rand.New(rand.NewPCG(seed, uint64(run)))) })
		}
	}
}

func randomHistory(t *testing.T, r *rand.Rand) {
	w := backendtest.New(t)
	defer w.Close()
	w.Refuse, w.Restrict = r.IntN(2) == 0, r.IntN(3) == 0
	k := newKiller(w)
	if w.Restrict {
		k.table = blocking(t)
	}
	var now wish
	for range 12 {
		now = change(r, now)
		w.Fails(randomFaults(r))
		desired := now.translations()
		r.Shuffle(len(desired), func(i, j int) { desired[i], desired[j] = desired[j], desired[i] })
		_, _, _ = k.apply(t, w, k.plan(t, desired), r.IntN(200))
		w.Fails(nil)
		if r.IntN(3) == 0 {
			k.reach(t, w, sound(now).translations())
		}
	}
	k.reach(t, w, sound(now).translations())
	k.reach(t, w, nil)
	i, err := k.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(0, i.Len()); diff != "" {
		t.Errorf("nothing is left in the inventory (-want +got):\n%s", diff)
	}
}

// randomFaults are faults for one request in eight.
func randomFaults(r *rand.Rand) func(int, *http.Request) backendtest.Fault {
	kinds := []backendtest.Fault{{Status: 500}, {Status: 503, After: "1"}, {Status: 429, After: "2"}, {Cut: true}, {Status: 403}, {Status: 422}}
	r = rand.New(rand.NewPCG(r.Uint64(), 0)) // of the server's own
	return func(int, *http.Request) (f backendtest.Fault) {
		if r.IntN(8) == 0 {
			f = kinds[r.IntN(len(kinds))]
		}
		return f
	}
}
