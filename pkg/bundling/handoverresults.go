package bundling

import (
	"fmt"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// reportCounts reports why hand-overs are not possible, else what happens to the objects.
func (h *handOvers) reportCounts() {
	c := &h.counts
	h.reportCount(sdk.Error, c.noRoom, "moves", "move", "to another work, and the earlier work has no room to hand over: "+
		"it must hold at least the name of each; "+h.moreRoom())
	h.reportCount(sdk.Error, c.unprotected, "cannot stay", "cannot stay",
		"there: the earlier work owns it and holds only its name (it has no room, or a hand-over is not finished), and no other "+
			"work owns it (the cluster leaves, or all others are ReadOnly or let it stay); select the cluster again "+
			"and remove ReadOnly, render with handOver: finish once every cluster has applied that, or raise manifestLimit as far "+
			"as the hub allows")
	h.reportCount(sdk.Error, c.turnedReadOnly, "becomes ReadOnly", "become ReadOnly",
		"in a work that owns it: agents would still own it, and "+
			"delete it when the work releases it; choose CreateOnly, which does not change an object that exists")
	h.reportCount(sdk.Error, c.unfinished, "moves to another work, or stays on a cluster without one,",
		"move to another work, or stay on a cluster without one,",
		"in two steps: render with handOver: keep, let every cluster apply that, then render with handOver: finish")
	if !h.failed() {
		h.reportCount(sdk.Info, c.moved, "is handed over", "are handed over", "to another work; the earlier work also holds it "+
			"until a render with handOver: finish, which is safe once every cluster has applied this one")
		h.reportCount(sdk.Warning, c.unowned, "is owned by no work", "are owned by no work", "from now on: works that are ReadOnly, "+
			"or whose deleteOption releases their objects, neither update nor delete it; the earlier work keeps an entry until a render with "+
			"handOver: finish, which is safe once every cluster has applied this one; use another strategy if a work must own the object")
		h.reportCount(sdk.Info, c.kept, "stays", "stay", "by its propagation policy (Orphan) although no Binding sends it there any more; the "+
			"earlier work, which owned it, releases it in an entry; once the cluster has applied this, a render with handOver: finish removes "+
			"the entry")
		h.reportCount(sdk.Info, c.orphaned, "stays", "stay", "on a cluster that its Binding no longer selects; once that cluster has applied "+
			"this, a render with handOver: finish removes its works")
	}
}

// moreRoom is how the user makes room for hand-over entries.
func (h *handOvers) moreRoom() string {
	if h.opts.Assignment == sequential {
		return "choose assignment: sticky, under which objects stay in their works"
	}
	return "raise manifestLimit as far as the hub allows, or let a maxSize below it leave room"
}

func (h *handOvers) reportCount(severity sdk.Severity, n objectCount, one, many, what string) {
	if n.objects > 0 {
		h.report(severity, nil, nil, "%s %s", n.describe(" on "+clusterList(n.clusters), one, many), what)
	}
}

// objectCount counts objects on clusters.
type objectCount struct {
	objects  int
	first    krm.ID // in the order of their text
	clusters []string
}

func (c *objectCount) add(cluster string, id krm.ID) {
	if c.objects++; c.objects == 1 || id.String() < c.first.String() { // whatever the order of the objects in works
		c.first = id
	}
	if len(c.clusters) == 0 || c.clusters[len(c.clusters)-1] != cluster { // earlier works are in the order of clusters
		c.clusters = append(c.clusters, cluster)
	}
}

// describe begins a sentence about the objects. where follows them, such as " on cluster a"; it may be empty.
func (c objectCount) describe(where, one, many string) string {
	if c.objects == 1 {
		return nameOf(c.first) + where + " " + one
	}
	return fmt.Sprintf("%d objects%s (%s is one) %s", c.objects, where, nameOf(c.first), many)
}

func nameOf(id krm.ID) string {
	return id.Kind + " " + strings.TrimPrefix(id.Namespace+"/"+id.Name, "/")
}
