package bundling

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// deletionHistory is a package for one cluster whose propagation policies change.
type deletionHistory struct {
	objects  map[string]deletionObject // by name
	bindings map[string]string         // the annotations of Bindings
	base     string                    // option propagationPolicy
	finish   bool
	works    []*krm.Object
}

// deletionObject is one that a Binding selects; "" for none. annotated is its own policy.
type deletionObject struct{ at, annotated string }

var deletionNames = []string{"claim0", "claim1", "map0", "map1"}

// TestDeletionHistories applies random changes to packages, renders them, and has a model of OCM's agent apply every render, its
// works in a random order. Half of the histories begin with works of an earlier release, which said nothing about deletion.
func TestDeletionHistories(t *testing.T) {
	stayed, went := 0, 0
	testenv.Checks(t, 1000)
	rapid.Check(t, func(r *rapid.T) {
		h := deletionHistory{objects: map[string]deletionObject{}, bindings: map[string]string{}, base: workload.SelectivelyOrphan}
		cluster, early := newAgentModel(), rapid.Bool().Draw(r, "earlier release")
		for range rapid.IntRange(2, 8).Draw(r, "steps") {
			next, ok := h.step(r).render(t, r)
			if !ok {
				continue
			}
			begins := early && h.works == nil
			if begins {
				next.works = withoutDeleteOptions(t, next.works)
			}
			before := maps.Clone(cluster.uids)
			cluster.apply(t, r, next.works)
			for _, name := range deletionNames {
				was, is, uid, now := h.objects[name], next.objects[name], before[name], cluster.uids[name]
				then, today := h.policy(name, was.at), next.policy(name, was.at)
				switch {
				case uid != 0 && is.at != "" && uid != now:
					r.Fatalf("%s is there and is sent, and was deleted and created again", name)
				case was.at == "" || is.at != "":
				case uid == now && (then == workload.Orphan || today == workload.Orphan):
					stayed++
				case then == workload.Orphan && !early, then == workload.Orphan && today == workload.Orphan:
					r.Fatalf("%s is to stay, and is gone", name)
				case now != 0 && then == workload.Foreground && today == workload.Foreground:
					r.Fatalf("%s is to go, and is there", name)
				default:
					went++
				}
			}
			h, early = next, begins
		}
	})
	if !testenv.Short() && (stayed == 0 || went == 0) {
		t.Errorf("%d objects stayed, %d went: too few to show anything", stayed, went)
	}
}

// policy is that of an object which a Binding selects, or selected as long as it was there.
func (h deletionHistory) policy(name, binding string) string {
	of := ""
	for _, o := range h.objects {
		if o.at == binding {
			of = h.bindings[binding]
		}
	}
	kinds := workload.Foreground
	if strings.HasPrefix(name, "claim") {
		kinds = workload.Orphan
	}
	policy := cmp.Or(h.objects[name].annotated, of, h.base)
	if policy == workload.SelectivelyOrphan {
		return kinds
	}
	return policy
}

// step is h with some changes.
func (h deletionHistory) step(r *rapid.T) deletionHistory {
	h.objects, h.bindings = maps.Clone(h.objects), maps.Clone(h.bindings)
	for range rapid.IntRange(1, 3).Draw(r, "changes") {
		h.objects[rapid.SampledFrom(deletionNames).Draw(r, "object")] = deletionObject{
			at:        rapid.SampledFrom([]string{"p0", "p1", "", ""}).Draw(r, "at"),
			annotated: rapid.SampledFrom([]string{"", "", "", workload.Foreground, workload.Orphan}).Draw(r, "annotated"),
		}
	}
	if rapid.IntRange(0, 2).Draw(r, "policies") == 0 {
		h.base = rapid.SampledFrom(workload.PropagationPolicies).Draw(r, "base")
		h.bindings["p1"] = rapid.SampledFrom(append([]string{""}, workload.PropagationPolicies...)).Draw(r, "policy")
	}
	h.finish = rapid.Bool().Draw(r, "finish")
	return h
}

// render runs the function, which may refuse what takes two steps. A second run changes nothing.
func (h deletionHistory) render(t *testing.T, r *rapid.T) (deletionHistory, bool) {
	items, err := krm.Read("in.yaml", []byte(h.text()), krm.Limits{})
	if err != nil {
		r.Fatal(err)
	}
	for i, o := range items {
		o.SetPath("in.yaml", i)
	}
	handOver := map[bool]string{true: "finish", false: "keep"}[h.finish]
	config := krm.FromNode(manifest.Map("apiVersion", "v1", "kind", "ConfigMap", "metadata", manifest.Map("name", "config"), "data",
		manifest.Map("propagationPolicy", h.base, "handOver", handOver, "allowEmptySelection", "true")))
	out := ocmcheck.Watch(t, Function).Apply(context.Background(), &fn.Input{Items: append(slices.Clone(h.works), items...), Config: config})
	if out.Failed() {
		if text := out.Results.Error(); !strings.Contains(text, "in two steps") {
			r.Fatal(text)
		}
		return h, false
	}
	h.works = ocmcheck.Works(out.Items)
	again := Function.Apply(context.Background(), &fn.Input{Items: append(slices.Clone(h.works), items...), Config: config})
	if again.Failed() || !slices.Equal(h.works, ocmcheck.Works(again.Items)) {
		r.Fatalf("a second render changes works")
	}
	return h, true
}

func (h deletionHistory) text() string {
	var b strings.Builder
	entries := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(h.objects)) {
		o, kind := h.objects[name], kindOf(name)
		note := ""
		if o.annotated != "" {
			note = ", annotations: {" + workload.PropagationPolicyAnnotation + ": " + o.annotated + "}"
		}
		fmt.Fprintf(&b, "{apiVersion: v1, kind: %s, metadata: {namespace: shop, name: %s%s}, spec: {k: v}}\n---\n", kind, name, note)
		if o.at != "" {
			entries[o.at] += fmt.Sprintf("    - {group: '', version: v1, resource: %ss, namespace: shop, name: %s, resourceVersion: ''}\n", strings.ToLower(kind), name)
		}
	}
	for _, binding := range slices.Sorted(maps.Keys(entries)) {
		note := "waybill.dev/generated-by: bind-resolve"
		if policy := h.bindings[binding]; policy != "" {
			note += ", " + workload.PropagationPolicyAnnotation + ": " + policy
		}
		fmt.Fprintf(&b, "apiVersion: control.kubestellar.io/v1alpha1\nkind: Binding\nmetadata: {name: %s, annotations: {%s}}\nspec:\n"+
			"  destinations: [{clusterId: edge}]\n  workload:\n    namespaceScope:\n%s---\n", binding, note, entries[binding])
	}
	return b.String() + "{apiVersion: fn.waybill.dev/v1alpha1, kind: Inventory, metadata: {name: fleet}, spec: {clusters: [{name: edge}]}}\n"
}

func kindOf(name string) string {
	if strings.HasPrefix(name, "claim") {
		return "PersistentVolumeClaim"
	}
	return "ConfigMap"
}

func withoutDeleteOptions(t *testing.T, works []*krm.Object) (out []*krm.Object) {
	for _, o := range works {
		text, err := krm.Write([]*krm.Object{o})
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(string(text), "\n  deleteOption:") // the last field
		read, err := krm.Read(o.File(), []byte(head+"\n"), krm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		read[0].SetPath(o.File(), 0)
		out = append(out, read...)
	}
	return out
}
