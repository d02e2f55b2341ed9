package bundling

import (
	"crypto/sha256"
	"encoding/hex"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// What ties a work to the Binding it came from; KubeStellar finds works by these.
const (
	BindingLabel         = control.OriginBindingLabel
	WDSLabel             = "transport.kubestellar.io/originWdsName"
	GenerationAnnotation = "transport.kubestellar.io/originOwnerReferenceBindingGeneration"
)

const workGroup, workKind = "work.open-cluster-management.io", "ManifestWork"

// origin is what every work of one Binding has in common.
type origin struct {
	binding    string
	wds        string
	generation string
	id         krm.ID
}

// shardName names the work of that number of a Binding in a cluster.
func (o origin) shardName(number string) string {
	return o.binding + "-" + o.wds + "-" + number
}

// objectName names the work that holds just that object. KubeStellar takes UIDs, which Git does
// not have; the identity stays the same as long.
func (o origin) objectName(id krm.ID) string {
	return o.binding + "-" + o.wds + "-" + shortHash(id)
}

// shortHash is 12 hex digits that stand for an identity.
func shortHash(id krm.ID) string {
	sum := sha256.Sum256([]byte(id.String()))
	return hex.EncodeToString(sum[:])[:12]
}

// workNodes are the parts of a work that all works of a Binding have in common. Works share the
// nodes: to change a work is to change a copy.
type workNodes struct {
	top         []*yaml.Node // apiVersion and kind
	metadata    *yaml.Node   // the key; the others are too
	namespace   *yaml.Node
	name        *yaml.Node
	labels      []*yaml.Node // key and value
	annotations *yaml.Node
	origin      []*yaml.Node // annotations that say where it came from
}

func (o origin) workNodes() *workNodes {
	return newWorkNodes(o.binding, o.wds, o.generation, o.id.String())
}

func newWorkNodes(binding, wds, generation, origin string) *workNodes {
	return &workNodes{
		top:      fields("apiVersion", workGroup+"/v1", "kind", workKind).Content,
		metadata: krm.StringNode("metadata"), namespace: krm.StringNode("namespace"), name: krm.StringNode("name"),
		labels:      fields("labels", fields(BindingLabel, binding, WDSLabel, wds)).Content,
		annotations: krm.StringNode("annotations"),
		origin:      fields(GenerationAnnotation, generation, fn.Origin, origin).Content,
	}
}

// work is a ManifestWork around spec, which several works may share: nobody edits it.
func (n *workNodes) work(cluster, name string, spec krm.Deferred) *krm.Object {
	const marksToCome = 10 // room for the path, the index and the mark of being generated
	annotations := krm.MapNode(append(make([]*yaml.Node, 0, len(n.origin)+marksToCome), n.origin...)...)
	metadata := krm.MapNode(n.namespace, textNode(cluster), n.name, textNode(name),
		n.labels[0], n.labels[1], n.annotations, annotations)
	return krm.WithDeferred(krm.MapNode(n.top[0], n.top[1], n.top[2], n.top[3], n.metadata, metadata), "spec", spec)
}

// fields is a mapping of alternating names and values; a value is a string or a node.
func fields(namesAndValues ...any) *yaml.Node {
	m := krm.MapNode()
	for i := 0; i < len(namesAndValues); i += 2 {
		value, isNode := namesAndValues[i+1].(*yaml.Node)
		if !isNode {
			value = textNode(namesAndValues[i+1].(string))
		}
		m.Content = append(m.Content, krm.StringNode(namesAndValues[i].(string)), value)
	}
	return m
}

func listNode(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: items}
}
