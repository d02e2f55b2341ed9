package backend_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/backendtest"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
)

// told is what became of each operation: "create Chain a: done".
func told(result *apply.Result) (lines []string) {
	for _, o := range result.Outcomes {
		line := o.Operation.Op + " " + o.Operation.Kind + " " + o.Operation.ID + ": " + string(o.State)
		if o.Failure != nil {
			line += " " + string(o.Failure.Class) + " " + o.Failure.Message
		}
		if o.WaitsFor != "" {
			line += ", waits for " + o.WaitsFor
		}
		lines = append(lines, line)
	}
	return lines
}

// on is a fault for the requests to one path, the first times of them.
func on(path string, times int, f backendtest.Fault) func(int, *http.Request) backendtest.Fault {
	return func(_ int, r *http.Request) backendtest.Fault {
		if strings.HasSuffix(r.URL.Path, path) && times > 0 {
			times--
			return f
		}
		return backendtest.Fault{}
	}
}

const always = 1 << 30

func TestApply(t *testing.T) {
	ms := time.Millisecond
	all := []plan.Translation{translation("a/a", chainA, rule1), translation("a/b", chainB), translation("a/c", toA)}
	for name, tc := range map[string]struct {
		reason  string
		desired []plan.Translation
		fault   func(int, *http.Request) backendtest.Fault
		want    []string
		slept   []time.Duration
		err     string
	}{
		"all is well": {
			"each in turn", all, nil,
			[]string{"create Chain a: done", "create Rule 1: done", "create Chain b: done", "create Rule to-a: done"}, nil, "",
		},
		"once in trouble": {
			"others go on, and it is tried again a little later", all, on("/chains", 1, backendtest.Fault{Status: 502}),
			[]string{"create Chain a: done", "create Rule 1: done", "create Chain b: done", "create Rule to-a: done"}, []time.Duration{500 * ms}, "",
		},
		"lost after it was done": {
			"it is there already when it is tried again", all, on("/chains", 2, backendtest.Fault{Cut: true}),
			[]string{"create Chain a: done", "create Rule 1: done", "create Chain b: done", "create Rule to-a: done"}, []time.Duration{500 * ms}, "",
		},
		"for good": {
			"what is behind it waits, what needs it waits, and others go on", all, on("/a/rules", always, backendtest.Fault{Status: 422, Message: "no"}),
			[]string{"create Chain a: done", "create Rule 1: failed permanent 422 Unprocessable Entity: no", "create Chain b: done", "create Rule to-a: done"},
			nil, "3 done, 1 failed, 0 not attempted: create Rule 1: permanent: 422 Unprocessable Entity: no",
		},
		"in trouble for long": {
			"waits double, and have an end", []plan.Translation{translation("a/a", chainA, rule1)}, on("/chains", always, backendtest.Fault{Status: 500}),
			[]string{"create Chain a: failed retry 500 Internal Server Error", "create Rule 1: not-attempted, waits for create Chain a"},
			[]time.Duration{500 * ms, 1000 * ms, 2000 * ms, 4000 * ms}, "0 done, 1 failed, 1 not attempted: create Chain a: retry: 500 Internal Server Error",
		},
		"busy": {
			"no request is sent before the backend accepts one", all, on("/chains", 1, backendtest.Fault{Status: 429, After: "7"}),
			[]string{"create Chain a: done", "create Rule 1: done", "create Chain b: done", "create Rule to-a: done"}, []time.Duration{7000 * ms}, "",
		},
		"busy until": {
			"which may be given as a time", all, on("/chains", 1, backendtest.Fault{Status: 503, After: "Thu, 01 Jan 2026 00:00:09 GMT"}),
			[]string{"create Chain a: done", "create Rule 1: done", "create Chain b: done", "create Rule to-a: done"}, []time.Duration{9000 * ms}, "",
		},
		"busy for long": {
			"it may be about one alone, so others are tried after a pause; the rest is for the caller to wait", all, on("/chains", 1, backendtest.Fault{Status: 503, After: "3600"}),
			[]string{"create Chain a: failed retry 503 Service Unavailable", "create Rule 1: not-attempted, waits for create Chain a", "create Chain b: done", "create Rule to-a: not-attempted, waits for create Chain a"},
			[]time.Duration{30000 * ms}, "1 done, 1 failed, 2 not attempted: create Chain a: retry: 503 Service Unavailable",
		},
		"all busy for long": {
			"nor is any other asked twice", all, on("/chains", always, backendtest.Fault{Status: 503, After: "3600"}),
			[]string{"create Chain a: failed retry 503 Service Unavailable", "create Rule 1: not-attempted, waits for create Chain a", "create Chain b: failed retry 503 Service Unavailable", "create Rule to-a: not-attempted, waits for create Chain b"},
			[]time.Duration{30000 * ms}, "0 done, 2 failed, 2 not attempted: create Chain a: retry: 503 Service Unavailable; also create Chain b: retry",
		},
		"missing": {
			"what refers to a missing resource is tried again after the others", []plan.Translation{translation("a/a", rule1), translation("a/b", chainB)}, nil,
			[]string{`create Rule 1: failed retry a resource that it refers to is missing: 404 Not Found: "no such parent"`, "create Chain b: done"},
			[]time.Duration{500 * ms, 1000 * ms, 2000 * ms, 4000 * ms}, `1 done, 1 failed, 0 not attempted: create Rule 1: retry: a resource that it refers to is missing: 404 Not Found: "no such parent"`,
		},
		"each needs the other": {
			"a circle of Translations takes no second round", []plan.Translation{translation("a/1", chainA, toA), translation("a/2", chainB, rule1), translation("a/3", resource("Rule", "b", "id", "q", "jumpChainId", "a"))}, nil,
			[]string{"create Chain b: done", "create Chain a: done", "create Rule 1: done", "create Rule to-a: done", "create Rule q: done"}, nil, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := backendtest.New(t)
			w.Fails(tc.fault)
			clock := &fakeClock{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
			k := newKiller(w)
			seen := map[string]apply.Outcome{}
			observe := func(o apply.Outcome) { seen[o.Operation.ID] = o }
			result, err := apply.Run(t.Context(), client(t, w, w.Client().Transport), k.plan(t, tc.desired), k, apply.Options{Clock: clock, Observe: observe})
			if err != nil {
				t.Fatal(err)
			}
			checkSeen(t, seen, result)
			if diff := cmp.Diff(tc.want, told(result)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.slept, clock.slept); diff != "" {
				t.Errorf("%s: waits (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.err, message(result.Err())); diff != "" {
				t.Errorf("%s: error (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(uncertain(result), creating(content(t, k))); diff != "" {
				t.Errorf("%s: what the backend refused is not there (-want +got):\n%s", tc.reason, diff)
			}
			want := map[string]time.Duration{"busy for long": time.Hour - 30*time.Second, "all busy for long": time.Hour - 30*time.Second}[name]
			if late := want > 0; result.RetryAfter != want || result.Retryable() != (late || strings.Contains(tc.err, ": retry: ")) {
				t.Errorf("%s: retry %t after %s", tc.reason, result.Retryable(), result.RetryAfter)
			}
		})
	}
}

// checkSeen holds that who observes hears last of each operation what became of it in the end.
func checkSeen(t *testing.T, seen map[string]apply.Outcome, result *apply.Result) {
	t.Helper()
	want := map[string]apply.Outcome{}
	for _, o := range result.Outcomes {
		if o.State != apply.StateNotAttempted {
			want[o.Operation.ID] = o
		}
	}
	if diff := cmp.Diff(want, seen, cmpopts.IgnoreUnexported(httpclient.Failure{})); diff != "" {
		t.Errorf("what was observed (-want +got):\n%s", diff)
	}
}

// uncertain are the creations whose result is not known.
func uncertain(result *apply.Result) (ids []string) {
	for _, o := range result.Outcomes {
		if f := o.Failure; f != nil && f.Class == httpclient.ClassRetry && !f.Missing {
			ids = append(ids, o.Operation.ID)
		}
	}
	return ids
}

func creating(spec waybill.BackendInventorySpec) (ids []string) {
	for _, r := range spec.Resources {
		if r.State == waybill.StateCreating {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

func TestExistsAlready(t *testing.T) {
	zone, mac := resource("TunnelZone", "", "id", "z", "name", "new"), resource("MACPort", "br", "macAddr", "00:01", "portId", "p")
	port, bridge := resource("Port", "br", "id", "p", "type", "Bridge"), resource("Bridge", "", "id", "br", "name", "new")
	far := resource("Port", "r", "id", "q", "type", "Router")
	link := resource("PortLink", "p", "portId", nil, "peerId", "q")
	desired := []plan.Translation{translation("a/a", zone, bridge, port, mac, resource("Router", "", "id", "r"), far, link, chainA, rule1)}
	w := backendtest.New(t)
	old := []plan.Translation{translation("a/a", resource("TunnelZone", "", "id", "z", "name", "old"), resource("Bridge", "", "id", "br", "name", "old"), port, mac, resource("Router", "", "id", "r"), far, link, chainA, rule1)}
	newKiller(w).reach(t, w, old)
	newKiller(w).reach(t, w, desired) // with an inventory that knows of nothing
}

func TestSomethingElseInTheWay(t *testing.T) {
	w := backendtest.New(t)
	k := newKiller(w)
	w.Fails(on("/mac_table", always, backendtest.Fault{Status: 500, Message: "out of memory"}))
	desired := []plan.Translation{translation("a/a", resource("Bridge", "", "id", "br"), resource("Port", "br", "id", "p", "type", "Bridge"), resource("MACPort", "br", "macAddr", "00:01", "portId", "p"))}
	result, err, _ := k.apply(t, w, k.plan(t, desired), 0)
	if err != nil {
		t.Fatal(err)
	}
	want := "create MACPort 00-01_p: failed conflict another resource conflicts with it: 500 Internal Server Error: out of memory"
	if diff := cmp.Diff(want, told(result)[2]); diff != "" {
		t.Errorf("it says that it exists, and it does not (-want +got):\n%s", diff)
	}
	w.Fails(nil)
	k.reach(t, w, desired)
}

// TestRefusedAfterItWasCreated takes an answer for what it is: about this attempt, not the one before.
func TestRefusedAfterItWasCreated(t *testing.T) {
	w := backendtest.New(t)
	k := newKiller(w)
	faults := []backendtest.Fault{{Cut: true}, {Status: http.StatusUnprocessableEntity}}
	w.Fails(func(int, *http.Request) (f backendtest.Fault) {
		f, faults = faults[0], faults[1:]
		return f
	})
	result, err, _ := k.apply(t, w, k.plan(t, []plan.Translation{translation("a/a", chainA)}), 0)
	if things, _ := w.State(); err != nil || result.Count(apply.StateFailed) != 1 || len(things) != 1 {
		t.Fatalf("created, and then refused: %v, %v", err, told(result))
	}
	w.Fails(nil)
	k.reach(t, w, nil)
}

func TestSlowAfterItWasDone(t *testing.T) {
	w := backendtest.New(t)
	w.Fails(on("/chains", 1, backendtest.Fault{Slow: true}))
	c, err := httpclient.New(midonet(t), httpclient.Config{URL: w.URL + "/api", Username: backendtest.User, Password: backendtest.Password, Project: backendtest.Project, Timeout: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	k := newKiller(w)
	desired := []plan.Translation{translation("a/a", chainA, rule1)}
	result, err := apply.Run(t.Context(), c, k.plan(t, desired), k, apply.Options{Clock: &fakeClock{}, Rounds: 20})
	if err != nil || !result.Complete() {
		t.Fatalf("it is there when it is tried again: %v, %v", err, told(result))
	}
	checkBackend(t, w, desired)
}

func TestResultOfOneTranslation(t *testing.T) {
	w := backendtest.New(t)
	k := newKiller(w)
	result, err, _ := k.apply(t, w, k.plan(t, []plan.Translation{translation("a/a", chainA), translation("a/b", chainB, rule1)}), 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range result.Of("a/b") {
		got = append(got, o.Operation.Kind+" "+o.Operation.ID)
	}
	if diff := cmp.Diff([]string{"Chain b", "Rule 1"}, got); diff != "" {
		t.Error(diff)
	}
	if !result.Complete() || result.Calls != 3 {
		t.Errorf("%d calls", result.Calls)
	}
}

func TestResourceLostBehindOurBack(t *testing.T) {
	w := backendtest.New(t)
	k := newKiller(w)
	k.reach(t, w, []plan.Translation{translation("a/a", chainA, bridgeA, resource("Router", "", "id", "r"))})
	w.Restore(backendtest.Resources{"Chain/a": w.Resources()["Chain/a"]})
	k.reach(t, w, []plan.Translation{translation("a/a", chainA, resource("Bridge", "", "id", "br", "name", "two"))})
}

// TestWhatGoesUnseen has the backend delete, with a bridge, its port and what names the port, of which the
// plan says nothing.
func TestWhatGoesUnseen(t *testing.T) {
	w := backendtest.New(t)
	k := newKiller(w)
	port, iface := resource("Port", "br", "id", "p", "type", "Bridge"), resource("HostInterfacePort", "host-1", "portId", "p")
	k.reach(t, w, []plan.Translation{translation("a/1", resource("Bridge", "", "id", "br")), translation("a/2", port, chainB), translation("a/3", iface, chainA)})
	pl := k.plan(t, nil)
	for i, o := range pl.Spec.Operations {
		if o.Kind == "Bridge" { // as a user may edit it
			pl.Spec.Operations = []waybill.BackendOperation{pl.Spec.Operations[i]}
			break
		}
	}
	result, err, _ := k.apply(t, w, pl, 0)
	if things, _ := w.State(); err != nil || result.Count(apply.StateDone) != 1 || len(things) != 2 {
		t.Fatalf("only the bridge, and all that goes with it: %v, %v", err, told(result))
	}
	k.reach(t, w, []plan.Translation{translation("a/1", resource("Bridge", "", "id", "br")), translation("a/2", port, chainB), translation("a/3", iface, chainA)})
}

// TestDependantsFirst has each deletion wait for those of all that names the resource, whichever
// Translation they are of.
func TestDependantsFirst(t *testing.T) {
	w := backendtest.New(t)
	k := newKiller(w)
	desired := []plan.Translation{
		translation("a/1", resource("Bridge", "", "id", "br")), translation("a/2", resource("Port", "br", "id", "p", "type", "Bridge"), chainB),
		translation("a/3", resource("HostInterfacePort", "host-1", "portId", "p"), chainA),
	}
	k.reach(t, w, desired)
	w.Fails(on("/hosts/host-1/ports/p", 1, backendtest.Fault{Status: http.StatusForbidden}))
	result, err, _ := k.apply(t, w, k.plan(t, nil), 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"delete Chain a: done", "delete HostInterfacePort p: failed permanent 403 Forbidden", "delete Chain b: done",
		"delete Port p: not-attempted, waits for delete HostInterfacePort p in host-1", "delete Bridge br: not-attempted, waits for delete Port p",
	}
	if diff := cmp.Diff(want, told(result)); diff != "" {
		t.Errorf("what is still used stays (-want +got):\n%s", diff)
	}
	k.reach(t, w, nil)
}

// TestDroppedAfterItIsNamedNoMore replaces a bridge that names another chain from now on, and deletes the
// old one after that, for a backend that does not delete what is named.
func TestDroppedAfterItIsNamedNoMore(t *testing.T) {
	w := backendtest.New(t)
	w.Restrict = true
	k := newKiller(w)
	k.reach(t, w, []plan.Translation{translation("a/chains", chainA, chainB), translation("a/node", bridgeA)})
	toB := []plan.Translation{translation("a/chains", chainB), translation("a/node", resource("Bridge", "", "id", "br", "inboundFilterId", "b"))}
	w.Fails(on("/bridges/br", 1, backendtest.Fault{Status: http.StatusUnprocessableEntity}))
	result, err, _ := k.apply(t, w, k.plan(t, toB), 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"move Chain b: done", "replace Bridge br: failed permanent 422 Unprocessable Entity", "delete Chain a: not-attempted, waits for replace Bridge br"}
	if diff := cmp.Diff(want, told(result)); diff != "" {
		t.Errorf("the old one is still named (-want +got):\n%s", diff)
	}
	w.Fails(on("/bridges/br", 1, backendtest.Fault{Status: http.StatusUnprocessableEntity}))
	if result, err, _ = k.apply(t, w, k.plan(t, toB), 0); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want[1:], told(result)); diff != "" {
		t.Errorf("and the next run has not forgotten it (-want +got):\n%s", diff)
	}
	k.reach(t, w, toB)
}

// TestDeletedAtLast refuses a deletion once, after which what named the resource is replaced: it is as it
// should be then, and the deletion that succeeds later leaves it alone.
func TestDeletedAtLast(t *testing.T) {
	w := backendtest.New(t)
	k := newKiller(w)
	k.reach(t, w, []plan.Translation{translation("a/chains", chainA, chainB), translation("a/node", bridgeA)})
	toB := []plan.Translation{translation("a/chains", chainB), translation("a/node", resource("Bridge", "", "id", "br", "inboundFilterId", "b"))}
	plan := k.plan(t, toB)
	slices.Reverse(plan.Spec.Operations) // as a user may edit it, and as plans once were
	w.Fails(on("/chains/a", 1, backendtest.Fault{Status: http.StatusConflict}))
	result, err, _ := k.apply(t, w, plan, 0)
	if err != nil || !result.Complete() {
		t.Fatal(err, told(result))
	}
	if again := k.plan(t, toB).Spec.Operations; len(again) > 0 {
		t.Errorf("nothing is left to do, but: %+v", again)
	}
}

func TestStalePlan(t *testing.T) {
	w := backendtest.New(t)
	k := newKiller(w)
	pl := k.plan(t, []plan.Translation{translation("a/a", chainA)})
	k.reach(t, w, []plan.Translation{translation("a/a", chainB)})
	if _, err, _ := k.apply(t, w, pl, 0); !errors.Is(err, apply.ErrStale) {
		t.Errorf("what was planned for another inventory may delete what is desired: %v", err)
	}
	checkBackend(t, w, []plan.Translation{translation("a/a", chainB)})
}

func TestPlansThatAreRefused(t *testing.T) {
	w := backendtest.New(t)
	k := newKiller(w)
	k.reach(t, w, []plan.Translation{translation("a/a", chainA, rule1)})
	desired := []plan.Translation{translation("a/b", chainB), translation("a/a", chainA)}
	for name, tc := range map[string]struct {
		reason string
		change func(p *waybill.BackendPlanSpec)
		want   string
	}{
		"backend":      {"another backend has other resources", func(p *waybill.BackendPlanSpec) { p.Backend = "dns" }, `the plan is for backend "dns", not for "midonet"`},
		"operation":    {"", func(p *waybill.BackendPlanSpec) { p.Operations[0].Op = "drop" }, "plan: spec.operations[0]: drop Chain: no such operation"},
		"kind":         {"", func(p *waybill.BackendPlanSpec) { p.Operations[0].Kind = "Rume" }, `plan: spec.operations[0]: create Rume: kind "Rume" is not in table "midonet"`},
		"id":           {"one thing is shown, another done", func(p *waybill.BackendPlanSpec) { p.Operations[0].ID = "c" }, `plan: spec.operations[0]: create Chain: id "c" is not that of the body, "b"`},
		"body":         {"", func(p *waybill.BackendPlanSpec) { p.Operations[0].Body = "" }, "plan: spec.operations[0]: create Chain: body: unexpected EOF"},
		"owner":        {"", func(p *waybill.BackendPlanSpec) { p.Operations[0].Translation = "a" }, `plan: spec.operations[0]: create Chain: translation "a", index 0: want a namespace/name and 0 or more`},
		"replace":      {"", func(p *waybill.BackendPlanSpec) { p.Operations[0].Op = "replace" }, "plan: spec.operations[0]: replace Chain: the kind cannot be replaced"},
		"number":       {"only what was applied is deleted", func(p *waybill.BackendPlanSpec) { p.Operations[1].Number = 100 }, "plan: spec.operations[1]: delete Rule: number 100 was not in the inventory"},
		"other":        {"and nothing in its place", func(p *waybill.BackendPlanSpec) { p.Operations[1].ID = "2" }, "plan: spec.operations[1]: delete Rule: the inventory has another resource as number 2 at this point of the plan"},
		"delete twice": {"the second time there is nothing", func(p *waybill.BackendPlanSpec) { p.Operations = append(p.Operations, p.Operations[1]) }, "plan: spec.operations[2]: delete Rule: the inventory has another resource as number 2 at this point of the plan"},
		"create twice": {"nor is it there twice", func(p *waybill.BackendPlanSpec) { p.Operations = append(p.Operations, p.Operations[0]) }, "plan: spec.operations[2]: create Chain: the plan contains it twice"},
		"too early": {"what is there is deleted before it is created again", func(p *waybill.BackendPlanSpec) {
			p.Operations[0] = waybill.BackendOperation{Op: "create", Kind: "Rule", ID: "1", Parent: "a", Translation: "a/a", Reason: "new", Body: rule1.Body}
		}, "plan: spec.operations[0]: create Rule: the plan gives it number 0, but the inventory has it as number 2 at this point of the plan"},
		"moved then": {"nor is anything done about what is gone", func(p *waybill.BackendPlanSpec) {
			gone := p.Operations[1]
			gone.Op = "move"
			p.Operations = append(p.Operations, gone)
		}, "plan: spec.operations[2]: move Rule: the inventory has another resource as number 2 at this point of the plan"},
		"lost table": {"", func(p *waybill.BackendPlanSpec) { p.Operations[1].Kind = "Rume" }, `plan: spec.operations[1]: delete Rume: the kind is not in table "midonet"`},
	} {
		t.Run(name, func(t *testing.T) {
			pl := k.plan(t, desired)
			tc.change(&pl.Spec)
			_, err, _ := k.apply(t, w, pl, 0)
			if diff := cmp.Diff(tc.want, message(err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			checkBackend(t, w, []plan.Translation{translation("a/a", chainA, rule1)})
		})
	}
}

func TestStoreThatFails(t *testing.T) {
	w := backendtest.New(t)
	k := newKiller(w)
	store := &failing{Store: k.Store, after: 2}
	result, err := apply.Run(t.Context(), client(t, w, nil), k.plan(t, []plan.Translation{translation("a/a", chainA, chainB, rule1)}), store, apply.Options{Clock: &fakeClock{}})
	if err == nil || !strings.Contains(err.Error(), "save the inventory: disk full") || result.Count(apply.StateDone) != 2 {
		t.Errorf("nothing is done that could not be taken note of before: %v, %v", err, told(result))
	}
	k.reach(t, w, nil)
}

// failing is a store that fails for good after some saves.
type failing struct {
	inventory.Store
	after int
}

func (f *failing) Save(ctx context.Context, c inventory.Change) error {
	if f.after--; f.after < 0 {
		return errors.New("disk full")
	}
	return f.Store.Save(ctx, c)
}
