package binding

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Path is where the Binding of a policy is filed.
func Path(policy string) string { return "bindings/" + policy + ".yaml" }

// binding is the Binding of a resolved policy. Entries are nodes that all Bindings share, so that
// a thousand clusters in a hundred policies are written down a thousand times.
func (r *resolver) binding(p *policy) *krm.Object {
	o := krm.FromNode(nodeOf(&control.Binding{
		TypeMeta:   control.TypeMeta{APIVersion: control.APIVersion, Kind: control.KindBinding},
		ObjectMeta: metav1.ObjectMeta{Name: p.Name, OwnerReferences: owner(p.BindingPolicy)},
	}))
	var cluster, namespaced, destinations []*yaml.Node
	for _, e := range p.picks {
		if e.namespace == "" {
			cluster = append(cluster, r.nodeOfPick(e))
		} else {
			namespaced = append(namespaced, r.nodeOfPick(e))
		}
	}
	for _, i := range p.destinations {
		destinations = append(destinations, r.nodeOfCluster(i))
	}
	workload := o.Lookup("spec", "workload")
	setList(workload, "clusterScope", cluster)
	setList(workload, "namespaceScope", namespaced)
	setList(o.Lookup("spec"), "destinations", destinations)
	o.SetAnnotation(fn.Origin, p.object.ID().String())
	o.SetPath(Path(p.Name), 0)
	return o
}

// setList adds a list in block style, unless it is empty.
func setList(m *yaml.Node, key string, items []*yaml.Node) {
	if len(items) > 0 {
		m.Style = 0 // an empty map is written as {}
		krm.SetField(m, key, &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: items})
	}
}

// nodeOfPick is the entry of an object. Without modulation it is made once.
func (r *resolver) nodeOfPick(e pick) *yaml.Node {
	w := e.wants
	plain := !w.CreateOnly && !w.WantSingletonReportedState && !w.WantMultiWECReportedState && len(w.StatusCollectors) == 0
	if plain && e.node != nil {
		return e.node
	}
	n := nodeOf(r.typedPick(e))
	if plain {
		e.node = n
	}
	return n
}

func (r *resolver) typedPick(e pick) any {
	if e.namespace == "" {
		return control.ClusterScopeObject{
			Group: e.group, Version: e.version, Resource: e.resource, Name: e.name,
			ResourceVersion: r.digestOf(e.entry), Modulation: e.wants,
		}
	}
	return control.NamespaceScopeObject{
		Group: e.group, Version: e.version, Resource: e.resource, Namespace: e.namespace, Name: e.name,
		ResourceVersion: r.digestOf(e.entry), Modulation: e.wants,
	}
}

// nodeOfCluster is the entry of a destination, made once.
func (r *resolver) nodeOfCluster(i int) *yaml.Node {
	if r.clusters == nil {
		r.clusters = make([]*yaml.Node, len(r.inventory.Clusters))
	}
	if r.clusters[i] == nil {
		r.clusters[i] = nodeOf(control.Destination{ClusterID: r.inventory.Clusters[i].Name})
	}
	return r.clusters[i]
}

// nodeOf writes down one of the types of a Binding, which hold nothing that cannot be.
func nodeOf(v any) *yaml.Node {
	n, err := krm.NodeOf(v)
	if err != nil {
		panic(fmt.Sprintf("write %T: %v", v, err))
	}
	return n
}

// owner refers to the policy when it has a uid, without which a reference is invalid.
func owner(p *control.BindingPolicy) []metav1.OwnerReference {
	if p.UID == "" {
		return nil
	}
	yes, no := true, false
	return []metav1.OwnerReference{{
		APIVersion: control.APIVersion, Kind: control.KindBindingPolicy, Name: p.Name, UID: p.UID,
		Controller: &yes, BlockOwnerDeletion: &no,
	}}
}
