package binding

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// earlierBinding is what a Binding of an earlier run names: clusters and objects.
type earlierBinding struct {
	object            *krm.Object
	clusters, objects int
	here              sets.Set[string] // the clusters of the inventory
	bindings          []*krm.Object    // the Bindings, more than one if there are copies
	generated         bool             // this function generated the Binding, or it is gone and its works are left
}

// earlierBindings are the Bindings that this function generated before, by policy. Of copies, which a merge may leave, the
// one that names most counts. In a cloned package a cluster outside the inventory does not count: it is in the fleet
// of the blueprint, and no selector is to blame. A policy that has works for clusters that count and no Binding is there, too, as
// after a user deleted the folder of Bindings because of conflicts.
func (r *resolver) earlierBindings(items []*krm.Object) map[string]earlierBinding {
	out, named, origins := map[string]earlierBinding{}, sets.New[string](), fn.OriginsIn(items)
	addCluster := func(b *earlierBinding, o *krm.Object, cluster string) {
		_, here := r.inventory.Get(cluster)
		b.addCluster(cluster, here, origins.Here(o))
	}
	for _, o := range items {
		if !o.Is(control.Group, control.KindBinding) {
			continue
		}
		if named.Insert(o.Name()); o.Annotation(fn.GeneratedBy) != Name {
			continue
		}
		b := earlierBinding{object: o, generated: true, here: sets.New[string]()}
		for _, n := range entries(o, "destinations") {
			if id := krm.Lookup(n, "clusterId"); id != nil {
				addCluster(&b, o, id.Value)
			}
		}
		if b.clusters > 0 { // else it ships nothing here
			b.bindings = []*krm.Object{o}
			b.objects = len(entries(o, "workload", "clusterScope")) + len(entries(o, "workload", "namespaceScope"))
		}
		out[o.Name()] = out[o.Name()].with(b)
	}
	bindings := maps.Clone(out)
	for _, o := range items {
		policy := policyOfWork(o)
		if _, known := bindings[policy]; known || policy == "" {
			continue
		}
		// works that are handed over outlive their Binding
		b := earlierBinding{object: o, objects: 1, generated: !named.Has(policy) && !o.HasAnnotation(fn.HandOver), here: sets.New[string]()}
		if addCluster(&b, o, o.Namespace()); b.clusters > 0 {
			out[policy] = out[policy].with(b)
		}
	}
	return out
}

// addCluster counts a cluster that is in the inventory, or named by an object that was generated in this package.
func (b *earlierBinding) addCluster(cluster string, inInventory, generatedHere bool) {
	if inInventory {
		b.here.Insert(cluster)
	}
	if inInventory || generatedHere {
		b.clusters++
	}
}

// with combines b and other: the object that comes first, and the larger numbers.
func (b earlierBinding) with(other earlierBinding) earlierBinding {
	if b.object == nil || other.object.Describe() < b.object.Describe() {
		b.object = other.object
	}
	b.generated = b.generated || other.generated
	b.here, b.bindings = b.here.Union(other.here), append(b.bindings, other.bindings...)
	b.clusters, b.objects = max(b.clusters, other.clusters), max(b.objects, other.objects)
	return b
}

// policyOfWork is the policy whose objects a generated ManifestWork ships; "" for other objects.
func policyOfWork(o *krm.Object) string {
	if !fn.IsGeneratedWork(o) {
		return ""
	}
	return o.Labels()[control.OriginBindingLabel]
}

// abandoned is the first Binding, by name, that ships something and whose policy is gone; or works of such a Binding. Works of
// Bindings that users wrote do not count.
func (r *resolver) abandoned(before map[string]earlierBinding) earlierBinding {
	for _, name := range slices.Sorted(maps.Keys(before)) {
		_, exists := slices.BinarySearchFunc(r.policies, name, func(p *match.Policy, name string) int { return cmp.Compare(p.Name, name) })
		if b := before[name]; !exists && b.generated && b.clusters > 0 && b.objects > 0 {
			return b
		}
	}
	return earlierBinding{}
}

// entries are the items of a list in a Binding.
func entries(o *krm.Object, path ...string) []*yaml.Node {
	if n := o.Lookup(append([]string{"spec"}, path...)...); n != nil {
		return krm.Deref(n).Content
	}
	return nil
}

