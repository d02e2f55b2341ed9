package bundling

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// body is what one work holds. Works for several clusters may share it.
type body struct {
	spec  *yaml.Node
	first parcel // the only one, where works hold one object each
}

// bodies divides parcels into works. One that is too large for any work is reported.
func (b *bundler) bodies(s shipment, parcels []parcel) []body {
	lengths := make([]int, len(parcels))
	for i, p := range parcels {
		lengths[i] = p.length
		if size, limit, option := b.opts.limits().tooLarge(p.length); option != "" && !s.broken[p.id] {
			b.fail(p.source, fmt.Errorf("takes %d bytes as it ships, more than the %d that %s allows", size, limit, option))
			s.broken[p.id] = true
		}
	}
	var out []body
	start := 0
	for _, end := range b.opts.limits().cut(lengths) {
		out = append(out, body{workSpec(parcels[start:end], b.resourceOf(parcels)), parcels[start]})
		start = end
	}
	return out
}

// resourceOf gives the plural of a shipped object's kind: its entry's, unless a template changed
// the kind; then that of another object of the same kind, or what is known of the kind.
func (b *bundler) resourceOf(parcels []parcel) func(parcel) string {
	return func(p parcel) string {
		is := func(q parcel) bool { return q.source.Is(p.object.Group(), p.object.Kind()) }
		if is(p) {
			return p.resource
		}
		for _, q := range parcels {
			if is(q) {
				return q.resource
			}
		}
		return b.sources.kinds.Lookup(p.object.Group(), p.object.Kind()).Plural
	}
}

func destinationPath(i int) *field.Path {
	return field.NewPath("spec", "destinations").Index(i).Child("clusterId")
}

// planned is a work that still wants a file.
type planned struct {
	object  *krm.Object
	folder  string
	name    string // of the file
	another string // the name to take when a work of another object has that file
}

// plan makes the n-th work of a Binding for a cluster.
func (s shipment) plan(cluster string, n int, b body, single bool) planned {
	p := planned{folder: folder(cluster, s.binding.binding), name: shardFile(n), another: shardFile(n)}
	work := s.shardName(n)
	if single {
		work = s.objectName(b.first.id)
		shipped := b.first.object.ID()
		p.name, p.another = objectFile(shipped), contestedFile(shipped, b.first.id)
	}
	p.object = s.work(cluster, work, b.spec)
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
