package bundling

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/bundling/previous"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// An agent deletes what a work no longer holds, even when another work takes it over in the same commit:
// works are applied one by one, in any order. So the work that lets go keeps the object as a hand-over
// entry, which agents do not update and no longer own, until a render with handOver: finish.

// handOvers decides what becomes of objects that earlier works held.
type handOvers struct {
	*bundler
	works     []plannedWork
	shipments []shipment
	byKey     map[previous.Key]int
	byCluster map[string][]int
	found     inPackage
	onCluster map[string]map[krm.ID]ownership // what works hold, of the clusters that were asked for

	before   map[clusterObject][]*krm.Object // see heldBefore; nil until it is needed
	settings struct {                        // of the work that was asked for last
		of  *krm.Object
		all []setting
	}

	kept, orphaned, watched, unfinished, crowded, owned, hidden objectCount
}

// handOver adds hand-over entries to works, and returns them with the works that consist of nothing else.
func (b *bundler) handOver(works []plannedWork, shipments []shipment, found inPackage) []plannedWork {
	h := &handOvers{bundler: b, works: works, shipments: shipments, byKey: map[previous.Key]int{},
		byCluster: map[string][]int{}, found: found, onCluster: map[string]map[krm.ID]ownership{}}
	for i, w := range works {
		cluster := w.object.Namespace()
		h.byKey[previous.Key{Cluster: cluster, Name: w.object.Name()}] = i
		h.byCluster[cluster] = append(h.byCluster[cluster], i)
	}
	for _, e := range found.earlier {
		h.release(e)
	}
	h.reportAll()
	return h.works
}

