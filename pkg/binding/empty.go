package binding

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// bound is what a Binding of an earlier run names: clusters, and objects.
type bound struct {
	object            *krm.Object
	clusters, objects int
	here              int // of the clusters, those that the inventory has

	generated bool // it is a Binding that this function generated, or works of one that is gone
}

// boundBefore are the Bindings that this function generated before, by policy. Of copies, which a merge may leave, the
// one that names most counts. In what a clone came with, a cluster that is not in the inventory does not count: it is of the fleet
// of the blueprint, and that it is not selected is no selector's fault.
func (r *resolver) boundBefore(items []*krm.Object) map[string]bound {
	out, origins := map[string]bound{}, fn.OriginsIn(items)
	counts := func(o *krm.Object, cluster string) (here, counted bool) {
		_, here = r.inventory.Get(cluster)
		return here, here || origins.Here(o)
	}
	for _, o := range items {
		if o.Annotation(fn.GeneratedBy) != Name || !o.Is(control.Group, control.KindBinding) {
			continue
		}
		b := bound{object: o, generated: true}
		b.objects = len(entries(o, "workload", "clusterScope")) + len(entries(o, "workload", "namespaceScope"))
		for _, n := range entries(o, "destinations") {
			if id := krm.Lookup(n, "clusterId"); id != nil {
				b = b.plus(counts(o, id.Value))
			}
		}
		if b.clusters == 0 { // it ships nothing here
			b.objects = 0
		}
		out[o.Name()] = out[o.Name()].with(b)
	}
	return withoutBinding(out, items, counts)
}

// plus is b with one more cluster, if that counts.
func (b bound) plus(here, counted bool) bound {
	if counted {
		b.clusters++
	}
	if here {
		b.here++
	}
	return b
}

// withoutBinding adds policies that have works for clusters that count and no Binding, as after the folder of Bindings was deleted
// because of conflicts in it.
func withoutBinding(bindings map[string]bound, items []*krm.Object,
	counts func(o *krm.Object, cluster string) (here, counted bool)) map[string]bound {
	out, named := maps.Clone(bindings), map[string]bool{}
	for _, o := range items {
		if o.Is(control.Group, control.KindBinding) {
			named[o.Name()] = true
		}
	}
	for _, o := range items {
		policy := policyOfWork(o)
		if _, known := bindings[policy]; known || policy == "" {
			continue
		}
		gone := !named[policy] && !o.HasAnnotation(fn.HandOver) // what is handed over outlives its Binding
		if b := (bound{object: o, objects: 1, generated: gone}).plus(counts(o, o.Namespace())); b.clusters > 0 {
			out[policy] = out[policy].with(b)
		}
	}
	return out
}

// with is b and other together: the object that comes first, and the larger numbers.
func (b bound) with(other bound) bound {
	if b.object == nil || other.object.Describe() < b.object.Describe() {
		b.object = other.object
	}
	b.generated = b.generated || other.generated
	b.clusters, b.objects, b.here = max(b.clusters, other.clusters), max(b.objects, other.objects), max(b.here, other.here)
	return b
}

// policyOfWork is the policy whose objects a generated ManifestWork ships; "" for other objects.
func policyOfWork(o *krm.Object) string {
	if !fn.IsGeneratedWork(o) {
		return ""
	}
	return o.Labels()[control.OriginBindingLabel]
}

// abandoned is a Binding that ships something and that no policy stands for any more, or works of such a Binding that is gone; the
// first by name. Works of Bindings that people wrote do not count.
func (r *resolver) abandoned(before map[string]bound) bound {
	for _, name := range slices.Sorted(maps.Keys(before)) {
		_, stands := slices.BinarySearchFunc(r.policies, name, func(p *match.Policy, name string) int { return cmp.Compare(p.Name, name) })
		if b := before[name]; !stands && b.generated && b.clusters > 0 && b.objects > 0 {
			return b
		}
	}
	return bound{}
}

