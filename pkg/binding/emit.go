package binding

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/transform"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Path is the file of the Binding of a policy.
func Path(policy string) string { return "bindings/" + policy + ".yaml" }

// binding is the Binding of a resolved policy. All Bindings share the nodes of entries, so that
// a thousand clusters in a hundred policies are a thousand nodes.
func (r *resolver) binding(p *match.Policy) *krm.Object {
	o := krm.FromNode(nodeOf(&control.Binding{
		TypeMeta:   control.TypeMeta{APIVersion: control.APIVersion, Kind: control.KindBinding},
		ObjectMeta: metav1.ObjectMeta{Name: p.Name, OwnerReferences: owner(p.BindingPolicy)},
	}))
	var cluster, namespaced, destinations []*yaml.Node
	for _, e := range p.Picks {
		if e.Namespace == "" {
			cluster = append(cluster, r.nodeOfPick(e))
		} else {
			namespaced = append(namespaced, r.nodeOfPick(e))
		}
	}
	for _, i := range p.Destinations {
		destinations = append(destinations, r.nodeOfCluster(i))
	}
	scopes := o.Lookup("spec", "workload")
	setList(scopes, "clusterScope", cluster)
	setList(scopes, "namespaceScope", namespaced)
	setList(o.Lookup("spec"), "destinations", destinations)
	o.SetAnnotation(fn.Origin, p.Object.ID().String())
	if text := declaredKinds(p); text != "" {
		o.SetAnnotation(workload.ResourcesAnnotation, text)
	}
	if policy, _ := workload.PropagationPolicyOf(p.Object, workload.PropagationPolicies...); policy != "" {
		o.SetAnnotation(workload.PropagationPolicyAnnotation, policy)
	}
	o.SetPath(Path(p.Name), 0)
	return o
}

// declaredKinds is what the Binding tells other functions about its kinds.
func declaredKinds(p *match.Policy) string {
	entries := sets.New[string]()
	for _, e := range p.Picks {
		if e.Declared != "" {
			entries.Insert(e.Declared)
		}
	}
	return strings.Join(sets.List(entries), ";")
}

// setList adds a list in block style, unless it is empty.
func setList(m *yaml.Node, key string, items []*yaml.Node) {
	if len(items) > 0 {
		m.Style = 0 // an empty map is written as {}
		krm.SetField(m, key, &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: items})
	}
}

// nodeOfPick is the entry of an object. It is made once for all policies with the same modulation,
// unless that has collectors.
func (r *resolver) nodeOfPick(e match.Pick) *yaml.Node {
	m := e.Modulation
	if len(m.StatusCollectors) > 0 {
		return nodeOf(r.typedPick(e))
	}
	key := entryKey{e.Index, [3]bool{m.CreateOnly, m.WantSingletonReportedState, m.WantMultiWECReportedState}}
	if r.entries[key] == nil {
		r.entries[key] = nodeOf(r.typedPick(e))
	}
	return r.entries[key]
}

// entryKey is what an entry of a Binding without collectors depends on.
type entryKey struct {
	object int
	flags  [3]bool
}

func (r *resolver) typedPick(e match.Pick) any {
	if e.Namespace == "" {
		return control.ClusterScopeObject{
			Group: e.Group, Version: e.Version, Resource: e.Resource, Name: e.Name,
			ResourceVersion: r.digestOf(e.Candidate), Modulation: e.Modulation,
		}
	}
	return control.NamespaceScopeObject{
		Group: e.Group, Version: e.Version, Resource: e.Resource, Namespace: e.Namespace, Name: e.Name,
		ResourceVersion: r.digestOf(e.Candidate), Modulation: e.Modulation,
	}
}

// nodeOfCluster is the entry of a destination, made once.
func (r *resolver) nodeOfCluster(i int) *yaml.Node {
	if r.clusters[i] == nil {
		r.clusters[i] = nodeOf(control.Destination{ClusterID: r.inventory.Clusters[i].Name})
	}
	return r.clusters[i]
}

// nodeOf is the node of one of the types of a Binding, which always encode.
func nodeOf(v any) *yaml.Node {
	n, err := krm.NodeOf(v)
	if err != nil {
		panic(fmt.Sprintf("write %T: %v", v, err))
	}
	return n
}

// owner is a reference to the policy; without a uid it would be invalid.
func owner(p *control.BindingPolicy) []metav1.OwnerReference {
	if p.UID == "" {
		return nil
	}
	return []metav1.OwnerReference{{
		APIVersion: control.APIVersion, Kind: control.KindBindingPolicy, Name: p.Name, UID: p.UID,
		Controller: new(true), BlockOwnerDeletion: new(false),
	}}
}

// digestOf is the version of an object in Bindings, computed at most once.
func (r *resolver) digestOf(e *match.Candidate) string {
	if r.digests[e.Index] == "" {
		r.digests[e.Index] = transform.Digest(e.Object, e.Namespace, e.Group, e.Resource, r.transforms)
	}
	return r.digests[e.Index]
}
