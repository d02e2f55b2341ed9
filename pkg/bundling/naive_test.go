package bundling

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
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
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestAgainstNaiveBundler compares the function with one that works on plain JSON values, shares
// nothing and measures by encoding. The package may hold works of another fleet, of an earlier time:
// clusters, policies and objects that no longer exist.
func TestAgainstNaiveBundler(t *testing.T) {
	cases, compared, pruned, noRoom := 0, 0, 0, 0
	testenv.Checks(t, 2000)
	rapid.Check(t, func(r *rapid.T) {
		f := drawFleet(r)
		var left []*krm.Object
		if rapid.Bool().Draw(r, "again") {
			left = ocmcheck.Works(Function.Apply(context.Background(), drawFleet(r).input(t, nil)).Items)
		}
		want, tooLarge := f.naive()
		in := f.input(t, left)
		out := applyChecked(t, in)
		if out.Failed() && strings.Contains(out.Results.Error(), "has no room to hand over") {
			noRoom++
			return
		}
		refuses := tooLarge || f.losesAll(left)
		if out.Failed() != refuses {
			r.Fatalf("failed: %v, want %v: %v", out.Failed(), refuses, out.Results)
		}
		if cases++; cases%20 == 0 {
			fntest.CheckLaws(t, ocmcheck.Watch(t, Function), in, nil)
		}
		if refuses {
			if !slices.Equal(left, ocmcheck.Works(out.Items)) {
				r.Fatalf("works change in a run that fails")
			}
			return
		}
		works := ocmcheck.Works(out.Items)
		if d := cmp.Diff(want, decodeWorks(r, works)); d != "" {
			r.Fatalf("(-want +got):\n%s", d)
		}
		checkText(r, works)
		compared += len(works)
		for _, w := range left {
			if _, stays := want[w.File()]; !stays {
				pruned++
			}
		}
	})
	if !testenv.Short() && (compared == 0 || pruned == 0 || noRoom*2 > cases) {
		t.Errorf("%d works compared, %d found to be gone, %d of %d fleets without room to hand over: too few to show anything", compared, pruned, noRoom, cases)
	}
}

// losesAll reports whether there is no policy, and works of an earlier time for a cluster that is there.
func (f fleet) losesAll(left []*krm.Object) bool {
	return len(f.policies) == 0 && slices.ContainsFunc(left, func(w *krm.Object) bool {
		return slices.ContainsFunc(f.clusters, func(c fleetCluster) bool { return c.name == w.Namespace() })
	})
}

// on is o as it should arrive at c.
func (o fleetObject) on(c fleetCluster) map[string]any {
	out := o.object()
	if o.templated {
		near := map[bool]string{true: "near", false: "far"}[c.region == "eu"]
		fill := strings.NewReplacer("{{.region}}", c.region, "{{.clusterName}}", c.name, `{{if eq .region "eu"}}near{{else}}far{{end}}`, near)
		out["data"] = map[string]any{"text": fill.Replace(o.text)}
	}
	return out
}

// naive is what should come out: works by file, or that some object is too large.
func (f fleet) naive() (works map[string]workv1.ManifestWork, tooLarge bool) {
	works = map[string]workv1.ManifestWork{}
	for _, p := range f.policies {
		for _, c := range p.clusters {
			batches, fit := f.batches(p, c)
			if !fit {
				return nil, true
			}
			for n, batch := range batches {
				file, w := f.work(p, c, n, batch)
				works[file] = w
			}
		}
	}
	return works, false
}

// batches fills one work after the other.
func (f fleet) batches(p fleetPolicy, c fleetCluster) (batches [][]fleetEntry, fit bool) {
	for _, e := range p.entries {
		if !f.fits([]fleetEntry{e}, c, true) {
			return nil, false
		}
		last := len(batches) - 1
		if last >= 0 && f.fits(append(batches[last][:len(batches[last]):len(batches[last])], e), c, false) {
			batches[last] = append(batches[last], e)
		} else {
			batches = append(batches, []fleetEntry{e})
		}
	}
	return batches, true
}

// fits says whether a batch is within the limits; one object alone may reach maxSize.
func (f fleet) fits(batch []fleetEntry, c fleetCluster, alone bool) bool {
	size, encoded := 0, 0
	for _, e := range batch {
		var b strings.Builder
		if err := json.NewEncoder(&b).Encode(e.on(c)); err != nil {
			panic(err)
		}
		m := workv1.Manifest{RawExtension: runtime.RawExtension{Raw: []byte(strings.TrimSuffix(b.String(), "\n"))}}
		size, encoded = size+b.Len(), encoded+m.Size()
	}
	if alone {
		return size <= f.limits.Size && encoded <= f.limits.Encoded
	}
	return size < f.limits.Size && encoded <= f.limits.Encoded && len(batch) <= f.limits.Objects
}

