package bundling

import (
	"strconv"

	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// plannedWork is a work that still wants a file.
type plannedWork struct {
	object  *krm.Object
	body    *body
	nodes   *workNodes
	folder  string
	name    string // of the file
	another string // the name to take when another work has that file
}

// plan makes a work of a Binding for a cluster.
func (s shipment) plan(cluster string, b *body, single bool) plannedWork {
	work := s.ShardName(strconv.Itoa(b.number))
	p := plannedWork{body: b, nodes: s.workNodes, folder: naming.Folder(cluster, s.Binding.Binding), name: naming.ShardFile(b.number), another: naming.WorkFile(work)}
	if single {
		only := b.batch[0]
		work = s.ObjectName(only.id)
		shippedObject := only.named.ID()
		p.name, p.another = naming.ObjectFile(shippedObject), naming.ContestedFile(shippedObject, only.id)
	}
	p.object = s.work(cluster, work, b)
	return p
}

// file gives every work its file. One that has a file from an earlier run keeps it, wherever that
// is, so those are known before the others choose. Files that hold something else are taken, too.
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

// choose is the file that the work had before, else the first of its names that no other work has.
func (w plannedWork) choose(before string, taken map[string]bool) string {
	if before != "" {
		return before
	}
	for n := 0; ; n++ {
		if path := w.folder + "/" + w.fileName(n); !taken[path] {
			taken[path] = true
			return path
		}
	}
}

// fileName is the name to take when n others are taken.
func (w plannedWork) fileName(n int) string {
	switch n {
	case 0:
		return w.name
	case 1:
		return w.another
	}
	return naming.WorkFile(w.object.Name() + "-" + strconv.Itoa(n))
}