// reportEmpty reports parts of policies that match nothing. If a policy now selects no cluster or no object,
// and its Binding names some, that is an error unless it is allowed: everything that the policy shipped would be deleted.
func (r *resolver) reportEmpty(items []*krm.Object) {
	before := r.earlierBindings(items)
	r.reportNoPolicies(items, before)
	abandoned := r.abandoned(before)
	var labelSets []labels.Set
	for _, c := range r.inventory.Clusters {
		labelSets = append(labelSets, c.Labels)
	}
	for _, p := range r.policies {
		allowed, err := selection.Allowed(p.Object.Annotations())
		if err != nil {
			r.add(fn.FieldErrors(p.Object, field.ErrorList{err}))
		}
		c := emptyCheck{r, p, before[p.Name], allowed || r.opts.AllowEmptySelection}
		if c.before.object == nil { // a new policy, or an old one with a new name
			c.before = abandoned
		}
		if r.inventoryValid {
			c.report(list{field.NewPath("spec", "clusterSelectors"), "cluster", c.before.clusters, len(p.Destinations), c.lostClusters},
				p.UnmatchedSelectors(labelSets))
		}
		if r.candidatesValid {
			c.report(list{field.NewPath("spec", "downsync"), "object", c.before.objects, len(p.Picks), c.lostObjects},
				p.UnmatchedClauses(r.candidates))
		}
	}
}

// reportNoPolicies refuses to delete the Bindings of all policies if there is no policy: their folder may be missing from the
// render, or the kind of the only one misspelt.
func (r *resolver) reportNoPolicies(items []*krm.Object, before map[string]earlierBinding) {
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

// emptyCheck is the check of one policy.
type emptyCheck struct {
	*resolver
	policy  *match.Policy
	before  earlierBinding
	allowed bool
}

// list is a list of selectors of a policy: what it selected before and selects now, and what of that exists and is no longer selected.
type list struct {
	at          *field.Path
	noun        string
	before, now int
	lost        func() []string // it is asked only if a selector matches nothing
}

// lostClusters are the clusters of the inventory that the Binding of the policy names and that the policy no longer selects.
func (c emptyCheck) lostClusters() []string {
	lost := c.before.here.Clone()
	for _, i := range c.policy.Destinations {
		lost.Delete(c.inventory.Clusters[i].Name)
	}
	return sets.List(lost)
}

// lostObjects are the objects of the package that the Binding of the policy names and that the policy no longer selects.
func (c emptyCheck) lostObjects() (lost []string) {
	bound := sets.New[workload.Entry]()
	for _, o := range c.before.bindings {
		bound = bound.Union(boundBy(o))
	}
	for _, p := range c.policy.Picks {
		bound.Delete(p.Entry)
	}
	for _, e := range c.candidates.All {
		if bound.Has(e.Entry) {
			lost = append(lost, e.Object.Title())
		}
	}
	slices.Sort(lost)
	return lost
}

// report reports the parts of a list that match nothing; how severe that is depends on what the list selects.
func (c emptyCheck) report(l list, parts []match.Unmatched) {
	severity := sdk.Warning
	var lost []string
	if len(parts) > 0 && !c.allowed { // one of several selectors may be misspelt
		lost = l.lost()
	}
	switch {
	case c.allowed:
		severity = sdk.Info
	case l.now == 0 && l.before > 0:
		gone, howToAllow := "", selection.HowToAllow
		if l.noun == "cluster" && c.before.here.Len() == 0 { // the inventory changed, not a selector
			gone, howToAllow = ", and the inventory has none of them any more", "restore the inventory, or "+selection.SetAnnotation
		}
		c.resolver.report(sdk.Error, c.policy.Object, l.at,
			"the policy selects no %s, but %s names %s%s: everything the policy ships would be deleted%s; %s",
			l.noun, c.before.object.Describe(), selection.Count(l.before, l.noun), gone, because(parts), howToAllow)
		return
	case len(lost) > 0:
		deleted := "which would be deleted"
		if l.noun == "cluster" {
			deleted = "and everything it ships there would be deleted"
		}
		c.resolver.report(sdk.Error, c.policy.Object, l.at, "the policy no longer selects %s of %s (first %s), %s%s; %s",
			selection.Count(len(lost), l.noun), c.before.object.Describe(), lost[0], deleted, because(parts), selection.HowToAllow)
		return
	}
	for _, part := range parts {
		c.resolver.report(severity, c.policy.Object, part.At, "%s", part.Text)
	}
}

// maxReasons is the most parts that an error names.
const maxReasons = 5

func because(parts []match.Unmatched) string {
	var b strings.Builder
	for i, part := range parts {
		if i == maxReasons {
			fmt.Fprintf(&b, "; and %d more", len(parts)-i)
			break
		}
		fmt.Fprintf(&b, "; %s %s", part.At, part.Text)
	}
	return b.String()
}
