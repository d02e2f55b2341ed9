package bundling

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

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

func newWorkNodes(o naming.Origin) *workNodes {
	return &workNodes{
		top:      manifest.Map("apiVersion", naming.WorkGroup+"/v1", "kind", naming.WorkKind).Content,
		metadata: krm.StringNode("metadata"), namespace: krm.StringNode("namespace"), name: krm.StringNode("name"),
		labels:      manifest.Map("labels", manifest.Map(control.OriginBindingLabel, o.Binding, naming.WDSLabel, o.WDS)).Content,
		annotations: krm.StringNode("annotations"),
		origin:      manifest.Map(naming.GenerationAnnotation, o.Generation, fn.Origin, o.Source).Content,
	}
}

// work is a ManifestWork around spec, which several works may share: nobody edits it.
func (n *workNodes) work(cluster, name string, spec krm.Deferred) *krm.Object {
	const marksToCome = 10 // room for the path, the index and the mark of being generated
	annotations := krm.MapNode(append(make([]*yaml.Node, 0, len(n.origin)+marksToCome), n.origin...)...)
	metadata := krm.MapNode(n.namespace, manifest.String(cluster), n.name, manifest.String(name),
		n.labels[0], n.labels[1], n.annotations, annotations)
	return krm.WithDeferred(krm.MapNode(n.top[0], n.top[1], n.top[2], n.top[3], n.metadata, metadata), "spec", spec)
}