// entries are those of a list in a Binding.
func entries(o *krm.Object, path ...string) []*yaml.Node {
	if n := o.Lookup(append([]string{"spec"}, path...)...); n != nil {
		return krm.Deref(n).Content
	}
	return nil
}

// reportEmpty reports what policies say that matches nothing. Where a policy so comes to select no cluster or no object,
// and its Binding names some, that is an error unless it is allowed: everything that the policy shipped would go.
func (r *resolver) reportEmpty(items []*krm.Object) {
	before := r.boundBefore(items)
	r.reportNoPolicies(items, before)
	abandoned := r.abandoned(before)
	var sets []labels.Set
	for _, c := range r.inventory.Clusters {
		sets = append(sets, c.Labels)
	}
	for _, p := range r.policies {
		allowed, err := selection.Allowed(p.Object.Annotations())
		if err != nil {
			r.fault(p.Object, field.ErrorList{err})
		}
		j := emptiness{r, p, before[p.Name], allowed || r.opts.AllowEmptySelection}
		if j.before.object == nil { // a new policy, or an old one under a new name
			j.before = abandoned
		}
		if r.fleetSound {
			j.report(field.NewPath("spec", "clusterSelectors"), "cluster", j.before.clusters, len(p.Destinations), p.UnmatchedSelectors(sets))
		}
		if r.countable {
			j.report(field.NewPath("spec", "downsync"), "object", j.before.objects, len(p.Picks), p.UnmatchedClauses(r.universe))
		}
	}
}

// reportNoPolicies refuses to delete the Bindings of all policies because there is none: their folder may be left out of the
// render, or the only one be misspelt.
func (r *resolver) reportNoPolicies(items []*krm.Object, before map[string]bound) {
	isPolicy := func(o *krm.Object) bool { return o.Is(control.Group, control.KindBindingPolicy) }
	if r.opts.AllowEmptySelection || slices.ContainsFunc(items, isPolicy) {
		return
	}
	var names []string
	for name, b := range before {
		if b.clusters > 0 && b.objects > 0 {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		r.report(sdk.Error, nil, nil, "there is no BindingPolicy, but what earlier runs generated for %s (first %q) would be deleted, "+
			"and everything that ships; restore the policies, or %s",
			selection.Count(len(names), "BindingPolicy object"), slices.Min(names), selection.SetOption)
	}
}

// emptiness judges one policy.
type emptiness struct {
	*resolver
	policy  *match.Policy
	before  bound
	allowed bool
}

// report says what of a list of the policy matches nothing, and whether that may be.
func (j emptiness) report(list *field.Path, noun string, before, now int, parts []match.Unmatched) {
	severity := sdk.Warning
	switch {
	case j.allowed:
		severity = sdk.Info
	case now == 0 && before > 0:
		gone, howToAllow := "", selection.HowToAllow
		if noun == "cluster" && j.before.here == 0 { // the inventory changed, and no selector
			gone, howToAllow = ", and the inventory has none of them any more", "restore the inventory, or "+selection.SetAnnotation
		}
		j.resolver.report(sdk.Error, j.policy.Object, list,
			"the policy selects no %s, but %s names %s%s: everything the policy ships would be deleted%s; %s",
			noun, j.before.object.Describe(), selection.Count(before, noun), gone, because(parts), howToAllow)
		return
	}
	for _, part := range parts {
		j.resolver.report(severity, j.policy.Object, part.At, "%s", part.Text)
	}
}

// mostReasons is how many parts an error names.
const mostReasons = 5

func because(parts []match.Unmatched) string {
	var b strings.Builder
	for i, part := range parts {
		if i == mostReasons {
			fmt.Fprintf(&b, "; and %d more", len(parts)-i)
			break
		}
		fmt.Fprintf(&b, "; %s %s", part.At, part.Text)
	}
	return b.String()
}
