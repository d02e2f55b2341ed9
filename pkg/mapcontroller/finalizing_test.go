package mapcontroller_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
)

// sharedHook is one endpoint, program or expression for map, tombstone and finalize, as metacontroller's users have one for sync
// and finalize: it tells the calls apart by finalizing.
type sharedHook struct {
	recorder
	t       *testing.T
	deleted bool
	called  map[string]bool
}

func (h *sharedHook) Webhook(_ context.Context, _ *waybill.Webhook, r *mapcontroller.Request) (*mapcontroller.Response, error) {
	data, err := r.JSON()
	if err != nil {
		return nil, err
	}
	h.lock.Lock()
	defer h.lock.Unlock()
	h.called[r.Hook] = true
	field := fmt.Sprintf(`"finalizing":%t`, h.deleted)
	if r.Hook == mapcontroller.HookCustomize {
		field = `"finalizing"`
	}
	if shown := strings.Contains(string(data), field); shown == (r.Hook == mapcontroller.HookCustomize) {
		h.t.Errorf("hook %s: the request shows %s: %t", r.Hook, field, shown)
	}
	if r.Hook == mapcontroller.HookCustomize {
		return says(`{"relatedResources": []}`)(r)
	}
	return says(fmt.Sprintf(`{"outputs": [], "finalized": %t}`, h.deleted))(r)
}

func (h *sharedHook) Function(_ context.Context, _ *waybill.FunctionHook, in *fn.Input) (*fn.Output, error) {
	h.lock.Lock()
	defer h.lock.Unlock()
	finalizing := false
	if n := in.Config.Lookup("finalizing"); n != nil {
		v, err := krm.Value(n)
		finalizing = err == nil && v == true
	}
	h.called["function"] = true
	if finalizing != h.deleted {
		h.t.Errorf("the MapRequest has finalizing %t, want %t", finalizing, h.deleted)
	}
	return &fn.Output{}, nil
}

// TestFinalizingIsShown checks that a hook sees finalizing in every version. metacontroller's requests for sync and finalize have it
// in v1 and in v2, and its answers to both may have finalized; its requests for customize have neither.
func TestFinalizingIsShown(t *testing.T) {
	const expression = `finalizing ? {'outputs': [], 'finalized': true} : {'outputs': [], 'finalized': false}`
	kinds := map[string]string{
		"webhook": `webhook: {url: "http://a"}`, "function": `function: {name: a}`, "cel": `cel: {expression: "` + expression + `"}`,
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		for _, version := range []string{waybill.HookV1, waybill.HookV2} {
			for _, deleted := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/deleted=%t", kind, version, deleted), func(t *testing.T) {
					h := &sharedHook{t: t, deleted: deleted, called: map[string]bool{}}
					checkShared(t, h, kind, fmt.Sprintf("{version: %s, %s}", version, kinds[kind]), version)
				})
			}
		}
	}
}

// checkShared has a parent with two groups of outputs, whose hooks are all one.
func checkShared(t *testing.T, h *sharedHook, kind, hook, version string) {
	t.Helper()
	finalizer, deletion := "", ""
	want := map[string][]string{"webhook": {"customize", "map", "tombstone"}, "function": {"function"}}[kind]
	if h.deleted {
		finalizer, deletion = "waybill.dev/c", `, deletionTimestamp: "2026-01-01T00:00:00Z"`
		want = map[string][]string{"webhook": {"customize", "finalize"}, "function": {"function"}}[kind]
	}
	customize := ""
	if kind == "webhook" {
		customize = fmt.Sprintf(`, customize: {version: %s, webhook: {url: "http://a"}}`, version)
	}
	p := pass(t, fmt.Sprintf(`{apiVersion: waybill.dev/v1alpha1, kind: MapController, metadata: {name: c}, spec: {view: Complete,
		parentResource: {apiVersion: example.org/v1, kind: Policy}, inputResources: [{apiVersion: v1, resource: services}],
		outputResources: [{apiVersion: v1, resource: pods}],
		hooks: {map: %[1]s, tombstone: %[1]s, finalize: %[1]s%[2]s}}}`, hook, customize),
		read(t, fmt.Sprintf(finalizing, "yes", finalizer, deletion)), h)
	if got := slices.Sorted(maps.Keys(h.called)); !slices.Equal(got, want) {
		t.Errorf("called %q, want %q", got, want)
	}
	if got := p.Parents[0].Finalized; got != h.deleted {
		t.Errorf("finalized is %t, want %t", got, h.deleted)
	}
	for _, m := range messages(p) {
		if strings.HasPrefix(m, "[error]") {
			t.Error(m)
		}
	}
}
