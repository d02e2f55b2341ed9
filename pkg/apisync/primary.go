package apisync

import (
	"cmp"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// primary is an object that a consumer created, or what remains of it.
type primary struct {
	key, cluster, path string
	object             *krm.Object // nil when it is known to be deleted
	copy               *krm.Object // the existing copy; nil when there is none, or several
	copies             int
	removing           bool // its copy is to be deleted: the primary is being deleted, or deleted, or no longer selected
	retained           bool // it is no longer selected, and its copy stays as it is
}

// findPrimaries lists the objects that consumers created, and those that are known to be deleted.
func (x *index) findPrimaries(sources []*krm.Object) {
	unmatched := x.filterSelectsNone(sources)
	none := unmatched && x.rule.config.Spec.Filter.DeletesExcluded()
	for _, o := range sources {
		ref := x.refs[o]
		if x.byRef[ref] != o { // another item for it counts; the engine reports that
			x.duplicates[ref.String()] = append(x.duplicates[ref.String()], o)
			continue
		}
		p := &primary{key: ref.String(), cluster: ref.Place, object: o, removing: isDeleting(o)}
		if selected, known := x.selects(o, ref); !p.removing && !selected {
			p.removing = known && x.rule.config.Spec.Filter.DeletesExcluded() && !none
			p.retained = !p.removing
			if known && none && len(x.copies[p.key]) > 0 {
				x.unplaced = append(x.unplaced, unplaced{o,
					noneSelected + ", so its copy stays" + x.filterParts(sources) + "; " + selection.HowToAllow})
			}
		}
		x.addPrimary(p)
	}
	if unmatched && len(x.unplaced) == 0 {
		x.unmatched = noneSelected + x.filterParts(sources)
	}
	for owner := range x.owners() {
		if cluster, _, err := applyset.ParseKey(owner); err == nil && x.byKey[owner] == nil && x.isGone(owner, len(sources) > 0) {
			x.addPrimary(&primary{key: owner, cluster: cluster, removing: true})
		}
	}
	slices.SortFunc(x.primaries, func(a, b *primary) int { return cmp.Compare(a.key, b.key) })
}

// isGone reports whether a primary that does not exist here was deleted, and is not only elsewhere. In files, the absence
// of all objects of its type is unlikely to be intended.
func (x *index) isGone(key string, others bool) bool {
	switch {
	case !x.rule.config.Complete():
		return false
	case x.snapshot.Live:
		return x.snapshot.Gone != nil && x.snapshot.Gone(key)
	}
	_, id, err := applyset.ParseKey(key)
	ofType := err == nil && id.Group == x.rule.remote.Group && id.Kind == x.rule.remote.Kind
	return ofType && others || x.rule.config.Spec.AllowEmpty
}

// owners are the owners that copies name.
func (x *index) owners() sets.Set[string] { return sets.KeySet(x.copies).Union(sets.KeySet(x.related)) }

func (x *index) addPrimary(p *primary) {
	if x.snapshot.WorkspacePath != nil && x.rule.config.Spec.EnableWorkspacePaths {
		p.path = x.snapshot.WorkspacePath(p.cluster)
	}
	all := x.copies[p.key]
	if p.copies = len(all); len(all) == 1 {
		p.copy = all[0]
	}
	x.primaries = append(x.primaries, p)
	x.byKey[p.key] = p
}

// selects reports whether the filter selects an object, and whether that is known: the labels of a namespace that does not
// exist here are unknown. An object without a namespace has no namespace labels to exclude it.
func (x *index) selects(o *krm.Object, ref applyset.Ref) (selected, known bool) {
	return x.rule.Selects(o, ref.Namespace, x.namespaceOf(ref))
}

// namespaceOf is the Namespace of an object; nil when it does not exist here.
func (x *index) namespaceOf(ref applyset.Ref) *krm.Object { return x.byRef[refOfNamespace(ref)] }

func refOfNamespace(ref applyset.Ref) applyset.Ref {
	return applyset.Ref{Place: ref.Place, ID: krm.ID{Kind: "Namespace", Name: ref.Namespace}}
}

// Selects reports whether the filter selects an object in a namespace, and whether that is known; ns is the namespace's
// object, nil when there is none.
func (r *Rule) Selects(o *krm.Object, namespace string, ns *krm.Object) (selected, known bool) {
	if r.objects != nil && !r.objects.Matches(labels.Set(o.Labels())) {
		return false, true
	}
	if r.namespaces == nil || namespace == "" {
		return true, true
	}
	return r.namespaces.Matches(labelsOfNamespace(namespace, ns)), ns != nil
}

func labelsOfNamespace(namespace string, ns *krm.Object) labels.Set {
	set := labels.Set{"kubernetes.io/metadata.name": namespace} // API servers set it
	if ns != nil {
		maps.Copy(set, ns.Labels())
	}
	return set
}
