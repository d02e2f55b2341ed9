package binding

import (
	"context"
	"maps"
	"slices"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// thing is an object of a random package, with what an API server knows about it.
type thing struct {
	group, version, kind, plural string
	namespaced                   bool
	namespace, name              string
	labels                       map[string]string
}

// randomPackage is a package of random objects, policies and clusters.
type randomPackage struct {
	clusters map[string]map[string]string
	things   []thing
	policies map[string]control.BindingPolicySpec
}

// identity is what makes two objects one.
func (o thing) identity() [4]string { return [4]string{o.group, o.plural, o.namespace, o.name} }

// naive resolves one policy as the contract reads, word by word: no compiling, no sharing, no
// sorting ahead. It shares no code with what it checks, save for the types.
func (w *randomPackage) naive(p control.BindingPolicySpec) (out control.BindingSpec) {
	for name, labels := range w.clusters {
		for _, s := range p.ClusterSelectors {
			if naiveSelects(s, labels) {
				out.Destinations = append(out.Destinations, control.Destination{ClusterID: name})
				break
			}
		}
	}
	sort.Slice(out.Destinations, func(i, j int) bool { return out.Destinations[i].ClusterID < out.Destinations[j].ClusterID })
	type found struct {
		gvr, name string
		thing
		wants control.Modulation
	}
	var all []found
	for _, o := range w.things {
		var wants []control.Modulation
		for _, c := range p.Downsync {
			if w.naiveMatches(c.ObjectTest, o) {
				wants = append(wants, c.Modulation)
			}
		}
		if wants == nil || slices.Contains([]string{"nodes", "endpointslices", "evictions"}, o.plural) {
			continue
		}
		name := o.name
		if o.namespace != "" {
			name = o.namespace + "/" + o.name
		}
		all = append(all, found{o.group + "/" + o.version + ", Resource=" + o.plural, name, o, naiveUnion(wants)})
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].gvr != all[j].gvr {
			return all[i].gvr < all[j].gvr
		}
		return all[i].name < all[j].name
	})
	for _, f := range all {
		if f.namespace == "" {
			out.Workload.ClusterScope = append(out.Workload.ClusterScope, control.ClusterScopeObject{
				Group: f.group, Version: f.version, Resource: f.plural, Name: f.thing.name, Modulation: f.wants})
		} else {
			out.Workload.NamespaceScope = append(out.Workload.NamespaceScope, control.NamespaceScopeObject{
				Group: f.group, Version: f.version, Resource: f.plural, Namespace: f.namespace, Name: f.thing.name, Modulation: f.wants})
		}
	}
	return out
}

func naiveUnion(all []control.Modulation) (out control.Modulation) {
	collectors := map[string]bool{}
	for _, m := range all {
		if m.CreateOnly {
			out.CreateOnly = true
		}
		if m.WantSingletonReportedState {
			out.WantSingletonReportedState = true
		}
		if m.WantMultiWECReportedState {
			out.WantMultiWECReportedState = true
		}
		for _, c := range m.StatusCollectors {
			collectors[c] = true
		}
	}
	out.StatusCollectors = slices.Sorted(maps.Keys(collectors))
	return out
}

func naiveWord(list []string, word string) bool {
	if len(list) == 0 {
		return true
	}
	for _, w := range list {
		if w == "*" || w == word {
			return true
		}
	}
	return false
}

func (w *randomPackage) naiveMatches(c control.ObjectTest, o thing) bool {
	if c.APIGroup != nil && *c.APIGroup != o.group {
		return false
	}
	if !naiveWord(c.Resources, o.plural) || !naiveWord(c.Namespaces, o.namespace) || !naiveWord(c.ObjectNames, o.name) {
		return false
	}
	if len(c.ObjectSelectors) > 0 {
		ok := false
		for _, s := range c.ObjectSelectors {
			ok = ok || naiveSelects(s, w.labelsOf(o))
		}
		if !ok {
			return false
		}
	}
	if len(c.NamespaceSelectors) == 0 {
		return true
	}
	for _, s := range c.NamespaceSelectors {
		if len(s.MatchLabels) == 0 && len(s.MatchExpressions) == 0 {
			return true
		}
		if o.namespace != "" && naiveSelects(s, w.namespaceLabels(o.namespace)) {
			return true
		}
	}
	return false
}

