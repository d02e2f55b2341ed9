package bundling

import (
	"cmp"
	"slices"
	"strconv"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// overflows are the works whose objects have outgrown the limits, with the clusters where they have.
type overflows map[overflow][]string

type overflow struct {
	object *krm.Object // the Binding
	work   string      // its name
}

func (o overflows) note(bd binding, cluster string, numbers []int) {
	for _, n := range numbers {
		key := overflow{bd.object, bd.shardName(strconv.Itoa(n))}
		o[key] = append(o[key], cluster)
	}
}

// results has one error for each work, whatever the number of clusters.
func (o overflows) results() (out sdk.Results) {
	for key, clusters := range o {
		out = append(out, fn.NewResult(sdk.Error, key.object, nil,
			"the objects of work %q on %s have outgrown the limits of one work, and an object that moves to another work would be deleted and created again; "+
				"make the objects smaller, raise maxSize and manifestLimit as far as the hub allows, or set overflow: move, which hands objects over to another work",
			key.work, some(clusters)))
	}
	slices.SortFunc(out, func(a, b *sdk.Result) int { return cmp.Compare(a.Message, b.Message) })
	return out
}

// maxAnnotations is how much an API server takes in the annotations of an object, and so how large a work
// may be that client-side apply writes.
const maxAnnotations = 262_144

// noteLarge warns of works that client-side apply cannot write.
func (b *bundler) noteLarge(works []planned) {
	if b.opts.ApplyWith != anyApply {
		return
	}
	large := 0
	for _, w := range works {
		if w.body.sent()+aroundWork > maxAnnotations {
			large++
		}
	}
	if large > 0 {
		b.report(sdk.Warning, nil, nil, "%d of %d works are too large for client-side apply, which puts a copy of the work into an annotation of at most %d bytes; "+
			"apply them to the hub with server-side apply and set applyWith: server-side, or set applyWith: client-side to have smaller works", large, len(works), maxAnnotations)
	}
}
