package syncing

import (
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/correspond"
)

// Pair is an object that belongs to a primary, and what its copy is called.
type Pair struct {
	Edge         string
	Origin, Copy correspond.Ref
	// Holds says that the origin is at the source, and has the finalizer as long as it belongs to some primary.
	Holds bool
}

// listPairs lists what is related to primaries, and those of which that is not known.
func (x *index) listPairs(out *Round, all []*relatedObjects) {
	out.Undecided = map[string]bool{}
	for _, p := range x.primaries {
		for _, k := range all {
			f, known := k.found[p.key]
			if !p.removing && (!known || f.err != nil || f.pending) {
				out.Undecided[p.key] = true
			}
			_, at := k.sides(p)
			for _, one := range f.pairs {
				to := correspond.Ref{Place: at.where(), ID: one.to.t.id(one.to.namespace, one.to.name)}
				out.Pairs = append(out.Pairs, Pair{Edge: k.entry.Identifier, Origin: x.refs[one.origin], Copy: to, Holds: !k.toSource})
			}
		}
	}
}

// withPartialView are edges as a live world wants them: what it does not hold may be anywhere, and Gone says what is gone.
func (x *index) withPartialView(edges ...correspond.Edge) []correspond.Edge {
	for i := range edges {
		if x.snapshot.Live {
			edges[i].View = correspond.Partial
		}
	}
	return edges
}

// FinalizerOf is Rule.Finalizer for a configuration of which no Rule can be made, or none any more.
func FinalizerOf(config *waybill.PublishedResource) string {
	return (&Rule{name: controllerName(config)}).Finalizer()
}

// ControllerOf is likewise Rule.Controller.
func ControllerOf(config *waybill.PublishedResource) string { return controllerName(config) }

// isKey reports whether a tag names an object; one that somebody changed may not.
func isKey(key string) bool {
	_, _, err := correspond.ParseKey(key)
	return err == nil
}
