package bundling

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/bundling/packing"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// fleet is a random input: objects, clusters with a region, and policies that send some of the one
// to some of the other.
type fleet struct {
	limits   packing.Limits
	objects  []fleetObject
	clusters []fleetCluster
	policies []fleetPolicy
}

// fleetObject is a ConfigMap in namespace shop, or a Namespace.
type fleetObject struct {
	name, text    string
	clusterScoped bool
	templated     bool
}

type fleetCluster struct{ name, region string }

type fleetPolicy struct {
	name       string
	generation int
	entries    []fleetEntry // cluster-scoped ones first
	clusters   []fleetCluster
}

type fleetEntry struct {
	fleetObject
	createOnly bool
}

func drawFleet(t *rapid.T) (f fleet) {
	f.limits = packing.Limits{Size: rapid.IntRange(180, 900).Draw(t, "maxSize"), Encoded: rapid.IntRange(180, 900).Draw(t, "manifestLimit"),
		Objects: rapid.IntRange(1, 4).Draw(t, "maxObjects")}
	for i := range rapid.IntRange(0, 6).Draw(t, "objects") {
		f.objects = append(f.objects, fleetObject{
			name: fmt.Sprintf("o%d", i),
			text: rapid.SampledFrom([]string{"", "yes", "<&>", "\u2028\x01", "{{.region}}", "{{.clusterName}} in\n{{.region}}\n",
				`{{if eq .region "eu"}}near{{else}}far{{end}}`, strings.Repeat("long", 20)}).Draw(t, "text"),
			clusterScoped: rapid.IntRange(0, 3).Draw(t, "scope") == 0,
			templated:     rapid.Bool().Draw(t, "templated"),
		})
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "clusters") {
		region := rapid.SampledFrom([]string{"eu", "on", strings.Repeat("far", 15)}).Draw(t, "region")
		f.clusters = append(f.clusters, fleetCluster{fmt.Sprintf("edge%d", i), region})
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "policies") {
		f.policies = append(f.policies, f.drawPolicy(t, fmt.Sprintf("shop%d", i)))
	}
	return f
}

// drawPolicy draws some objects, in any order, for some clusters.
func (f fleet) drawPolicy(t *rapid.T, name string) fleetPolicy {
	p := fleetPolicy{name: name, generation: rapid.IntRange(0, 3).Draw(t, "generation")}
	var namespaced []fleetEntry
	for _, o := range rapid.Permutation(f.objects).Draw(t, "order") {
		e := fleetEntry{o, rapid.Bool().Draw(t, "createOnly")}
		switch bound := rapid.IntRange(0, 4).Draw(t, "bound") > 0; {
		case bound && o.clusterScoped:
			p.entries = append(p.entries, e)
		case bound:
			namespaced = append(namespaced, e)
		}
	}
	p.entries = append(p.entries, namespaced...)
	for _, c := range f.clusters {
		if rapid.IntRange(0, 3).Draw(t, "destination") > 0 {
			p.clusters = append(p.clusters, c)
		}
	}
	return p
}

// object is the source of o, as JSON values.
func (o fleetObject) object() map[string]any {
	meta := map[string]any{"name": o.name}
	out := map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": meta, "data": map[string]any{"text": o.text}}
	if !o.clusterScoped {
		out["kind"], meta["namespace"] = "ConfigMap", "shop"
	}
	if o.templated {
		meta["annotations"] = map[string]any{"control.kubestellar.io/expand-templates": "true"}
	}
	return out
}

// source is what stands in the package: with fields that must not ship.
func (o fleetObject) source() map[string]any {
	out := o.object()
	out["status"] = map[string]any{"phase": "Active"}
	meta := maps.Clone(out["metadata"].(map[string]any))
	meta["uid"], meta["creationTimestamp"] = "0f0e", "2026-01-01T00:00:00Z"
	out["metadata"] = meta
	return out
}

func (e fleetEntry) json() map[string]any {
	out := map[string]any{"group": "", "version": "v1", "resource": "configmaps", "namespace": "shop",
		"name": e.name, "resourceVersion": "", "createOnly": e.createOnly}
	if e.clusterScoped {
		out["resource"] = "namespaces"
		delete(out, "namespace")
	}
	return out
}

func (p fleetPolicy) binding() map[string]any {
	scopes := map[bool][]map[string]any{}
	for _, e := range p.entries {
		scopes[e.clusterScoped] = append(scopes[e.clusterScoped], e.json())
	}
	destinations := []map[string]any{}
	for _, c := range p.clusters {
		destinations = append(destinations, map[string]any{"clusterId": c.name})
	}
	meta := map[string]any{"name": p.name, "annotations": map[string]any{fn.GeneratedBy: "bind-resolve"}}
	if p.generation > 0 {
		meta["generation"] = p.generation
	}
	return map[string]any{"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "Binding", "metadata": meta,
		"spec": map[string]any{"workload": map[string]any{"clusterScope": scopes[true], "namespaceScope": scopes[false]}, "destinations": destinations}}
}

// input is f as a package, with what an earlier run may have left.
func (f fleet) input(t testing.TB, left []*krm.Object) *fn.Input {
	var items []map[string]any
	for _, p := range f.policies {
		items = append(items, p.binding())
	}
	for _, o := range f.objects {
		items = append(items, o.source())
	}
	for _, c := range f.clusters {
		items = append(items, map[string]any{"apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster",
			"metadata": map[string]any{"name": c.name, "labels": map[string]any{"region": c.region}}})
	}
	in := &fn.Input{Config: jsonObject(t, map[string]any{"apiVersion": "fn.waybill.dev/v1alpha1", "kind": "BundleManifestWork",
		"spec": map[string]any{"assignment": "sequential", "updateStrategy": "Update", "maxSize": f.limits.Size, "manifestLimit": f.limits.Encoded, "maxObjects": f.limits.Objects}})}
	for i, item := range items {
		o := jsonObject(t, item)
		o.SetPath(fmt.Sprintf("item%d.yaml", i), 0)
		in.Items = append(in.Items, o)
	}
	in.Items = append(in.Items, left...)
	return in
}

func jsonObject(t testing.TB, v map[string]any) *krm.Object {
	o, err := krm.FromTyped(v)
	if err != nil {
		t.Fatal(err)
	}
	return o
}
