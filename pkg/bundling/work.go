package bundling

import (
	"strconv"

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

// plannedWork is a work that has no file yet.
type plannedWork struct {
	object *krm.Object
	body   *body
	nodes  *workNodes
	folder string
	files  []string // names for its file, the preferred one first
}

// plan makes a work of a Binding for a cluster.
func (s shipment) plan(cluster string, b *body, single bool) plannedWork {
	work := s.ShardName(strconv.Itoa(b.number))
	p := plannedWork{body: b, nodes: s.workNodes, folder: naming.Folder(cluster, s.Binding.Binding),
		files: []string{naming.ShardFile(b.number), naming.WorkFile(work)}}
	if single {
		source, named := b.batch[0].id, b.batch[0].named.ID()
		work, p.files = s.ObjectName(source), []string{naming.ObjectFile(named), naming.ContestedFile(named, source)}
	}
	p.object = s.work(cluster, work, b)
	return p
}

// file gives every work its file. A work of an earlier run keeps its file, wherever it is; so these files are
// taken first. Files that hold other objects are also taken.
func file(works []plannedWork, items []*krm.Object) []*krm.Object {
	before, taken := map[krm.ID]string{}, map[string]bool{}
	for _, o := range items {
		if o.Annotation(fn.GeneratedBy) == naming.Function {
			before[o.ID()] = o.File()
		} else {
			taken[o.File()] = true
		}
	}
	for _, w := range works {
		taken[before[w.object.ID()]] = true
	}
	out := make([]*krm.Object, len(works))
	for i, w := range works {
		out[i] = w.object
		w.object.SetPath(w.choose(before[w.object.ID()], taken), 0)
	}
	return out
}

// choose is the file that the work had before, else the first of its names that is free.
func (w plannedWork) choose(before string, taken map[string]bool) string {
	if before != "" {
		return before
	}
	for n := 0; ; n++ {
		file := naming.WorkFile(w.object.Name() + "-" + strconv.Itoa(n))
		if n < len(w.files) {
			file = w.files[n]
		}
		if path := w.folder + "/" + file; !taken[path] {
			taken[path] = true
			return path
		}
	}
}
