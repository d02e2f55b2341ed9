package binding

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// TestNothingLeavesForAnEmptySelection renders random worlds one after another over what the last one left, as commits of
// one package, and wants no policy that is still there to lose all its clusters, or all its objects, unless it may.
func TestNothingLeavesForAnEmptySelection(t *testing.T) {
	refused, allowed, went := 0, 0, 0
	for range 3 {
		rapid.Check(t, func(t *rapid.T) {
			before := map[string]*control.Binding{}
			var kept []*krm.Object
			for range rapid.IntRange(2, 5).Draw(t, "commits") {
				w := drawWorld(t)
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
				in := &fn.Input{Items: slices.Concat(items, kept)}
				out := Function.Apply(context.Background(), in)
				lost := w.lost(before, may)
				if out.Failed() {
					refused++
					if len(lost) == 0 {
						t.Fatalf("it fails, and no policy loses all it selected: %s", fn.FormatResult(out.Results[0]))
					}
					continue // what was committed stays
				}
				if len(lost) > 0 {
					t.Fatalf("%s lose all they selected, and nothing says so", lost)
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
	if refused < 20 || allowed < 5 || went < 5 {
		t.Errorf("%d commits are refused, %d selections are allowed to go, %d policies are deleted: too few to tell much", refused, allowed, went)
	}
}

// lost are the policies that select nothing, by the naive resolver, where their Binding names something.
func (w *world) lost(before map[string]*control.Binding, may map[string]bool) (names []string) {
	for name, p := range w.policies {
		b, now := before[name], w.naive(p)
		if b == nil || may[name] {
			continue
		}
		there := slices.ContainsFunc(b.Spec.Destinations, func(d control.Destination) bool { _, is := w.clusters[d.ClusterID]; return is })
		if there && len(now.Destinations) == 0 || size(b.Spec) > 0 && size(now) == 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func size(s control.BindingSpec) int {
	return len(s.Workload.ClusterScope) + len(s.Workload.NamespaceScope)
}
