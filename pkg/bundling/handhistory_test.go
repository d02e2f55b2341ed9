package bundling

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// handHistory is the history of a package whose objects move between works, also to works of a user, with any update
// strategy.
type handHistory struct {
	objects  map[string]handObject
	wds      string
	reversed bool // the order of fields of all objects
	clusters int
	works    map[string]string // by file
}

type handObject struct{ at, strategy string }

var handNames = []string{"cfg", "map", "app*", "app-two"}

// TestHandOverHistories applies random changes to packages and checks every render with the laws of ocmcheck. A render
// may refuse an unsafe change, and a second one changes nothing.
func TestHandOverHistories(t *testing.T) {
	handed, refused := 0, 0
	testenv.Checks(t, 300)
	rapid.Check(t, func(r *rapid.T) {
		h := handHistory{objects: map[string]handObject{}, wds: "git", clusters: 2}
		for range rapid.IntRange(2, 8).Draw(r, "steps") {
			next := h.step(r)
			works, ok := next.render(t, r)
			if !ok {
				refused++
				continue
			}
			next.works = works
			if again, ok := next.render(t, r); !ok || !maps.Equal(works, again) {
				r.Fatalf("a second render changes works:\n%v\nto\n%v", works, again)
			}
			for _, text := range works {
				handed += strings.Count(text, fn.HandOver)
			}
			h = next
		}
	})
	if !testenv.Short() && (handed == 0 || refused == 0) {
		t.Errorf("%d hand-overs, %d renders refused: too few to show anything", handed, refused)
	}
}

// step is h with some changes.
func (h handHistory) step(r *rapid.T) handHistory {
	h.objects = maps.Clone(h.objects)
	for range rapid.IntRange(1, 2).Draw(r, "changes") {
		h.objects[rapid.SampledFrom(handNames).Draw(r, "object")] = handObject{
			at:       rapid.SampledFrom([]string{"p0", "p1", "p1", "hand", ""}).Draw(r, "at"),
			strategy: rapid.SampledFrom([]string{"", "", "ReadOnly", "Update", "CreateOnly"}).Draw(r, "strategy"),
		}
	}
	if rapid.IntRange(0, 4).Draw(r, "other") == 0 {
		h.wds = rapid.SampledFrom([]string{"git", "w2", "w3"}).Draw(r, "wdsName")
		h.reversed = rapid.Bool().Draw(r, "reversed")
		h.clusters = rapid.IntRange(1, 2).Draw(r, "clusters")
	}
	return h
}

// render runs the function on files, as a GitOps repository has them.
func (h handHistory) render(t *testing.T, r *rapid.T) (map[string]string, bool) {
	var items []*krm.Object
	for _, file := range slices.Sorted(maps.Keys(h.works)) {
		works, err := krm.ReadLazy(file, []byte(h.works[file]), krm.Limits{}, "spec", fn.GeneratedBy)
		if err != nil {
			r.Fatal(err)
		}
		items = append(items, works...)
	}
	more, err := krm.Read("in.yaml", []byte(h.text()), krm.Limits{})
	if err != nil {
		r.Fatal(err)
	}
	for i, o := range more {
		o.SetPath("in.yaml", i)
	}
	config := manifest.Map("apiVersion", "v1", "kind", "ConfigMap", "metadata", manifest.Map("name", "config"), "data",
		manifest.Map("wdsName", h.wds, "whenClusterLeaves", "orphan", "allowEmptyInventory", "true", "allowEmptySelection", "true"))
	out := ocmcheck.Watch(t, Function).Apply(context.Background(), &fn.Input{Items: append(items, more...), Config: krm.FromNode(config)})
	if out.Failed() {
		if text := out.Results.Error(); !strings.Contains(text, "treat the * in a name") &&
			!strings.Contains(text, "cannot stay") && !strings.Contains(text, "in a work that owns it") {
			r.Fatal(text)
		}
		return nil, false
	}
	works := ocmcheck.Works(out.Items)
	files := map[string]string{}
	for _, o := range works {
		if o.Annotation(fn.GeneratedBy) != naming.Function {
			continue
		}
		text, err := krm.Write([]*krm.Object{o})
		if err != nil {
			r.Fatal(err)
		}
		if files[o.File()] != "" {
			r.Fatalf("two works in %s", o.File())
		}
		files[o.File()] = string(text)
	}
	return files, true
}

func (h handHistory) text() string {
	var b strings.Builder
	bound := map[string][2][]string{} // by place, the entries for objects with and without a namespace
	for _, name := range slices.Sorted(maps.Keys(h.objects)) {
		o := h.objects[name]
		if o.at == "" {
			continue
		}
		manifest, entry, scope := h.manifest(name, o.strategy), "{group: '', version: v1, resource: configmaps, namespace: shop, name: '"+name+"', resourceVersion: ''}", 0
		if strings.HasPrefix(name, "app") {
			entry, scope = "{group: rbac.authorization.k8s.io, version: v1, resource: clusterroles, name: '"+name+"', resourceVersion: ''}", 1
		}
		if o.at == "hand" {
			manifest = fmt.Sprintf("apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {namespace: edge0, name: by-hand-%d}\nspec: {workload: {manifests: [%s]}}\n",
				slices.Index(handNames, name), h.manifest(name, ""))
		} else {
			entries := bound[o.at]
			entries[scope] = append(entries[scope], entry)
			bound[o.at] = entries
		}
		b.WriteString(manifest + "\n---\n")
	}
	for _, at := range slices.Sorted(maps.Keys(bound)) {
		fmt.Fprintf(&b, "apiVersion: control.kubestellar.io/v1alpha1\nkind: Binding\nmetadata: {name: %s, annotations: {waybill.dev/generated-by: bind-resolve}}\nspec:\n  workload:\n    namespaceScope: [%s]\n    clusterScope: [%s]\n  destinations:\n",
			at, strings.Join(bound[at][0], ", "), strings.Join(bound[at][1], ", "))
		for i := range h.clusters {
			fmt.Fprintf(&b, "  - clusterId: edge%d\n", i)
		}
		b.WriteString("---\n")
	}
	return b.String() + "{apiVersion: fn.waybill.dev/v1alpha1, kind: Inventory, metadata: {name: fleet}, spec: {clusters: [{name: edge0}, {name: edge1}]}}\n"
}

// manifest is an object with its fields in the order of the day.
func (h handHistory) manifest(name, strategy string) string {
	head, rest := "apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: '"+name+"'", "data: {k: v}"
	if strings.HasPrefix(name, "app") {
		head, rest = "apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: '"+name+"'", "rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]"
	}
	if strategy != "" {
		head += ", annotations: {" + manifestconfig.StrategyAnnotation + ": " + strategy + "}"
	}
	if h.reversed {
		return "{" + rest + ", " + head + "}}"
	}
	return "{" + head + "}, " + rest + "}"
}
