package bundling

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	workv1 "open-cluster-management.io/api/work/v1"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestAgainstNaiveBundler holds the function against one that works on plain JSON values, shares
// nothing and measures by encoding.
func TestAgainstNaiveBundler(t *testing.T) {
	made := 0
	rapid.Check(t, func(r *rapid.T) {
		f := drawFleet(r)
		want, tooLarge := f.naive()
		in := f.input(t)
		out := Function.Apply(context.Background(), in)
		if out.Failed() != tooLarge {
			r.Fatalf("failed: %v, want %v: %v", out.Failed(), tooLarge, out.Results)
		}
		if tooLarge {
			return
		}
		works := ocmcheck.Works(out.Items)
		if d := cmp.Diff(want, decodeWorks(r, works)); d != "" {
			r.Fatalf("(-want +got):\n%s", d)
		}
		if faults := ocmcheck.Violations(works, f.limits.encoded); len(faults) > 0 {
			r.Fatal(strings.Join(faults, "\n"))
		}
		checkText(r, works)
		fntest.CheckLaws(t, Function, in, nil)
		made += len(works)
	})
	if made == 0 {
		t.Error("no input made a work: nothing was compared")
	}
}

// fleet is a random input: ConfigMaps, all in one Binding, and clusters with a region.
type fleet struct {
	limits   limits
	objects  []fleetObject
	clusters []fleetCluster
}

type fleetObject struct {
	name, text string
	templated  bool
	createOnly bool
}

type fleetCluster struct{ name, region string }

func drawFleet(t *rapid.T) (f fleet) {
	f.limits = limits{size: rapid.IntRange(180, 900).Draw(t, "maxSize"), encoded: rapid.IntRange(180, 900).Draw(t, "manifestLimit"),
		objects: rapid.IntRange(1, 4).Draw(t, "maxObjects")}
	for i := range rapid.IntRange(0, 6).Draw(t, "objects") {
		f.objects = append(f.objects, fleetObject{
			name:       fmt.Sprintf("o%d", i),
			text:       rapid.SampledFrom([]string{"", "yes", "<&>", "{{.region}}", "{{.clusterName}} in\n{{.region}}\n", strings.Repeat("long", 20)}).Draw(t, "text"),
			templated:  rapid.Bool().Draw(t, "templated"),
			createOnly: rapid.Bool().Draw(t, "createOnly"),
		})
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "clusters") {
		region := rapid.SampledFrom([]string{"eu", "on", strings.Repeat("far", 15)}).Draw(t, "region")
		f.clusters = append(f.clusters, fleetCluster{fmt.Sprintf("edge%d", i), region})
	}
	return f
}

// object is the source of o, as JSON values.
func (o fleetObject) object() map[string]any {
	meta := map[string]any{"namespace": "shop", "name": o.name}
	if o.templated {
		meta["annotations"] = map[string]any{"control.kubestellar.io/expand-templates": "true"}
	}
	return map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": map[string]any{"text": o.text}}
}

func (o fleetObject) on(c fleetCluster) map[string]any {
	out := o.object()
	if o.templated {
		fill := strings.NewReplacer("{{.region}}", c.region, "{{.clusterName}}", c.name)
		out["data"] = map[string]any{"text": fill.Replace(o.text)}
	}
	return out
}

