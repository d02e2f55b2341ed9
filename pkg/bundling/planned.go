package bundling

import (
	"strconv"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// planned is a work that still wants a file.
type planned struct {
	object  *krm.Object
	body    *body
	nodes   *workNodes
	folder  string
	name    string // of the file
	another string // the name to take when a work of another object has that file
}

// plan makes a work of a Binding for a cluster.
func (s shipment) plan(cluster string, b *body, single bool) planned {
	file := shardFile(b.number)
	p := planned{body: b, nodes: s.workNodes, folder: folder(cluster, s.binding.binding), name: file, another: file}
	work := s.shardName(strconv.Itoa(b.number))
	if single {
		only := b.batch[0]
		work = s.objectName(only.id)
		shipped := only.named.ID()
		p.name, p.another = objectFile(shipped), contestedFile(shipped, only.id)
	}
	p.object = s.work(cluster, work, b)
	return p
}

// file gives every work its file. One that has a file from an earlier run keeps it, wherever that
// is, so those are known before the others choose.
func file(works []planned, items []*krm.Object) []*krm.Object {
	before := map[krm.ID]string{}
	for _, o := range items {
		if o.Annotation(fn.GeneratedBy) == name {
			before[o.ID()] = o.File()
		}
	}
	taken := map[string]bool{}
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

func (w planned) choose(before string, taken map[string]bool) string {
	path := w.folder + "/" + w.name
	switch {
	case before != "":
		return before
	case taken[path]:
		path = w.folder + "/" + w.another
	}
	taken[path] = true
	return path
}
