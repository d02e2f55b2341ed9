package ocmtest

import (
	"strings"
	"testing"
)

// TestLifeOfAFleet leads a package through what happens to fleets. After every step each object that a cluster had before and
// still has keeps its uid: no agent deleted and created it.
func TestLifeOfAFleet(t *testing.T) {
	s := newSite(t)
	l := &life{site: s, far: s.Member.hub.Join(t, "life-far")}
	l.Fleet, l.uids = NewFleet(s.namespace, s.Name, l.far.Name), []*Identities{s.Identities(), l.far.Identities()}
	l.step(t, "start", nil)
	s.FinishJob(t, s.namespace, "once")
	s.BindClaim(t, s.namespace, "data")

	l.step(t, "image", func() { l.Texts["web.yaml"] = strings.Replace(l.Texts["web.yaml"], "web:1", "web:2", 1) })
	l.step(t, "label of everything", func() { l.Replace(t, "tier: one", "tier: two") })
	l.step(t, "label removed", func() { l.Texts["banner.yaml"] = strings.Replace(l.Texts["banner.yaml"], "tier: two", "", 1) })
	if labels := s.get(t, "v1", "ConfigMap", "banner").GetLabels(); labels["tier"] != "" {
		t.Errorf("a label that left the object is still on the cluster: %v", labels)
	}
	l.step(t, "object added", func() { l.Add("aaa.yaml", "v1", "ConfigMap", "aaa", "data: {key: value}\n") })
	l.step(t, "object removed", func() { l.Texts["aaa.yaml"] = "" })
	if s.get(t, "v1", "ConfigMap", "aaa") != nil {
		t.Error("an object that left the package is still on the cluster")
	}
	l.step(t, "definition grown", func() { l.GrowDefinition(100_000) })
	l.step(t, "cluster joined", func() { l.Replace(t, "site: none", "site: edge") })
	if l.far.Get(t, "apps/v1", "StatefulSet", s.namespace, "db") == nil {
		t.Fatal("the cluster that joined has no StatefulSet")
	}
	l.step(t, "cluster left", func() { l.Options("whenClusterLeaves: orphan"); l.Replace(t, "site: edge # far", "site: none # far") })
	l.step(t, "cluster left, finished", func() { l.Options("whenClusterLeaves: orphan", "handOver: finish") })
	db := l.far.Get(t, "apps/v1", "StatefulSet", s.namespace, "db")
	if db == nil || len(Owners(db)) > 0 {
		t.Errorf("the cluster that left has lost its StatefulSet, or a work still owns it: %v", db)
	}
	l.step(t, "policy renamed", func() { l.Options(); l.Replace(t, "name: NS # policy", "name: NS-2 # policy") })
	l.step(t, "policy renamed, finished", func() { l.Options("handOver: finish") })
	l.step(t, "packed again", func() { l.Options("assignment: sequential", "maxObjects: '3'") })
	l.step(t, "packed again, finished", func() { l.Options("assignment: sequential", "maxObjects: '3'", "handOver: finish") })
	if owners := Owners(s.get(t, "apps/v1", "StatefulSet", "db")); len(owners) != 1 {
		t.Errorf("want one work to own the StatefulSet in the end, got %q", owners)
	}
}

// life is a fleet that changes.
type life struct {
	*site
	*Fleet
	far  *Member
	pkg  Package
	uids []*Identities // of both clusters
}

// step changes the package, renders it, brings it to the hub, and compares uids when the agents are done.
func (l *life) step(t *testing.T, name string, change func()) {
	t.Helper()
	if change != nil {
		change()
	}
	l.Write(t, &l.pkg)
	works := l.pkg.Render(t)
	l.Push(t, works...)
	l.Converge(t)
	for _, cluster := range l.uids {
		if c := cluster.Compare(t, works); len(c.Recreated) > 0 {
			t.Errorf("%s: deleted and created again: %q", name, c.Recreated)
		}
	}
}
