package bundling

import (
	"strconv"

	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

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
