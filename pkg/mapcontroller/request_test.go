package mapcontroller_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
	"github.com/waybill-dev/waybill/pkg/workload"
)

func read(t testing.TB, text string) []*krm.Object {
	t.Helper()
	objects, err := krm.Read("in.yaml", []byte(text), krm.Limits{Documents: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// recorder are hooks that record their requests, and answer as the test wants.
type recorder struct {
	lock     sync.Mutex
	requests []*mapcontroller.Request
	answer   func(r *mapcontroller.Request) (*mapcontroller.Response, error)
}

func (a *recorder) Check(*waybill.MapHook) error { return nil }

func (a *recorder) Function(context.Context, *waybill.FunctionHook, *fn.Input) (*fn.Output, error) {
	return nil, errors.New("no functions here")
}

func (a *recorder) Webhook(_ context.Context, _ *waybill.Webhook, r *mapcontroller.Request) (*mapcontroller.Response, error) {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.requests = append(a.requests, r)
	return a.answer(r)
}

func says(body string) func(*mapcontroller.Request) (*mapcontroller.Response, error) {
	return func(*mapcontroller.Request) (*mapcontroller.Response, error) {
		return &mapcontroller.Response{Body: []byte(body)}, nil
	}
}

// pass runs a controller on items.
func pass(t testing.TB, config string, items []*krm.Object, hooks mapcontroller.Hooks) *mapcontroller.Result {
	t.Helper()
	types, errs := workload.TypesOf(items)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	c, err := mapcontroller.New(read(t, config)[0], types, hooks)
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Run(t.Context(), mapcontroller.Snapshot{Items: items, Parallel: 4})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func messages(p *mapcontroller.Result) (all []string) {
	for _, r := range p.Results {
		all = append(all, fn.FormatResult(r))
	}
	return all
}

// everywhere are outputs of one input in several namespaces.
const everywhere = `
apiVersion: example.org/v1
kind: Policy
metadata: {name: p%s}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: prod, annotations: {internal.config.kubernetes.io/path: a.yaml}}
spec: {port: 9007199254740993}
---
apiVersion: v1
kind: Pod
metadata: {name: a, namespace: prod, annotations: {waybill.dev/controller: c, waybill.dev/edge: out, waybill.dev/input: /Service/prod/web, waybill.dev/owner: %s}}
---
apiVersion: v1
kind: Pod
metadata: {name: b, namespace: other, annotations: {waybill.dev/controller: c, waybill.dev/edge: out, waybill.dev/input: /Service/prod/web, waybill.dev/owner: %s}}
---
apiVersion: v1
kind: Node
metadata: {name: n1, annotations: {waybill.dev/controller: c, waybill.dev/edge: out, waybill.dev/input: /Service/prod/web, waybill.dev/owner: %s}}
`

// TestAssociations has objects with and without namespaces, for every kind of parent and version of hooks.
func TestAssociations(t *testing.T) {
	cases := map[string]struct {
		reason, namespace, version string
		want                       map[string][]string
	}{
		"NamespacedV1": {"names alone, and only objects of the same namespace", ", namespace: prod", "v1", map[string][]string{"Pod.v1": {"a"}, "Node.v1": {}, "StatefulSet.apps/v1": {}}},
		"NamespacedV2": {"whole names, and everything", ", namespace: prod", "v2", map[string][]string{"Pod.v1": {"other/b", "prod/a"}, "Node.v1": {"n1"}, "StatefulSet.apps/v1": {}}},
		"ClusteredV1":  {"a parent without a namespace sees whole names", "", "v1", map[string][]string{"Pod.v1": {"other/b", "prod/a"}, "Node.v1": {"n1"}, "StatefulSet.apps/v1": {}}},
		"ClusteredV2":  {"likewise", "", "v2", map[string][]string{"Pod.v1": {"other/b", "prod/a"}, "Node.v1": {"n1"}, "StatefulSet.apps/v1": {}}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			owner := "example.org/Policy//p"
			if tc.namespace != "" {
				owner = "example.org/Policy/prod/p"
			}
			hooks := &recorder{answer: says(`{"outputs": []}`)}
			pass(t, fmt.Sprintf(`{apiVersion: waybill.dev/v1alpha1, kind: MapController, metadata: {name: c}, spec: {
				parentResource: {apiVersion: example.org/v1, kind: Policy}, inputResources: [{apiVersion: v1, resource: services}],
				outputResources: [{apiVersion: v1, resource: pods}, {apiVersion: v1, resource: nodes}, {apiVersion: apps/v1, resource: statefulsets}],
				hooks: {map: {version: %s, webhook: {url: "http://a"}}}}}`, tc.version), read(t, fmt.Sprintf(everywhere, tc.namespace, owner, owner, owner)), hooks)
			if len(hooks.requests) != 1 {
				t.Fatalf("%d requests", len(hooks.requests))
			}
			got := map[string][]string{}
			for kind, objects := range hooks.requests[0].Outputs {
				got[kind] = []string{}
				for name := range objects {
					got[kind] = append(got[kind], name)
				}
				slices.Sort(got[kind])
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			checkBody(t, hooks.requests[0])
		})
	}
}

// checkBody checks that a request has exactly its fields, and exact whole numbers.
func checkBody(t *testing.T, r *mapcontroller.Request) {
	t.Helper()
	data, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var body map[string]json.RawMessage
	if err := json.Unmarshal(data, &body); err != nil {
		t.Fatal(err)
	}
	var got []string
	for name := range body {
		got = append(got, name)
	}
	slices.Sort(got)
	want := []string{"controller", "finalizing", "input", "mapKey", "outputs", "parent"} // in every version, as metacontroller has it
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	const input = `{"apiVersion":"v1","kind":"Service","metadata":{"name":"web","namespace":"prod"},"spec":{"port":9007199254740993}}`
	if diff := cmp.Diff(input, string(body["input"])); diff != "" {
		t.Errorf("the input, as canonical JSON and without an orchestrator's annotations (-want +got):\n%s", diff)
	}
}

// finalizing are parents that are being deleted, or not selected any more, with two inputs and outputs of a third.
const finalizing = `
apiVersion: example.org/v1
kind: Policy
metadata: {name: p, namespace: prod, labels: {on: "%s"}, finalizers: [%s]%s}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: prod}
---
apiVersion: v1
kind: Pod
metadata: {name: a, namespace: prod, labels: {waybill.dev/map-key: m1-694470d29aaefbee9e3154dee2a7028e2350a87c}, annotations: {waybill.dev/controller: c, waybill.dev/edge: out, waybill.dev/input: /Service/prod/web, waybill.dev/owner: example.org/Policy/prod/p}}
---
apiVersion: v1
kind: Pod
metadata: {name: b, namespace: prod, labels: {waybill.dev/map-key: m1-ff50d1d2f87abe05c91090bc751c5391030cdd22}, annotations: {waybill.dev/controller: c, waybill.dev/edge: out, waybill.dev/input: /Service/prod/old, waybill.dev/owner: example.org/Policy/prod/p}}
`

// TestFinalize checks the result for a parent that is being deleted, by its finalizers and the answer of the hook.
func TestFinalize(t *testing.T) {
	const deleted, ours = `, deletionTimestamp: "2026-01-01T00:00:00Z"`, "waybill.dev/c"
	cases := map[string]struct {
		reason, on, finalizers, deleted, body string
		want                                  []string
	}{
		"Done":         {"the hook is called for each group, and all are done", "yes", ours, deleted, `{"outputs": [], "finalized": true}`, []string{"finalize", "finalize", "finalized", "items 2"}},
		"Waits":        {"some group is not done", "yes", ours, deleted, `{"outputs": null, "finalized": false}`, []string{"finalize", "finalize", "finalizing", "items 2"}},
		"Unselected":   {"a parent that is not selected is finalized, too", "no", ours, "", `{"outputs": [], "finalized": true}`, []string{"finalize", "finalize", "finalized", "items 3"}},
		"NoParent":     {"a misspelt label has the same effect", "no", ours, "", "", []string{"held", "items 4"}},
		"NotOurs":      {"it was finalized before", "yes", "other", deleted, "", []string{"held", "items 4"}},
		"Collected":    {"the garbage collector handles the dependents", "yes", ours + ", orphan", deleted, "", []string{"held", "items 4"}},
		"Alive":        {"as usual", "yes", ours, "", `{"outputs": []}`, []string{"map", "tombstone", "items 2"}},
		"Fails":        {"what fails is not done", "yes", ours, deleted, "{", []string{"finalize", "finalize", "finalizing", "items 4"}},
		"NoOutputs":    {"nothing is not an empty list", "yes", ours, deleted, `{"finalized": true}`, []string{"finalize", "finalize", "finalizing", "items 4"}},
		"NotABoolean":  {"nor is a text true", "yes", ours, deleted, `{"outputs": [], "finalized": "true"}`, []string{"finalize", "finalize", "finalizing", "items 4"}},
		"NeverStarted": {"not selected, and never ours", "no", "", "", "", []string{"items 4"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			hooks, items := &recorder{answer: says(tc.body)}, fmt.Sprintf(finalizing, tc.on, tc.finalizers, tc.deleted)
			if name == "Unselected" {
				items += "---\napiVersion: example.org/v1\nkind: Policy\nmetadata: {name: other, namespace: idle, labels: {on: \"yes\"}}\n"
			}
			p := pass(t, `{apiVersion: waybill.dev/v1alpha1, kind: MapController, metadata: {name: c}, spec: {view: Complete,
				parentResource: {apiVersion: example.org/v1, kind: Policy, labelSelector: {matchLabels: {on: "yes"}}},
				inputResources: [{apiVersion: v1, resource: services}], outputResources: [{apiVersion: v1, resource: pods}],
				hooks: {map: {webhook: {url: "http://a"}}, tombstone: {webhook: {url: "http://a"}}, finalize: {webhook: {url: "http://a"}}}}}`,
				read(t, items), hooks)
			var got []string
			for _, r := range hooks.requests {
				got = append(got, r.Hook)
			}
			slices.Sort(got)
			for _, parent := range p.Parents {
				switch {
				case parent.Held:
					got = append(got, "held")
				case parent.Finalized:
					got = append(got, "finalized")
				case parent.Finalizing:
					got = append(got, "finalizing")
				}
			}
			got = append(got, fmt.Sprintf("items %d", len(p.Plan.Items)))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s\n%v", tc.reason, diff, messages(p))
			}
		})
	}
}

// TestRequeue checks when a parent is to be reconciled again.
func TestRequeue(t *testing.T) {
	wait := func(d time.Duration) func(*mapcontroller.Request) (*mapcontroller.Response, error) {
		return func(*mapcontroller.Request) (*mapcontroller.Response, error) {
			return &mapcontroller.Response{RetryAfter: &d}, nil
		}
	}
	cases := map[string]struct {
		reason, version string
		answer          func(*mapcontroller.Request) (*mapcontroller.Response, error)
		want            time.Duration
		results         []string
	}{
		"Resync":     {"in seconds and parts of them", "v2", says(`{"outputs": [], "resyncAfterSeconds": 1.5}`), 1500 * time.Millisecond, nil},
		"Never":      {"a negative time is none", "v2", says(`{"outputs": [], "resyncAfterSeconds": -1}`), 0, nil},
		"Long":       {"the longest duration", "v2", says(`{"outputs": [], "resyncAfterSeconds": 1e300}`), 1<<63 - 1, nil},
		"Null":       {"null is none", "v2", says(`{"outputs": [], "resyncAfterSeconds": null}`), 0, nil},
		"NoNumber":   {"a text is no number", "v2", says(`{"outputs": [], "resyncAfterSeconds": "1"}`), 0, []string{"[error] Service prod/web map(/Service/prod/web): hook map: resyncAfterSeconds is not a number (owner example.org/Policy/prod/p)"}},
		"V1":         {"v1 has no such field", "v1", says(`{"outputs": [], "resyncAfterSeconds": 1.5}`), 0, nil},
		"RetryAfter": {"nothing fails and nothing changes", "v1", wait(7 * time.Second), 7 * time.Second, []string{"[warning] Service prod/web map(/Service/prod/web): hook map asks for some time (owner example.org/Policy/prod/p)"}},
		"RetryNow":   {"a time of 0 is the shortest time", "v1", wait(0), 1, []string{"[warning] Service prod/web map(/Service/prod/web): hook map asks for some time (owner example.org/Policy/prod/p)"}},
		"Error":      {"the caller retries after an error", "v1", func(*mapcontroller.Request) (*mapcontroller.Response, error) { return nil, errors.New("status 500") }, 0, []string{"[error] Service prod/web map(/Service/prod/web): hook map: status 500 (owner example.org/Policy/prod/p)"}},
		"Nothing":    {"a caller returns nothing", "v1", func(*mapcontroller.Request) (*mapcontroller.Response, error) { return nil, nil }, 0, []string{"[error] Service prod/web map(/Service/prod/web): hook map: it returned no response (owner example.org/Policy/prod/p)"}},
		"Panic":      {"or panics", "v1", func(*mapcontroller.Request) (*mapcontroller.Response, error) { panic("oops") }, 0, []string{"[error] Service prod/web map(/Service/prod/web): the projection panicked on this input: oops; please report it (owner example.org/Policy/prod/p)"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p := pass(t, fmt.Sprintf(`{apiVersion: waybill.dev/v1alpha1, kind: MapController, metadata: {name: c}, spec: {
				parentResource: {apiVersion: example.org/v1, kind: Policy}, inputResources: [{apiVersion: v1, resource: services}],
				outputResources: [{apiVersion: v1, resource: pods}], hooks: {map: {version: %s, webhook: {url: "http://a", responseUnMarshallMode: loose}}}}}`, tc.version),
				read(t, fmt.Sprintf(finalizing, "yes", "", ""))[:2], &recorder{answer: tc.answer})
			if diff := cmp.Diff(tc.want, p.Parents[0].RequeueAfter); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.results, messages(p)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
