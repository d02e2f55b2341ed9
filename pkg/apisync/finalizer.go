package apisync

import (
	"cmp"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// maxFinalizerName limits the name of a finalizer, after the slash.
const maxFinalizerName = 63

// Finalizer is the finalizer that a controller adds to source objects, and to related objects that are written at the source,
// before it creates copies of them. Each agent and configuration has its own.
func (r *Rule) Finalizer() string {
	name := "sync." + r.name
	if len(name) > maxFinalizerName {
		name = name[:maxFinalizerName-21] + "-" + Hash(r.name)[:20]
	}
	return waybill.Group + "/" + name
}

func (x *index) hasFinalizer(o *krm.Object) bool {
	return slices.Contains(o.Finalizers(), x.rule.Finalizer())
}

// mayHaveCopies reports whether an object may have copies: in a live snapshot it needs the finalizer first.
func (x *index) mayHaveCopies(o *krm.Object) bool { return !x.snapshot.Live || x.hasFinalizer(o) }

// finalize plans which finalizers to add and remove. An object gets its finalizer before its first copy is created, and
// loses it once no copy is left.
func (x *index) finalize(out *Round, all []*relatedObjects) {
	if !x.snapshot.Live {
		return
	}
	for _, p := range x.primaries {
		if p.object == nil {
			continue
		}
		switch has := x.hasFinalizer(p.object); {
		case has && p.removing && p.copies == 0 && x.existingCopy(p) == nil && len(x.related[p.key]) == 0:
			out.RemoveFinalizers = append(out.RemoveFinalizers, p.object)
		case !has && !p.removing && !p.retained:
			out.AddFinalizers = append(out.AddFinalizers, p.object)
		}
	}
	x.finalizeOrigins(out, all)
}

// finalizeOrigins does the same for related objects that are written at the source.
func (x *index) finalizeOrigins(out *Round, all []*relatedObjects) {
	wanted, copied := map[*krm.Object]bool{}, map[string]bool{}
	for _, k := range all {
		for _, f := range k.found {
			for _, one := range f.pairs {
				wanted[one.origin] = wanted[one.origin] || k.FromSource
			}
		}
	}
	for _, edges := range x.related {
		for _, copies := range edges {
			for _, o := range copies {
				copied[applyset.TagsOf(o).Input] = true
			}
		}
	}
	for _, o := range x.snapshot.Items {
		ref, known := x.refs[o]
		if !known || x.byRef[ref] != o || x.rule.remote.is(o) || ref.Place == "" || ref.Place == elsewhere {
			continue
		}
		switch has := x.hasFinalizer(o); {
		case wanted[o] && !has && !isDeleting(o):
			out.AddFinalizers = append(out.AddFinalizers, o)
		case has && !wanted[o] && !copied[ref.String()] && !x.isUndecided(all):
			out.RemoveFinalizers = append(out.RemoveFinalizers, o)
		}
	}
}

// isUndecided reports whether the related objects of some primary are not known: its origins keep their finalizers.
func (x *index) isUndecided(all []*relatedObjects) bool {
	for _, k := range all {
		for _, p := range x.primaries {
			if !p.removing && k.FromSource && !k.isKnown(p.key) {
				return true
			}
		}
	}
	return false
}

// FinalizerOf is Rule.Finalizer for a configuration of which no Rule can be compiled.
func FinalizerOf(config *waybill.PublishedResource) string {
	return (&Rule{name: ControllerOf(config)}).Finalizer()
}

// builtinNamespaces exist in every cluster.
var builtinNamespaces = []string{"default", "kube-system", "kube-public", "kube-node-lease"}

// needNamespaces lists the namespaces that must exist before objects are created in them.
func (x *index) needNamespaces(out *Round) {
	needed := sets.Set[applyset.Ref]{}
	for _, op := range out.Operations {
		ref := refOfNamespace(op.Ref)
		if op.Action == applyset.ActionCreate && op.Ref.Namespace != "" && x.byRef[ref] == nil &&
			!slices.Contains(builtinNamespaces, ref.Name) {
			needed.Insert(ref)
		}
	}
	out.Namespaces = slices.SortedFunc(maps.Keys(needed), func(a, b applyset.Ref) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Name, b.Name))
	})
}
