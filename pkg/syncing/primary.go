package syncing

import (
	"cmp"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// primary is an object that a consumer made, or what is left of it.
type primary struct {
	key, cluster, path string
	object             *krm.Object // nil for one that is known to be gone
	copy               *krm.Object // the one there is; nil where there is none, or several
	copies             int
	removing           bool // its copy goes: it is being deleted, or gone, or let through no more
	retained           bool // it is let through no more, and its copy stays as it is
}

// findPrimaries lists what consumers made, and what of it is known to be gone.
func (x *index) findPrimaries(sources []*krm.Object) {
	unmatched := x.filterSelectsNone(sources)
	none := unmatched && x.rule.config.Spec.Filter.DeletesExcluded()
	for _, o := range sources {
		ref := x.refs[o]
		if x.byRef[ref] != o { // another item for it counts, which the engine tells of
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
	for _, owner := range x.owners() {
		if cluster, _, err := correspond.ParseKey(owner); err == nil && x.byKey[owner] == nil && x.isGone(owner, len(sources) > 0) {
			x.addPrimary(&primary{key: owner, cluster: cluster, removing: true})
		}
	}
	slices.SortFunc(x.primaries, func(a, b *primary) int { return cmp.Compare(a.key, b.key) })
}

// isGone reports whether a primary that is not there was deleted, and is not just somewhere else. In files that none of its
// type is left is hardly meant.
func (x *index) isGone(key string, others bool) bool {
	switch {
	case !x.rule.complete:
		return false
	case x.snapshot.Live:
		return x.snapshot.Gone != nil && x.snapshot.Gone(key)
	}
	_, id, err := correspond.ParseKey(key)
	ofType := err == nil && id.Group == x.rule.remote.Group && id.Kind == x.rule.remote.Kind
	return ofType && others || x.rule.config.Spec.AllowEmpty
}

// owners are those that some copy names.
func (x *index) owners() (keys []string) {
	for key := range x.copies {
		keys = append(keys, key)
	}
	for key := range x.related {
		if x.copies[key] == nil {
			keys = append(keys, key)
		}
	}
	return keys
}

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

// selects reports whether the filter lets an object through, and whether that is known: a namespace that is not there has
// labels that nobody sees. An object without a namespace has no labels of one that could speak against it.
func (x *index) selects(o *krm.Object, ref correspond.Ref) (selected, known bool) {
	return x.rule.Selects(o, ref.Namespace, x.byRef[correspond.Ref{Place: ref.Place, ID: krm.ID{Kind: "Namespace", Name: ref.Namespace}}])
}

// Selects reports whether the filter lets an object through that is in a namespace, and whether that is known; ns is the
// object of the namespace, nil where there is none.
func (r *Rule) Selects(o *krm.Object, namespace string, ns *krm.Object) (selected, known bool) {
	if r.objects != nil && !r.objects.Matches(labels.Set(o.Labels())) {
		return false, true
	}
	if r.namespaces == nil || namespace == "" {
		return true, true
	}
	return r.namespaces.Matches(labelsOfSpace(namespace, ns)), ns != nil
}

func labelsOfSpace(namespace string, ns *krm.Object) labels.Set {
	set := labels.Set{"kubernetes.io/metadata.name": namespace} // which API servers see to
	if ns != nil {
		maps.Copy(set, ns.Labels())
	}
	return set
}