func (f fleet) work(p fleetPolicy, c fleetCluster, n int, batch []fleetEntry) (string, workv1.ManifestWork) {
	var w workv1.ManifestWork
	w.APIVersion, w.Kind = "work.open-cluster-management.io/v1", "ManifestWork"
	w.Namespace, w.Name = c.name, fmt.Sprintf("%s-git-%d", p.name, n)
	file := fmt.Sprintf("clusters/%s/%s/manifestwork-%d.yaml", c.name, p.name, n)
	if f.limits.Objects == 1 {
		kind, namespace := "ConfigMap", "shop"
		if batch[0].clusterScoped {
			kind, namespace = "Namespace", ""
		}
		sum := sha256.Sum256([]byte("/" + kind + "/" + namespace + "/" + batch[0].name))
		w.Name = fmt.Sprintf("%s-git-%x", p.name, sum[:6])
		file = fmt.Sprintf("clusters/%s/%s/%s_%s_%s.yaml", c.name, p.name, strings.ToLower(kind), namespace, batch[0].name)
	}
	w.Labels = map[string]string{"transport.kubestellar.io/originOwnerReferenceBindingKey": p.name, "transport.kubestellar.io/originWdsName": "git"}
	w.Spec.DeleteOption = keeping(batch)
	w.Annotations = map[string]string{"transport.kubestellar.io/originOwnerReferenceBindingGeneration": strconv.Itoa(p.generation),
		"waybill.dev/generated-by": "bundle-manifestwork", "waybill.dev/origin": "control.kubestellar.io/Binding//" + p.name}
	for _, e := range batch {
		raw, err := json.Marshal(e.on(c))
		if err != nil {
			panic(err)
		}
		w.Spec.Workload.Manifests = append(w.Spec.Workload.Manifests, workv1.Manifest{RawExtension: runtime.RawExtension{Raw: raw}})
		if e.createOnly {
			id := workv1.ResourceIdentifier{Resource: "configmaps", Namespace: "shop", Name: e.name}
			if e.clusterScoped {
				id.Resource, id.Namespace = "namespaces", ""
			}
			w.Spec.ManifestConfigs = append(w.Spec.ManifestConfigs, workv1.ManifestConfigOption{
				ResourceIdentifier: id, UpdateStrategy: &workv1.UpdateStrategy{Type: workv1.UpdateStrategyTypeCreateOnly},
			})
		}
	}
	return file, w
}

// keeping lets the Namespaces of a batch stay.
func keeping(batch []fleetEntry) *workv1.DeleteOption {
	var rules []workv1.OrphaningRule
	for _, e := range batch {
		if e.clusterScoped {
			rules = append(rules, workv1.OrphaningRule{Resource: "namespaces", Name: e.name})
		}
	}
	switch len(rules) {
	case 0:
		return nil
	case len(batch):
		return &workv1.DeleteOption{PropagationPolicy: "Orphan"}
	}
	return &workv1.DeleteOption{PropagationPolicy: "SelectivelyOrphan", SelectivelyOrphan: &workv1.SelectivelyOrphan{OrphaningRules: rules}}
}

// decodeWorks is works by file, without hand-over entries: ocmcheck.Watch looks at those.
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
		if withoutEntries(&w); len(w.Spec.Workload.Manifests) > 0 {
			out[o.File()] = w
		}
	}
	return out
}

func withoutEntries(w *workv1.ManifestWork) {
	entries, err := strconv.Atoi(w.Annotations[fn.HandOver])
	if err != nil {
		return
	}
	delete(w.Annotations, fn.HandOver)
	rest := len(w.Spec.Workload.Manifests) - entries
	if o := w.Spec.DeleteOption; o != nil && o.SelectivelyOrphan != nil { // rules of entries come last
		o.SelectivelyOrphan.OrphaningRules = slices.DeleteFunc(o.SelectivelyOrphan.OrphaningRules, func(r workv1.OrphaningRule) bool {
			return !slices.ContainsFunc(w.Spec.Workload.Manifests[:rest], func(m workv1.Manifest) bool {
				return strings.Contains(string(m.Raw), `"name":"`+r.Name+`"`)
			})
		})
		if len(o.SelectivelyOrphan.OrphaningRules) == 0 {
			w.Spec.DeleteOption = nil
		}
	}
	w.Spec.Workload.Manifests = slices.Delete(w.Spec.Workload.Manifests, rest, len(w.Spec.Workload.Manifests))
	if w.Spec.ManifestConfigs = slices.Delete(w.Spec.ManifestConfigs, len(w.Spec.ManifestConfigs)-entries, len(w.Spec.ManifestConfigs)); len(w.Spec.ManifestConfigs) == 0 {
		w.Spec.ManifestConfigs = nil
	}
}
