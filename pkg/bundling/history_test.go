package bundling

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/bundling/previous"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestStickyHistories applies random changes to packages with assignment: sticky and overflow: move: objects come, go
// and change their size, clusters join and leave, limits change, and a user edits works by hand.
func TestStickyHistories(t *testing.T) {
	testenv.Checks(t, 200)
	rapid.Check(t, func(r *rapid.T) {
		h := &history{t: t, limit: 400, most: 3, objects: map[string]int{}, clusters: map[string]bool{"edge0": true}}
		for range rapid.IntRange(2, 10).Draw(r, "steps") {
			h.before = h.holdings()
			step := rapid.SampledFrom(slices.Sorted(maps.Keys(steps))).Draw(r, "step")
			h.trusted, h.changes = true, math.MaxInt
			steps[step](r, h)
			h.render(r, step)
		}
	})
}

// history is a package in the course of time.
type history struct {
	t           *testing.T
	limit, most int            // maxSize and maxObjects
	objects     map[string]int // how long the text of each is
	clusters    map[string]bool
	works       []*krm.Object

	before   map[string]map[string][]string // what each work held at the last render
	restored []*krm.Object                  // works before a user edited them
	renamed  bool                           // a user gave one of them another name or namespace

	trusted bool // no user has edited works since
	changes int  // how many works of one cluster may change now
}

// render runs the function on the package as it is now and compares the works with every promise.
func (h *history) render(r *rapid.T, step string) {
	out := applyChecked(h.t, h.input())
	says := func(text string) bool { return out.Failed() && strings.Contains(out.Results.Error(), text) }
	if h.renamed && says("it was renamed since") || !h.trusted && says("not all of them have an apiVersion, a kind and a name now") {
		h.works, h.renamed = h.restored, false
		return
	}
	if out.Failed() {
		r.Fatalf("%s: %v", step, out.Results)
	}
	h.renamed = false
	old := h.works
	h.works = ocmcheck.Works(out.Items)
	now := h.holdings()
	h.complete(r, now)
	if h.trusted {
		h.stayed(r, step, now)
		h.fewChanges(r, step, old)
	}
	again := applyChecked(h.t, h.input())
	if !slices.Equal(h.works, ocmcheck.Works(again.Items)) {
		r.Fatalf("%s: a second run changes works", step)
	}
}

// complete: every cluster gets every object once, in works that hold something and keep the limits.
func (h *history) complete(r *rapid.T, now map[string]map[string][]string) {
	want, got := map[string][]string{}, map[string][]string{}
	for cluster := range h.clusters {
		if names := slices.Sorted(maps.Keys(h.objects)); len(names) > 0 {
			want[cluster] = names
		}
	}
	for cluster, works := range now {
		for work, names := range works {
			if len(names) == 0 || !h.fit(names) {
				r.Fatalf("work %s of %s holds %v", work, cluster, names)
			}
			got[cluster] = append(got[cluster], names...)
		}
		slices.Sort(got[cluster])
	}
	if d := cmp.Diff(want, got); d != "" {
		r.Fatalf("objects by cluster (-want +got):\n%s", d)
	}
}

// stayed: an object leaves its work only where those before it that stayed leave no room for it.
func (h *history) stayed(r *rapid.T, step string, now map[string]map[string][]string) {
	for cluster, works := range h.before {
		if !h.clusters[cluster] {
			continue
		}
		for work, names := range works {
			var kept []string
			for _, name := range slices.Sorted(slices.Values(names)) { // the Binding's order
				_, bound := h.objects[name]
				switch stays := slices.Contains(now[cluster][work], name); {
				case stays:
					kept = append(kept, name)
				case bound && h.fit(append(slices.Clone(kept), name)):
					r.Fatalf("%s: %s left work %s of %s, which has room for it beside %v", step, name, work, cluster, kept)
				}
			}
		}
	}
}

// fewChanges: one object more or less changes one work of each cluster, not counting those that hand it over.
func (h *history) fewChanges(r *rapid.T, step string, old []*krm.Object) {
	before := map[krm.ID]*krm.Object{}
	for _, w := range old {
		before[w.ID()] = w
	}
	changed := map[string]int{}
	for _, w := range h.works {
		if was := before[w.ID()]; was != w && !w.HasAnnotation(fn.HandOver) && (was == nil || !was.HasAnnotation(fn.HandOver)) {
			changed[w.Namespace()]++
		}
		delete(before, w.ID())
	}
	for id, was := range before {
		if !was.HasAnnotation(fn.HandOver) {
			changed[id.Namespace]++
		}
	}
	for cluster, n := range changed {
		if n > h.changes {
			r.Fatalf("%s: %d works of %s change, want %d at most", step, n, cluster, h.changes)
		}
	}
}

// fit adds up what those objects take as JSON with a newline, in the way that is easy to check.
func (h *history) fit(names []string) bool {
	size := 0
	for _, name := range names {
		size += len(fmt.Sprintf(`{"apiVersion":"v1","data":{"k":%q},"kind":"ConfigMap","metadata":{"name":%q,"namespace":"shop"}}`+"\n", h.text(name), name))
	}
	return len(names) <= h.most && (len(names) == 1 || size < h.limit)
}

func (h *history) text(name string) string { return strings.Repeat("v", h.objects[name]) }

// holdings is what each work of each cluster holds.
func (h *history) holdings() map[string]map[string][]string {
	out := map[string]map[string][]string{}
	for _, w := range h.works {
		if out[w.Namespace()] == nil {
			out[w.Namespace()] = map[string][]string{}
		}
		held, _ := previous.Objects(w)
		for _, o := range held {
			if !o.HandedOver {
				out[w.Namespace()][w.Name()] = append(out[w.Namespace()][w.Name()], o.ID.Name)
			}
		}
	}
	return out
}

func (h *history) input() *fn.Input {
	var b bytes.Buffer
	fmt.Fprint(&b, "apiVersion: control.kubestellar.io/v1alpha1\nkind: Binding\nmetadata: {name: shop, annotations: {waybill.dev/generated-by: bind-resolve}}\nspec:\n  workload:\n    namespaceScope:\n")
	for _, name := range slices.Sorted(maps.Keys(h.objects)) {
		fmt.Fprintf(&b, "    - {group: '', version: v1, resource: configmaps, namespace: shop, name: %s, resourceVersion: ''}\n", name)
	}
	fmt.Fprint(&b, "  destinations:\n")
	for _, name := range slices.Sorted(maps.Keys(h.clusters)) {
		fmt.Fprintf(&b, "  - clusterId: %s\n", name)
	}
	for _, name := range slices.Sorted(maps.Keys(h.objects)) {
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: shop, name: %s}\ndata: {k: '%s'}\n", name, h.text(name))
	}
	for _, name := range slices.Sorted(maps.Keys(h.clusters)) {
		fmt.Fprintf(&b, "---\napiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata: {name: %s}\n", name)
	}
	items := fntest.Parse(h.t, "in.yaml", b.Bytes())
	for i, o := range items {
		o.SetPath("in.yaml", i)
	}
	config := manifest.Map("apiVersion", "v1", "kind", "ConfigMap", "metadata", manifest.Map("name", "config"), "data",
		manifest.Map("assignment", "sticky", "overflow", "move", "fill", "100", "maxSize", strconv.Itoa(h.limit), "maxObjects", strconv.Itoa(h.most)))
	return &fn.Input{Items: append(items, h.works...), Config: krm.FromNode(config)}
}
