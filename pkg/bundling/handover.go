package bundling

import (
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/bundling/previous"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// An agent deletes an object that a work no longer holds, even if another work takes it over in the same commit:
// agents apply works one by one, in any order. So the work that releases an object keeps it as a hand-over
// entry, which agents do not update and no longer own, until a render with handOver: finish.

// handOvers decides what happens to objects that earlier works held.
type handOvers struct {
	*bundler
	works     []plannedWork
	shipments []shipment
	items     []*krm.Object
	foreign   map[string][]*krm.Object                  // by cluster, works in the package that this function did not make
	byKey     map[previous.Key]int                      // indexes of works
	byCluster map[string][]int                          // indexes of works
	owners    map[string]map[krm.ID]ownership           // by cluster; see ownershipOf
	before    map[clusterObject][]*krm.Object           // see heldBefore
	settings  map[*krm.Object][]setting                 // see settingsOf
	sources   map[krm.ID]*krm.Object                    // see sourceOf
	rules     map[*krm.Object][]manifestconfig.Resource // see rulesOf
	counts    struct{ moved, unowned, orphaned, kept, unfinished, noRoom, unprotected, turnedReadOnly objectCount }
}

// clusterObject is an object on a cluster.
type clusterObject struct {
	cluster string
	id      krm.ID
}

// handOver adds hand-over entries to works, and returns them with the works that consist of nothing else.
func (b *bundler) handOver(works []plannedWork, shipments []shipment, items []*krm.Object) []plannedWork {
	h := &handOvers{bundler: b, works: works, shipments: shipments, items: items, foreign: map[string][]*krm.Object{},
		byKey: map[previous.Key]int{}, byCluster: map[string][]int{}, owners: map[string]map[krm.ID]ownership{},
		settings: map[*krm.Object][]setting{}, rules: map[*krm.Object][]manifestconfig.Resource{}}
	for _, o := range items {
		if o.Is(naming.WorkGroup, naming.WorkKind) && o.Annotation(fn.GeneratedBy) != naming.Function && !o.IsLocalConfig() {
			h.foreign[o.Namespace()] = append(h.foreign[o.Namespace()], o)
		}
	}
	for i, w := range works {
		cluster := w.object.Namespace()
		h.byKey[previous.Key{Cluster: cluster, Name: w.object.Name()}] = i
		h.byCluster[cluster] = append(h.byCluster[cluster], i)
	}
	for _, e := range b.earlier {
		h.release(e)
	}
	h.reportCounts()
	return h.works
}

// release adds entries for the objects that the earlier work e held and that are not in the work of that name now.
func (h *handOvers) release(e *previous.Work) {
	i, stays := h.byKey[e.Key()]
	now := &group{}
	if stays {
		now = h.works[i].body.group
		h.countReadOnly(e, now.batch)
	}
	ids := now.sentIDs()
	if e.Holds(ids) {
		return
	}
	var kept []previous.Object
	for _, o := range missing(e.Held(), ids) {
		if h.keeps(e, o) {
			kept = append(kept, o)
		}
	}
	switch {
	case len(kept) == 0:
		return
	case stays:
		h.works[i] = h.works[i].withEntries(h.entries(kept, h.works[i].body))
	default:
		i, h.works = len(h.works), append(h.works, h.entriesOnly(e, kept))
	}
	h.refuseEntryPatterns(h.works[i].body)
}

// countReadOnly counts objects that work e owns and that become ReadOnly in it: agents would still own them, and no later run could
// see that.
func (h *handOvers) countReadOnly(e *previous.Work, now []shippedObject) {
	readOnly := map[krm.ID]bool{}
	for _, s := range now {
		if s.settings.Strategy == manifestconfig.ReadOnly {
			readOnly[s.named.ID()] = true
		}
	}
	if len(readOnly) == 0 {
		return
	}
	for _, o := range e.Held() {
		if readOnly[o.ID] && !o.HandedOver && h.mayOwn(o) && !h.released(o.Work, o.ID) {
			h.counts.turnedReadOnly.add(e.Object.Namespace(), o.ID)
		}
	}
}

// missing are the held objects that are not among now.
func missing(held []previous.Object, now []krm.ID) []previous.Object {
	there := sets.New(now...)
	return slices.DeleteFunc(held, func(h previous.Object) bool { return there.Has(h.ID) })
}

// keeps reports whether work e still holds o, as a hand-over entry.
func (h *handOvers) keeps(e *previous.Work, o previous.Object) bool {
	cluster := e.Object.Namespace()
	now := h.ownershipOf(cluster, o.ID)
	switch {
	case now == notHeld && !h.isOrphaned(e, o) && !h.staysOwned(e, o):
		return false
	case h.opts.HandOver == finish && o.HandedOver:
		return now != owned && h.isReference(o) && h.mayOwn(o)
	case h.opts.HandOver == finish:
		h.counts.unfinished.add(cluster, o.ID)
	case now == notHeld && h.clusterLeft(e, o.ID):
		h.counts.orphaned.add(cluster, o.ID)
	case now == notHeld:
		h.counts.kept.add(cluster, o.ID)
	case now == observed && h.mayOwn(o):
		h.counts.unowned.add(cluster, o.ID)
	default:
		h.counts.moved.add(cluster, o.ID)
	}
	return true
}

// entriesOnly is a work that consists of hand-over entries.
func (h *handOvers) entriesOnly(e *previous.Work, kept []previous.Object) plannedWork {
	of, cluster, name := naming.LabelledOrigin(e.Object), e.Object.Namespace(), e.Object.Name()
	of.Generation, of.Source = e.Object.Annotation(naming.GenerationAnnotation), e.Object.Annotation(fn.Origin)
	file := naming.WorkFile(name)
	w := plannedWork{body: &body{group: &group{}}, folder: naming.Folder(cluster, of.Binding), files: []string{file, file}}
	w.nodes = newWorkNodes(of)
	w.object = w.nodes.work(cluster, name, w.body)
	return w.withEntries(h.entries(kept, w.body))
}

// withEntries is w with hand-over entries. Its body does not change, as other works may share it.
func (w plannedWork) withEntries(entries []handOverEntry) plannedWork {
	w.body = &body{group: w.body.group, values: w.body.values, entries: entries}
	w.object = w.nodes.work(w.object.Namespace(), w.object.Name(), w.body)
	w.object.SetAnnotation(fn.HandOver, strconv.Itoa(len(entries)))
	return w
}
