package binding

import (
	"context"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestNothingLeavesForAnEmptySelection renders random packages one after another over what the last one left, as commits of
// one package. No policy that still exists may lose all its clusters or all its objects, nor some of its clusters while one of its
// selectors matches none, unless it has the annotation.
func TestNothingLeavesForAnEmptySelection(t *testing.T) {
	refused, allowed, went := 0, 0, 0
	mishaps := map[string]int{}
	testenv.Checks(t, 100)
	for range 4 {
		rapid.Check(t, func(t *rapid.T) {
			before := map[string]*control.Binding{}
			var kept []*krm.Object
			for range rapid.IntRange(2, 5).Draw(t, "commits") {
				w := drawPackage(t)
				items := w.items(t)
				may := map[string]bool{}
				for _, o := range items {
					if o.Is(control.Group, control.KindBindingPolicy) && rapid.IntRange(0, 3).Draw(t, "may") == 0 {
						may[o.Name()] = true
						o.SetAnnotation(selection.Annotation, "true")
					}
				}
				if gone := rapid.SampledFrom([]string{"", "", "", "p"}).Draw(t, "policy that is deleted"); gone != "" {
					delete(w.policies, gone)
					items = slices.DeleteFunc(items, func(o *krm.Object) bool { return o.Is(control.Group, control.KindBindingPolicy) && o.Name() == gone })
				}
				mishap := rapid.SampledFrom([]string{"", "", "", noClusters, noPolicies, noPolicies, noPolicies, twinCluster, twinPolicy}).Draw(t, "mishap")
				items = befall(mishap, items)
				in := &fn.Input{Items: slices.Concat(items, kept)}
				out := Function.Apply(context.Background(), in)
				missing := w.missing(before, may)
				must, could := w.loses(before, may)
				if mishap != "" && (mishap != noPolicies || w.ships(before)) {
					mishaps[mishap]++
					if !out.Failed() {
						t.Fatalf("%s: it passes, and Bindings would go: %v", mishap, out.Results)
					}
					continue
				}
				if mishap == noPolicies {
					w.policies, missing, must, could = nil, nil, false, false
				}
				if out.Failed() {
					refused++
					if len(missing) == 0 && !could && !w.losesNamespace(before) {
						t.Fatalf("it fails, and no policy loses what it selected: %s", fn.FormatResult(out.Results[0]))
					}
					continue // what was committed stays
				}
				if len(missing) > 0 || must || w.losesNamespace(before) {
					t.Fatalf("%s lose all they selected, a policy with an unmatched selector loses clusters, or an object lost its namespace, and "+
						"nothing says so", missing)
				}
				kept = nil
				for _, o := range out.Items {
					if o.Annotation(fn.GeneratedBy) == Name {
						kept = append(kept, o)
					}
				}
				after := map[string]*control.Binding{}
				for name := range w.policies {
					after[name] = bindingIn(t, kept, name)
					if b := before[name]; b != nil && size(b.Spec) > 0 && size(after[name].Spec) == 0 {
						allowed++
					}
				}
				if len(after) < len(before) {
					went++
				}
				before = after
			}
		})
	}
	if testenv.Short() {
		return // too few to tell much
	}
	for _, mishap := range []string{noClusters, noPolicies, twinCluster, twinPolicy} {
		if mishaps[mishap] < 5 {
			t.Errorf("%s: %d times, too few to tell much", mishap, mishaps[mishap])
		}
	}
	if refused < 5 || allowed < 5 || went < 5 {
		t.Errorf("%d commits are refused, %d selections are allowed to go, %d policies are deleted: too few to tell much", refused, allowed, went)
	}
}

// What may befall a package by mistake. Nothing leaves it for that.
const (
	noClusters  = "the inventory is empty"
	noPolicies  = "there is no policy"
	twinCluster = "a cluster is there twice, with other labels"
	twinPolicy  = "a policy is there twice, and selects nothing once"
)

func befall(mishap string, items []*krm.Object) []*krm.Object {
	group, kind := control.Group, control.KindBindingPolicy
	if mishap == noClusters || mishap == twinCluster {
		group, kind = "cluster.open-cluster-management.io", "ManagedCluster"
	}
	is := func(o *krm.Object) bool { return o.Is(group, kind) }
	switch at := slices.IndexFunc(items, is); mishap {
	case noClusters, noPolicies:
		items = slices.DeleteFunc(items, is)
	case twinCluster, twinPolicy:
		if at < 0 {
			return items
		}
		twin := items[at].DeepCopy()
		krm.RemoveField(twin.Node(), "spec")
		krm.RemoveField(krm.Lookup(twin.Node(), "metadata"), "labels")
		twin.SetPath("twin.yaml", 0)
		items = append(items, twin)
	}
	return items
}

// ships reports whether some Binding names objects, and clusters that are there.
func (w *randomPackage) ships(before map[string]*control.Binding) bool {
	for _, b := range before {
		if size(b.Spec) > 0 && w.reaches(b) {
			return true
		}
	}
	return false
}

// reaches reports whether a Binding names a cluster that is there.
func (w *randomPackage) reaches(b *control.Binding) bool {
	return slices.ContainsFunc(b.Spec.Destinations, func(d control.Destination) bool { _, is := w.clusters[d.ClusterID]; return is })
}

// missing are the policies that select nothing, by the naive resolver, where their Binding names something. One that names no
// cluster that is there ships nothing: without a Kptfile it may be that of a blueprint.
func (w *randomPackage) missing(before map[string]*control.Binding, may map[string]bool) (names []string) {
	for name, p := range w.policies {
		b, now := before[name], w.naive(p)
		if b == nil || may[name] {
			continue
		}
		if w.reaches(b) && (len(now.Destinations) == 0 || size(b.Spec) > 0 && size(now) == 0) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// loses reports whether a policy without the annotation must be refused, because it loses a cluster that exists while one of its
// selectors matches no cluster; and whether one could be, because it loses a cluster or an object that exists.
func (w *randomPackage) loses(before map[string]*control.Binding, may map[string]bool) (must, could bool) {
	for name, p := range w.policies {
		b := before[name]
		if b == nil || may[name] {
			continue
		}
		now := w.naive(p)
		for _, d := range b.Spec.Destinations {
			if _, exists := w.clusters[d.ClusterID]; exists && !slices.Contains(now.Destinations, d) {
				could = true
				must = must || slices.ContainsFunc(p.ClusterSelectors, w.matchesNone)
			}
		}
		could = could || size(b.Spec) > 0
	}
	return must, could
}

// matchesNone reports whether a selector matches no cluster.
func (w *randomPackage) matchesNone(s metav1.LabelSelector) bool {
	for _, labels := range w.clusters {
		if naiveSelects(s, labels) {
			return false
		}
	}
	return true
}

// losesNamespace reports whether a thing that no Binding named names no namespace, a Binding named it in one where it no longer is, and
// a policy would select it there.
func (w *randomPackage) losesNamespace(before map[string]*control.Binding) bool {
	bound, exists := map[[4]string]bool{}, map[[4]string]bool{}
	for _, o := range w.things {
		exists[[4]string{o.group, o.plural, o.namespace, o.name}] = true
	}
	for name := range w.policies {
		if b := before[name]; b != nil {
			for _, o := range b.Spec.Workload.NamespaceScope {
				bound[[4]string{o.Group, o.Resource, o.Namespace, o.Name}] = true
			}
		}
	}
	for i, o := range w.things {
		if o.namespace != "default" || o.group == "apps.example" || bound[[4]string{o.group, o.plural, o.namespace, o.name}] {
			continue
		}
		for b := range bound {
			if b[0] == o.group && b[1] == o.plural && b[3] == o.name && !exists[b] && w.selectsIn(i, b[2]) {
				return true
			}
		}
	}
	return false
}

// selectsIn reports whether a policy would select a thing in another namespace.
func (w *randomPackage) selectsIn(thing int, namespace string) bool {
	other := *w
	other.things = slices.Clone(w.things)
	other.things[thing].namespace = namespace
	o := other.things[thing]
	for _, p := range other.policies {
		if slices.ContainsFunc(other.naive(p).Workload.NamespaceScope, func(n control.NamespaceScopeObject) bool {
			return n.Group == o.group && n.Resource == o.plural && n.Namespace == namespace && n.Name == o.name
		}) {
			return true
		}
	}
	return false
}

func size(s control.BindingSpec) int {
	return len(s.Workload.ClusterScope) + len(s.Workload.NamespaceScope)
}