func (f fleet) input(t testing.TB) *fn.Input {
	type list = []map[string]any
	binding := map[string]any{"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "Binding", "metadata": map[string]any{"name": "shop"}}
	entries, destinations, items := list{}, list{}, list{binding}
	for _, o := range f.objects {
		items = append(items, o.object())
		entries = append(entries, map[string]any{"group": "", "version": "v1", "resource": "configmaps", "namespace": "shop",
			"name": o.name, "resourceVersion": "", "createOnly": o.createOnly})
	}
	for _, c := range f.clusters {
		destinations = append(destinations, map[string]any{"clusterId": c.name})
		items = append(items, map[string]any{"apiVersion": "cluster.open-cluster-management.io/v1", "kind": "ManagedCluster",
			"metadata": map[string]any{"name": c.name, "labels": map[string]any{"region": c.region}}})
	}
	binding["spec"] = map[string]any{"workload": map[string]any{"namespaceScope": entries}, "destinations": destinations}
	in := &fn.Input{Config: jsonObject(t, map[string]any{"apiVersion": "fn.waybill.dev/v1alpha1", "kind": "BundleManifestWork",
		"spec": map[string]any{"maxSize": f.limits.size, "manifestLimit": f.limits.encoded, "maxObjects": f.limits.objects}})}
	for i, item := range items {
		o := jsonObject(t, item)
		o.SetPath(fmt.Sprintf("item%d.yaml", i), 0)
		in.Items = append(in.Items, o)
	}
	return in
}

func jsonObject(t testing.TB, v map[string]any) *krm.Object {
	o, err := krm.FromTyped(v)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// naive is what should come out: works by file, or that some object is too large.
func (f fleet) naive() (works map[string]workv1.ManifestWork, tooLarge bool) {
	works = map[string]workv1.ManifestWork{}
	for _, c := range f.clusters {
		var batches [][]fleetObject
		for _, o := range f.objects {
			if !f.fits([]fleetObject{o}, c, true) {
				return nil, true
			}
			last := len(batches) - 1
			if last >= 0 && f.fits(append(batches[last][:len(batches[last]):len(batches[last])], o), c, false) {
				batches[last] = append(batches[last], o)
			} else {
				batches = append(batches, []fleetObject{o})
			}
		}
		for n, batch := range batches {
			file, w := f.work(c, n, batch)
			works[file] = w
		}
	}
	return works, false
}

// fits says whether a batch is within the limits; one object alone may reach maxSize.
func (f fleet) fits(batch []fleetObject, c fleetCluster, alone bool) bool {
	size, encoded := 0, 0
	for _, o := range batch {
		var b strings.Builder
		if err := json.NewEncoder(&b).Encode(o.on(c)); err != nil {
			panic(err)
		}
		m := workv1.Manifest{RawExtension: runtime.RawExtension{Raw: []byte(strings.TrimSuffix(b.String(), "\n"))}}
		size, encoded = size+b.Len(), encoded+m.Size()
	}
	if alone {
		return size <= f.limits.size && encoded <= f.limits.encoded
	}
	return size < f.limits.size && encoded <= f.limits.encoded && len(batch) <= f.limits.objects
}

func (f fleet) work(c fleetCluster, n int, batch []fleetObject) (string, workv1.ManifestWork) {
	var w workv1.ManifestWork
	w.APIVersion, w.Kind = "work.open-cluster-management.io/v1", "ManifestWork"
	w.Namespace, w.Name = c.name, fmt.Sprintf("shop-git-%d", n)
	file := fmt.Sprintf("clusters/%s/shop/manifestwork-%d.yaml", c.name, n)
	if f.limits.objects == 1 {
		sum := sha256.Sum256([]byte("/ConfigMap/shop/" + batch[0].name))
		w.Name = fmt.Sprintf("shop-git-%x", sum[:6])
		file = fmt.Sprintf("clusters/%s/shop/configmap_shop_%s.yaml", c.name, batch[0].name)
	}
	w.Labels = map[string]string{"transport.kubestellar.io/originOwnerReferenceBindingKey": "shop", "transport.kubestellar.io/originWdsName": "git"}
	w.Annotations = map[string]string{"transport.kubestellar.io/originOwnerReferenceBindingGeneration": "0",
		"waybill.dev/generated-by": "bundle-manifestwork", "waybill.dev/origin": "control.kubestellar.io/Binding//shop"}
	for _, o := range batch {
		raw, err := json.Marshal(o.on(c))
		if err != nil {
			panic(err)
		}
		w.Spec.Workload.Manifests = append(w.Spec.Workload.Manifests, workv1.Manifest{RawExtension: runtime.RawExtension{Raw: raw}})
		if o.createOnly {
			w.Spec.ManifestConfigs = append(w.Spec.ManifestConfigs, workv1.ManifestConfigOption{
				ResourceIdentifier: workv1.ResourceIdentifier{Resource: "configmaps", Namespace: "shop", Name: o.name},
				UpdateStrategy:     &workv1.UpdateStrategy{Type: workv1.UpdateStrategyTypeCreateOnly},
			})
		}
	}
	return file, w
}

func decodeWorks(t rapid.TB, works []*krm.Object) map[string]workv1.ManifestWork {
	out := map[string]workv1.ManifestWork{}
	for _, o := range works {
		v, err := krm.Value(o.WithoutOrchestration().Node())
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var w workv1.ManifestWork
		if err := json.Unmarshal(data, &w); err != nil {
			t.Fatal(err)
		}
		out[o.File()] = w
	}
	return out
}
