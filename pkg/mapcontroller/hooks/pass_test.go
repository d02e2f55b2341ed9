package hooks_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
	"github.com/waybill-dev/waybill/pkg/mapcontroller/hooks"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// parentWithInputs is a parent with many inputs.
func parentWithInputs(t testing.TB, inputs int) []*krm.Object {
	t.Helper()
	var text strings.Builder
	text.WriteString("{apiVersion: example.org/v1, kind: Policy, metadata: {name: p, namespace: prod}, spec: {n: 9007199254740993}}\n")
	for i := range inputs {
		fmt.Fprintf(&text, "---\n{apiVersion: v1, kind: Service, metadata: {name: s%d, namespace: prod}}\n", i)
	}
	items, err := krm.Read("in.yaml", []byte(text.String()), krm.Limits{})
	check(t, err)
	return items
}

// pass makes one pass with real hooks.
func pass(t testing.TB, items []*krm.Object, settings string, o hooks.Options) *mapcontroller.Result {
	t.Helper()
	object, spec := config(t, settings, "")
	o.Proxy = direct
	h, err := hooks.New(t.Context(), spec, o)
	check(t, err)
	t.Cleanup(h.Close)
	types, errs := workload.TypesOf(items)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	c, err := mapcontroller.New(object, types, h)
	check(t, err)
	p, err := c.Run(t.Context(), mapcontroller.Snapshot{Items: items, Parallel: 8})
	check(t, err)
	return p
}

// TestPass has a server that makes a ConfigMap for every Service, several at a time.
func TestPass(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Parent struct{ Spec struct{ N json.Number } }
			Input  struct{ Metadata struct{ Name string } }
		}
		body, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(body, &in); err != nil {
			t.Error(err)
		}
		fmt.Fprintf(w, `{"outputs":[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":%q},"data":{"n":"%s"}}]}`, in.Input.Metadata.Name, in.Parent.Spec.N)
	})
	p := pass(t, parentWithInputs(t, 40), "map: {webhook: {url: '"+s.URL+"'}}", hooks.Options{})
	if p.Failed() || len(p.Plan.Operations) != 40 {
		t.Fatalf("%d operations, %v", len(p.Plan.Operations), p.Results)
	}
	for _, o := range p.Plan.Items[41:] {
		if text, _ := krm.WriteRaw(o); !strings.Contains(string(text), "9007199254740993") {
			t.Fatalf("a number changed:\n%s", text)
		}
	}
}

func TestPassDelayed(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "30")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	p := pass(t, parentWithInputs(t, 2), "map: {webhook: {url: '"+s.URL+"'}}", hooks.Options{})
	if p.Failed() || len(p.Plan.Operations) != 0 || p.Parents[0].RequeueAfter != 30*time.Second {
		t.Errorf("nothing changes, and the parent is reconciled again in 30s: %+v, %v", p.Parents[0], p.Results)
	}
}

// TestModes has answers that are valid in one mode only.
func TestModes(t *testing.T) {
	const unknown, twice = `{"outputs":[],"more":1}`, `{"outputs":[1],"outputs":[]}`
	for name, tc := range map[string]struct{ reason, version, mode, body, want string }{
		"v1 unknown": {"loose is v1's", "v1", "", unknown, ""},
		"v2 unknown": {"strict is v2's", "v2", "", unknown, `the answer has an unknown field "more"`},
		"v1 strict":  {"as it is asked for", "v1", "strict", unknown, `the answer has an unknown field "more"`},
		"v2 loose":   {"as it is asked for", "v2", "loose", unknown, ""},
		"v1 twice":   {"the last one counts", "v1", "", twice, ""},
		"v2 twice":   {"which one is meant", "v2", "", twice, `the response cannot be read: it has the field "outputs" twice`},
		"case":       {"case matters", "v2", "", `{"Outputs":[]}`, `the answer has an unknown field "Outputs"`},
		"no JSON":    {"in no mode", "v1", "", `<html>hunter2`, "the response cannot be read: invalid character '<' looking for beginning of value"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, tc.body) })
			mode := ""
			if tc.mode != "" {
				mode = ", responseUnMarshallMode: " + tc.mode
			}
			p := pass(t, parentWithInputs(t, 1), "map: {version: "+tc.version+", webhook: {url: '"+s.URL+"'"+mode+"}}", hooks.Options{})
			got := ""
			for _, r := range p.Results {
				got += fn.FormatResult(r)
			}
			if p.Failed() != (tc.want != "") || !strings.Contains(got, tc.want) || strings.Contains(got, "hunter2") {
				t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
			}
		})
	}
}

// TestManyAtOnce sends concurrent requests to one webhook with a cache: each gets its own answer.
func TestManyAtOnce(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var in struct{ MapKey string }
		_ = json.Unmarshal(body, &in)
		if r.Header.Get("If-None-Match") == in.MapKey {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("ETag", in.MapKey)
		fmt.Fprintf(w, "%q", in.MapKey)
	})
	h, hook, err := webhook(t, "url: '"+s.URL+"', etag: {enabled: true}", "", hooks.Options{})
	check(t, err)
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			key := fmt.Sprint("k", i%10)
			if got := describe(h.Webhook(t.Context(), hook, request(key))); got != `"`+key+`"` {
				t.Errorf("%s: %s", key, got)
			}
		})
	}
	all.Wait()
}

func TestOtherHooksAreRefused(t *testing.T) {
	h, hook, err := webhook(t, "url: 'http://a'", "", hooks.Options{})
	check(t, err)
	for name, settings := range map[string]string{"same": "map: {webhook: {url: 'http://a'}}", "other": "map: {webhook: {url: 'http://b'}}", "function": "map: {function: {name: a}}"} {
		_, spec := config(t, settings, "")
		got := "<nil>"
		if err := h.Check(spec.Hooks.Map); err != nil {
			got = err.Error()
		}
		want := map[bool]string{true: "<nil>", false: "the hook is not one of those that were prepared"}[name == "same"]
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	r := request("a")
	r.Hook = mapcontroller.HookTombstone
	if got := describe(h.Webhook(t.Context(), hook, r)); got != "error: the hook is not one of those that were prepared" {
		t.Errorf("there is no such hook: %s", got)
	}
}
