package bundling

import (
	"strconv"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/bundling/bindings"
	"github.com/waybill-dev/waybill/pkg/bundling/packing"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// overflows are the works whose objects have outgrown a limit, with their clusters.
type overflows map[overflow][]string

type overflow struct {
	object *krm.Object // the Binding
	work   string
	limit  packing.Limit
}

func (o overflows) add(bd bindings.Binding, cluster string, works []packing.Overfull) {
	for _, w := range works {
		key := overflow{bd.Object, bd.ShardName(strconv.Itoa(w.Number)), w.Limit}
		o[key] = append(o[key], cluster)
	}
}

// results has one error for each work and limit, whatever the number of clusters.
func (o overflows) results() (out sdk.Results) {
	for key, clusters := range o {
		out = append(out, fn.NewResult(sdk.Error, key.object, nil,
			"the objects of work %q on %s have outgrown %s, and an object that moves to another work would be deleted and created again; "+
				"set overflow: move, which hands objects over to another work, or %s",
			key.work, clusterList(clusters), key.limit.Describe(), key.limit.Remedy()))
	}
	return byMessage(out)
}

// warnLargeWorks warns of works that are too large for client-side apply.
func (b *bundler) warnLargeWorks(works []plannedWork) {
	if b.opts.ApplyWith != anyApply {
		return
	}
	large := 0
	for _, w := range works {
		if w.body.sent()+packing.AroundWork > packing.MaxAnnotations {
			large++
		}
	}
	if large > 0 {
		b.report(sdk.Warning, nil, nil, "%d of %d works are too large for client-side apply, which puts a copy of the work into an annotation "+
			"of at most %d bytes; "+
			"apply them to the hub with server-side apply and set applyWith: server-side, or set applyWith: client-side to have smaller works",
			large, len(works), packing.MaxAnnotations)
	}
}
