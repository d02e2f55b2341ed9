package bundling

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// workNodes are the nodes that all works of a Binding share. Change only a copy of a work.
type workNodes struct {
	top         []*yaml.Node // apiVersion and kind
	metadata    *yaml.Node   // the key; the others are too
	namespace   *yaml.Node
	name        *yaml.Node
	labels      []*yaml.Node // key and value
	annotations *yaml.Node
	origin      []*yaml.Node // annotations that name the Binding
}

func newWorkNodes(o naming.Origin) *workNodes {
	return &workNodes{
		top:      manifest.Map("apiVersion", naming.WorkGroup+"/v1", "kind", naming.WorkKind).Content,
		metadata: krm.StringNode("metadata"), namespace: krm.StringNode("namespace"), name: krm.StringNode("name"),
		labels:      manifest.Map("labels", manifest.Map(control.OriginBindingLabel, o.Binding, naming.WDSLabel, o.WDS)).Content,
		annotations: krm.StringNode("annotations"),
		origin:      manifest.Map(naming.GenerationAnnotation, o.Generation, fn.Origin, o.Source).Content,
	}
}

// work is a ManifestWork with that spec, which several works may share.
func (n *workNodes) work(cluster, name string, spec krm.Deferred) *krm.Object {
	const more = 10 // room for the annotations with the path, the index and the generator
	annotations := krm.MapNode(append(make([]*yaml.Node, 0, len(n.origin)+more), n.origin...)...)
	metadata := krm.MapNode(n.namespace, manifest.String(cluster), n.name, manifest.String(name),
		n.labels[0], n.labels[1], n.annotations, annotations)
	return krm.WithDeferred(krm.MapNode(n.top[0], n.top[1], n.top[2], n.top[3], n.metadata, metadata), "spec", spec)
}