// release keeps what e held and its successor does not.
func (h *handOvers) release(e *previous.Work) {
	i, stays := h.byKey[e.Key()]
	var now []shippedObject
	if stays {
		now = h.works[i].body.batch
		h.countReadOnly(e, now)
	}
	var kept []previous.Object
	for _, o := range missing(e.Held, now) {
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

// countReadOnly notes what work e owns and would only look at from now on: agents would go on owning it, and no later run could tell.
func (h *handOvers) countReadOnly(e *previous.Work, now []shippedObject) {
	watched := map[krm.ID]bool{}
	for _, s := range now {
		if s.settings.Strategy == manifestconfig.ReadOnly {
			watched[s.named.ID()] = true
		}
	}
	for _, o := range e.Held {
		if watched[o.ID] && !o.HandedOver && h.mayOwn(o) && !h.released(o.Work, o.ID) {
			h.hidden.add(e.Object.Namespace(), o.ID)
		}
	}
}

// missing lists the held objects that are not among now.
func missing(held []previous.Object, now []shippedObject) (out []previous.Object) {
	if slices.EqualFunc(held, now, func(h previous.Object, s shippedObject) bool { return h.ID == s.named.ID() }) {
		return nil
	}
	there := map[krm.ID]bool{}
	for _, s := range now {
		there[s.named.ID()] = true
	}
	for _, h := range held {
		if !there[h.ID] {
			out = append(out, h)
		}
	}
	return out
}

// keeps reports whether work e goes on holding o, as a hand-over entry.
func (h *handOvers) keeps(e *previous.Work, o previous.Object) bool {
	cluster := e.Object.Namespace()
	ownership := h.ownershipOf(cluster, o.ID)
	switch {
	case ownership == notHeld && !h.isLeftOnCluster(e, o):
		return false
	case h.opts.HandOver == finish && o.HandedOver:
		return ownership != owned && o.IsReference() && h.mayOwn(o)
	case h.opts.HandOver == finish:
		h.unfinished.add(cluster, o.ID)
	case ownership == notHeld:
		h.orphaned.add(cluster, o.ID)
	case ownership == observed && h.mayOwn(o):
		h.watched.add(cluster, o.ID)
	default:
		h.kept.add(cluster, o.ID)
	}
	return true
}

// isLeftOnCluster reports whether a cluster keeps an object that e held and that no work brings to it any more: where that is asked
// for now, or was when the cluster left.
func (h *handOvers) isLeftOnCluster(e *previous.Work, o previous.Object) bool {
	return (h.opts.WhenClusterLeaves == orphan || h.wasLeftOnCluster(o)) && h.clusterLeft(e, o.ID)
}

// wasLeftOnCluster reports whether o is the entry of an object that was left behind, and not handed over: no other work held it.
func (h *handOvers) wasLeftOnCluster(o previous.Object) bool {
	return o.HandedOver && len(h.heldBefore(o)) == 0
}

// heldBefore are the works of an earlier run that held o on its cluster, and not as an entry. All objects are
// indexed once.
func (h *handOvers) heldBefore(o previous.Object) []*krm.Object {
	if h.before == nil {
		h.before = map[clusterObject][]*krm.Object{}
		for _, e := range h.found.earlier {
			for _, other := range e.Held {
				if at := (clusterObject{e.Object.Namespace(), other.ID}); !other.HandedOver {
					h.before[at] = append(h.before[at], other.Work)
				}
			}
		}
	}
	return h.before[clusterObject{o.Work.Namespace(), o.ID}]
}

// clusterObject is an object on a cluster.
type clusterObject struct {
	cluster string
	id      krm.ID
}

// clusterLeft reports whether the cluster of e has left: the Binding of e is there and no longer selects the
// cluster, or is not there, as after it was renamed, and another ships the object elsewhere.
func (h *handOvers) clusterLeft(e *previous.Work, id krm.ID) bool {
	labels := e.Object.Labels()
	i := slices.IndexFunc(h.shipments, func(s shipment) bool {
		return s.Binding.Binding == labels[control.OriginBindingLabel] && s.WDS == labels[naming.WDSLabel]
	})
	if i >= 0 {
		return !slices.Contains(h.shipments[i].Destinations, e.Object.Namespace())
	}
	return slices.ContainsFunc(h.shipments, func(s shipment) bool { return s.ships(id) })
}

// ships reports whether s brings an object to some cluster. What a template names may be any of its kind.
func (s shipment) ships(id krm.ID) bool {
	return len(s.Destinations) > 0 && slices.ContainsFunc(s.payloads, func(p *payload) bool {
		return p.object.ID() == id || p.renamed && p.object.Is(id.Group, id.Kind)
	})
}

// entriesOnly is a work that consists of hand-over entries.
func (h *handOvers) entriesOnly(e *previous.Work, kept []previous.Object) plannedWork {
	labels, object := e.Object.Labels(), e.Object
	nodes := newWorkNodes(naming.Origin{Binding: labels[control.OriginBindingLabel], WDS: labels[naming.WDSLabel],
		Generation: object.Annotation(naming.GenerationAnnotation), Source: object.Annotation(fn.Origin)})
	rest := plannedWork{body: &body{}, nodes: nodes, folder: naming.Folder(object.Namespace(), labels[control.OriginBindingLabel]), name: naming.WorkFile(object.Name())}
	rest.another = rest.name
	rest.object = nodes.work(object.Namespace(), object.Name(), rest.body)
	return rest.withEntries(h.entries(kept, rest.body))
}

// withEntries is w with hand-over entries. Its body may be that of other works, too, and stays as it is.
func (w plannedWork) withEntries(entries []handOverEntry) plannedWork {
	old := w.body
	w.body = &body{number: old.number, batch: old.batch, kindConfigs: old.kindConfigs, entries: entries}
	w.object = w.nodes.work(w.object.Namespace(), w.object.Name(), w.body)
	w.object.SetAnnotation(fn.HandOver, strconv.Itoa(len(entries)))
	return w
}

// reportAll reports the hand-overs: what keeps them from being made, else what becomes of the objects.
func (h *handOvers) reportAll() {
	h.say(sdk.Error, h.crowded, "moves", "move", "to another work, and the earlier work has no room to hand over: "+
		"it must hold at least the name of each; "+h.moreRoom())
	h.say(sdk.Error, h.owned, "cannot stay", "cannot stay", "there: the earlier work owns it and holds only its name, "+
		"for want of room or because of a hand-over that is not finished, and no other work owns it, as where the cluster leaves or all others "+
		"are ReadOnly; select the cluster again and take ReadOnly away, render with handOver: finish once every cluster has applied that, "+
		"or raise manifestLimit as far as the hub allows")
	h.say(sdk.Error, h.hidden, "turns ReadOnly", "turn ReadOnly", "in a work that owns it: agents would go on owning it, and delete it when "+
		"the work lets go of it; choose CreateOnly, which changes nothing that is there")
	h.say(sdk.Error, h.unfinished, "moves to another work or stays on a cluster that leaves", "move to another work or stay on a cluster "+
		"that leaves", "in two steps: render with handOver: keep, let every cluster apply that, then render with handOver: finish")
	if !h.failed() {
		h.say(sdk.Info, h.kept, "is handed over", "are handed over", "to another work; the earlier work holds it, too, "+
			"until a render with handOver: finish, which is safe once every cluster has applied this one")
		h.say(sdk.Warning, h.watched, "is owned by no work", "are owned by no work", "from now on: works that are ReadOnly, "+
			"or whose deleteOption releases what they hold, neither update nor delete it; the earlier work keeps an entry until a render with "+
			"handOver: finish, which is safe once every cluster has applied this one; use another strategy if a work is to own what it ships")
		h.say(sdk.Info, h.orphaned, "stays", "stay", "on a cluster that its Binding no longer selects; once that cluster has applied this, "+
			"a render with handOver: finish removes its works")
	}
}

// moreRoom is what to do where works have no room for hand-over entries.
func (h *handOvers) moreRoom() string {
	if h.opts.Assignment == sequential {
		return "choose assignment: sticky, under which objects stay in their works"
	}
	return "raise manifestLimit as far as the hub allows, or let a maxSize below it leave room"
}

func (h *handOvers) say(severity sdk.Severity, n objectCount, one, many, what string) {
	if n.objects > 0 {
		h.report(severity, nil, nil, "%s %s", n.describe(one, many), what)
	}
}

// objectCount counts objects on clusters.
type objectCount struct {
	objects  int
	first    krm.ID   // by its text
	clusters []string // each once
}

func (t *objectCount) add(cluster string, id krm.ID) {
	if t.objects++; t.objects == 1 || id.String() < t.first.String() { // the same one, in whatever order works hold them
		t.first = id
	}
	if len(t.clusters) == 0 || t.clusters[len(t.clusters)-1] != cluster { // earlier works come by cluster
		t.clusters = append(t.clusters, cluster)
	}
}

func (t objectCount) describe(one, many string) string {
	if t.objects == 1 {
		return fmt.Sprintf("%s on %s %s", nameOf(t.first), clusterList(t.clusters), one)
	}
	return fmt.Sprintf("%d objects on %s (%s is one) %s", t.objects, clusterList(t.clusters), nameOf(t.first), many)
}

func nameOf(id krm.ID) string {
	return id.Kind + " " + strings.TrimPrefix(id.Namespace+"/"+id.Name, "/")
}
