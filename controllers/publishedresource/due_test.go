package publishedresource_test

import (
	"fmt"
	"strings"
	"testing"
)

// removeOffline deletes Orders while no controller runs, and removes their finalizers before.
func (f *fixture) removeOffline(names ...string) {
	f.Helper()
	for _, name := range names {
		f.shop.Edit(remote, "Order", name, `{"metadata":{"finalizers":null}}`)
		f.shop.Remove(remote, "Order", name)
	}
}

// TestDeletedOffline deletes Orders, finalizers included, while the controller does not run.
func TestDeletedOffline(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, spec, want string
		deleted, left      []string
	}{
		"Partial":  {"a partial view deletes nothing", "", "True Syncing", []string{"a"}, []string{"a", "b", "c", "d"}},
		"Complete": {"in a complete view a missing Order is gone", "  view: Complete\n", "True Syncing", []string{"a"}, []string{"b", "c", "d"}},
		"Empty":    {"no copy is deleted if no Order is left", "  view: Complete\n", "False Refused there is no Order at all", []string{"a", "b", "c", "d"}, []string{"a", "b", "c", "d"}},
		"Allowed":  {"unless allowEmpty is set", "  view: Complete\n  allowEmpty: true\n", "True Syncing", []string{"a", "b", "c", "d"}, nil},
		"TooMany":  {"nor are more than maxDeletions", "  view: Complete\n  maxDeletions: 1\n", "False Refused 2 of 4 copies would be deleted, more than maxDeletions, 1,", []string{"a", "b"}, []string{"a", "b", "c", "d"}},
		"Few":      {"up to maxDeletions they are deleted", "  view: Complete\n  maxDeletions: 50%\n", "True Syncing", []string{"a", "b"}, []string{"c", "d"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.home.Put(orders + tc.spec)
			all := []string{"a", "b", "c", "d"}
			for _, name := range all {
				f.putOrder(name, "{x: "+name+"}")
			}
			stop := f.start()
			for _, name := range all {
				f.awaitCopy(tc.reason, name, "{x: "+name+"}")
			}
			stop()
			f.removeOffline(tc.deleted...)
			f.start()
			f.eventually(tc.reason, func() string {
				var left []string
				for _, name := range all {
					if f.copyOf(name) != nil {
						left = append(left, name)
					}
				}
				return diff(tc.left, left)
			})
			f.awaitReady("orders", tc.want)
			f.eventually("what was last applied is deleted with the copy", func() string {
				return diff(len(tc.left), len(f.home.All("v1", "Secret", state)))
			})
			for _, name := range tc.left {
				if f.copyOf(name) == nil {
					t.Errorf("%s: the copy of %s was deleted", tc.reason, name)
				}
			}
		})
	}
}

func TestFilter(t *testing.T) {
	f := newFixture(t)
	filter := "  filter: {onExclude: POLICY, resource: {matchLabels: {sync: 'yes'}}, namespace: {matchLabels: {team: web}}}\n"
	f.home.Put(orders + strings.Replace(filter, "POLICY", "Retain", 1))
	put := func(name, label string) {
		f.shop.Put(fmt.Sprintf("{apiVersion: %s, kind: Order, metadata: {name: %s, namespace: NAMESPACE, labels: {sync: '%s'}}, spec: {x: %s}}", remote, name, label, name))
	}
	put("a", "yes")
	put("b", "no")
	f.start()
	f.awaitReady("orders", "True Syncing")
	if f.copyOf("a") != nil {
		t.Error("there is a copy, but its namespace is not selected")
	}
	f.shop.Edit("v1", "Namespace", f.shop.TestNamespace, `{"metadata":{"labels":{"team":"web"}}}`)
	f.awaitCopy("its namespace is selected now", "a", "{x: a}")
	if f.copyOf("b") != nil {
		t.Error("there is a copy of an Order that is not selected")
	}
	put("a", "no")
	f.home.Put(orders + strings.Replace(filter, "POLICY", "Retain", 1) + "  driftPolicy: Correct\n")
	f.awaitReady("orders", "True Syncing")
	if f.copyOf("a") == nil {
		t.Error("the copy of an Order that is retained was deleted")
	}
	f.home.Put(orders + strings.Replace(filter, "POLICY", "Delete", 1))
	if said := f.awaitReady("orders", "False Failing"); !strings.Contains(said, "spec.filter selects no source object at all") {
		t.Error(said)
	}
	if f.copyOf("a") == nil {
		t.Error("the copy was deleted, though the filter may be misspelt")
	}
	put("c", "yes")
	f.eventually("the copy is deleted", func() string { return diff(true, f.copyOf("a") == nil) })
	f.eventually("the finalizer is removed", func() string { return diff([]string(nil), f.shop.get(remote, "Order", "a").GetFinalizers()) })
	put("a", "yes")
	f.awaitCopy("it is selected again", "a", "{x: a}")
	put("a", "no")
	f.home.Put(orders + strings.Replace(filter, "POLICY", "Retain", 1))
	f.shop.Remove(remote, "Order", "a")
	f.awaitGone("a")
}

// TestChanges changes the PublishedResource while there are copies.
func TestChanges(t *testing.T) {
	f := newFixture(t)
	f.home.Put(withRelated)
	f.putOrder("o", "{keys: k}")
	f.shop.Put(secretText("NAMESPACE", "k", "token", "hush-1"))
	f.start()
	f.awaitCopy("at first", "o", "{keys: k}")
	f.awaitValue("the related Secret is copied", f.home, "Secret", "k", "token", "hush-1")
	f.home.Put(orders)
	f.eventually("a Secret that is no longer related loses its finalizer", func() string {
		return diff([]string(nil), f.shop.get("v1", "Secret", "k").GetFinalizers())
	})
	f.home.Put(orders + "  synchronization: {enabled: false}\n")
	f.eventually("the Order loses its finalizer while synchronization is off", func() string { return diff([]string(nil), f.shop.get(remote, "Order", "o").GetFinalizers()) })
	f.putOrder("o", "{keys: other}")
	f.home.Put(orders)
	f.awaitCopy("it is synced again", "o", "{keys: other}")
	f.home.Put(strings.Replace(orders, "versions: [v2]", "versions: [v3]", 1))
	f.awaitReady("orders", "False ValidationError")
	f.home.Put(orders + "  mutation: {spec: [{template: {path: spec.a, template: '{{'}}]}\n")
	f.awaitReady("orders", "False ValidationError")
	f.home.Put(orders + "  mutation: {spec: [{cel: {path: spec.a, expression: 'self.spec.keys + \"!\"'}}]}\n")
	f.awaitCopy("a valid spec is reconciled again", "o", "{keys: other, a: other!}")
	f.shop.Remove(remote, "Order", "o")
	f.awaitGone("o")
	f.awaitValue("the copy of an entry that was removed is deleted, too", f.home, "Secret", "k", "token", "gone")
}

// TestOtherAgent leaves PublishedResources of other agents alone.
func TestOtherAgent(t *testing.T) {
	f := newFixture(t)
	f.home.Put(orders + "  agentName: east\n")
	f.putOrder("o", "{a: one}")
	stop := f.start()
	f.home.Put(strings.NewReplacer("name: orders", "name: mine", "plural: orders", "plural: unicorns", "kind: Order,", "kind: Unicorn,").Replace(orders))
	f.awaitReady("mine", "False NotServed no workspace serves unicorns")
	if f.copyOf("o") != nil {
		t.Error("it reconciled the PublishedResource of another agent")
	}
	stop()
}