// labelsOf are the labels that o has on an API server.
func (w *randomPackage) labelsOf(o thing) map[string]string {
	if o.kind == "Namespace" {
		return w.namespaceLabels(o.name)
	}
	return o.labels
}

func (w *randomPackage) namespaceLabels(name string) map[string]string {
	labels := map[string]string{}
	for _, o := range w.things {
		if o.kind == "Namespace" && o.name == name {
			for k, v := range o.labels {
				labels[k] = v
			}
		}
	}
	labels["kubernetes.io/metadata.name"] = name
	return labels
}

func naiveSelects(s metav1.LabelSelector, labels map[string]string) bool {
	for k, v := range s.MatchLabels {
		if got, ok := labels[k]; !ok || got != v {
			return false
		}
	}
	for _, e := range s.MatchExpressions {
		got, ok := labels[e.Key]
		in := ok && slices.Contains(e.Values, got)
		switch e.Operator {
		case "In":
			if !in {
				return false
			}
		case "NotIn":
			if in {
				return false
			}
		case "Exists":
			if !ok {
				return false
			}
		default:
			if ok {
				return false
			}
		}
	}
	return true
}

// TestAgainstNaive compares with the naive resolver on random packages, thousands of policies in all,
// and wants them to be neither too narrow nor too wide to tell the two resolvers apart.
func TestAgainstNaive(t *testing.T) {
	const rounds = 15 // of a hundred worlds with two policies each
	var policies, selected, left int
	testenv.Checks(t, 100)
	for range rounds {
		rapid.Check(t, func(t *rapid.T) {
			w := drawPackage(t)
			for _, b := range w.compare(t) {
				n := len(b.Workload.ClusterScope) + len(b.Workload.NamespaceScope)
				policies, selected, left = policies+1, selected+n, left+len(w.things)-n
			}
		})
	}
	if policies == 0 || selected < policies || left < policies {
		t.Errorf("%d policies select %d objects and leave %d: too few to tell much", policies, selected, left)
	}
}

// compare resolves w both ways, compares one with the other and returns what was selected.
func (w *randomPackage) compare(t *rapid.T) (out []control.BindingSpec) {
	got := Function.Apply(context.Background(), &fn.Input{Items: w.items(t)})
	if got.Failed() {
		t.Fatal(fn.FormatResult(got.Results[0]))
	}
	for _, name := range slices.Sorted(maps.Keys(w.policies)) {
		b := bindingIn(t, got.Items, name)
		forgetVersions(b)
		if d := cmp.Diff(w.naive(w.policies[name]), b.Spec); d != "" {
			t.Fatalf("policy %s (-naive +got):\n%s", name, d)
		}
		out = append(out, b.Spec)
	}
	if d := cmp.Diff(w.naiveReports(), reportsIn(got)); d != "" {
		t.Fatalf("reports on policies (-naive +got):\n%s", d)
	}
	return out
}

func bindingIn(t rapid.TB, items []*krm.Object, name string) *control.Binding {
	for _, o := range items {
		if o.Is(control.Group, control.KindBinding) && o.Name() == name {
			b, errs := control.DecodeBinding(o)
			if len(errs) > 0 {
				t.Fatal(errs.ToAggregate())
			}
			return b
		}
	}
	t.Fatalf("no Binding %q", name)
	return nil
}

// forgetVersions drops the digests, which are not the naive resolver's business.
func forgetVersions(b *control.Binding) {
	for i := range b.Spec.Workload.ClusterScope {
		b.Spec.Workload.ClusterScope[i].ResourceVersion = ""
	}
	for i := range b.Spec.Workload.NamespaceScope {
		b.Spec.Workload.NamespaceScope[i].ResourceVersion = ""
	}
}

// TestLawsOnRandomPackages checks the laws of functions on a few worlds.
func TestLawsOnRandomPackages(t *testing.T) {
	worlds := rapid.Custom(drawPackage)
	for seed := range 20 {
		fntest.CheckLaws(t, Function, &fn.Input{Items: worlds.Example(seed).items(t)}, nil)
	}
}
