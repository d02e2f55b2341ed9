package binding

import (
	"context"
	"maps"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// thing is an object of the random world, with what an API server would say about it.
type thing struct {
	group, version, kind, plural string
	namespaced                   bool
	namespace, name              string
	labels                       map[string]string
}

// world is a random package.
type world struct {
	clusters map[string]map[string]string
	things   []thing
	policies map[string]control.BindingPolicySpec
}

// identity is what makes two objects one.
func (o thing) identity() [4]string { return [4]string{o.group, o.plural, o.namespace, o.name} }

// naive resolves one policy as the contract reads, word by word: no compiling, no sharing, no
// sorting ahead. It shares no code with what it checks, save for the types.
func (w *world) naive(p control.BindingPolicySpec) (out control.BindingSpec) {
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
		if wants == nil || o.plural == "nodes" || o.plural == "endpointslices" {
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

func (w *world) naiveMatches(c control.ObjectTest, o thing) bool {
	if c.APIGroup != nil && *c.APIGroup != o.group {
		return false
	}
	if !naiveWord(c.Resources, o.plural) || !naiveWord(c.Namespaces, o.namespace) || !naiveWord(c.ObjectNames, o.name) {
		return false
	}
	if len(c.ObjectSelectors) > 0 {
		ok := false
		for _, s := range c.ObjectSelectors {
			ok = ok || naiveSelects(s, o.labels)
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

func (w *world) namespaceLabels(name string) map[string]string {
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

// TestAgainstNaive compares with the naive resolver on random worlds.
func TestAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		out := Function.Apply(context.Background(), &fn.Input{Items: w.items(t)})
		if out.Failed() {
			t.Fatal(fn.FormatResult(out.Results[0]))
		}
		for name, spec := range w.policies {
			got := bindingIn(t, out.Items, name)
			forgetVersions(got)
			if d := cmp.Diff(w.naive(spec), got.Spec); d != "" {
				t.Fatalf("policy %s (-naive +got):\n%s", name, d)
			}
		}
		if d := cmp.Diff(w.naiveReports(), reportsIn(out)); d != "" {
			t.Fatalf("reports on policies (-naive +got):\n%s", d)
		}
	})
}

// naiveReports looks at every object on every cluster: for each it says which reports on p and q,
// the two policies of a world, it calls for.
func (w *world) naiveReports() map[string]bool {
	out := map[string]bool{}
	specs := map[string]control.BindingSpec{}
	for name, p := range w.policies {
		specs[name] = w.naive(p)
	}
	for key, p := range objectsOf(specs["p"]) {
		q, both := objectsOf(specs["q"])[key]
		for _, c := range specs["p"].Destinations {
			if both && slices.Contains(specs["q"].Destinations, c) {
				out[map[bool]string{true: "info", false: "warning"}[p.CreateOnly == q.CreateOnly]+" both"] = true
			}
		}
	}
	for _, name := range []string{"p", "q"} {
		for key := range objectsOf(specs[name]) {
			on, wanted := map[control.Destination]bool{}, false
			for _, spec := range specs {
				if m, ok := objectsOf(spec)[key]; ok && m.WantSingletonReportedState {
					wanted = true
					for _, c := range spec.Destinations {
						on[c] = true
					}
				}
			}
			if wanted && len(on) != 1 {
				out["singleton "+name] = true
			}
		}
	}
	return out
}

func objectsOf(s control.BindingSpec) map[string]control.Modulation {
	out := map[string]control.Modulation{}
	for _, o := range s.Workload.ClusterScope {
		out[o.Group+"/"+o.Resource+"//"+o.Name] = o.Modulation
	}
	for _, o := range s.Workload.NamespaceScope {
		out[o.Group+"/"+o.Resource+"/"+o.Namespace+"/"+o.Name] = o.Modulation
	}
	return out
}

func reportsIn(out *fn.Output) map[string]bool {
	got := map[string]bool{}
	for _, r := range out.Results {
		switch {
		case strings.Contains(r.Message, "both send"):
			got[string(r.Severity)+" both"] = true
		case strings.HasPrefix(r.Message, "Singleton reported status return"):
			got["singleton "+r.ResourceRef.Name] = true
		}
	}
	return got
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

// TestLawsOnRandomWorlds checks the laws of functions on a few worlds.
func TestLawsOnRandomWorlds(t *testing.T) {
	worlds := rapid.Custom(drawWorld)
	for seed := range 20 {
		fntest.CheckLaws(t, Function, &fn.Input{Items: worlds.Example(seed).items(t)}, nil)
	}
}
