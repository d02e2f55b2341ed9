package publishedresource_test

import (
	"fmt"
	"strings"
	"testing"
)

// offline deletes an Order while no controller runs, and takes its finalizer away before.
func (w *world) offline(names ...string) {
	w.Helper()
	for _, name := range names {
		w.shop.edit(remote, "Order", name, `{"metadata":{"finalizers":null}}`)
		w.shop.remove(remote, "Order", name)
	}
}

// TestGoneWhileNobodyLooked has Orders deleted with force, while the controller does not run.
func TestGoneWhileNobodyLooked(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, spec, want string
		deleted, left      []string
	}{
		"Partial":  {"who may not see everything deletes nothing", "", "True Syncing", []string{"a"}, []string{"a", "b", "c", "d"}},
		"Complete": {"what is not there is gone", "  view: Complete\n", "True Syncing", []string{"a"}, []string{"b", "c", "d"}},
		"Empty":    {"that all are gone is not believed", "  view: Complete\n", "False Refused there is no Order at all", []string{"a", "b", "c", "d"}, []string{"a", "b", "c", "d"}},
		"Allowed":  {"unless it is allowed", "  view: Complete\n  allowEmpty: true\n", "True Syncing", []string{"a", "b", "c", "d"}, nil},
		"TooMany":  {"nor are more than the limit", "  view: Complete\n  maxDeletions: 1\n", "False Refused 2 of 4 copies would be deleted, more than maxDeletions, 1,", []string{"a", "b"}, []string{"a", "b", "c", "d"}},
		"Few":      {"up to the limit they go", "  view: Complete\n  maxDeletions: 50%\n", "True Syncing", []string{"a", "b"}, []string{"c", "d"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.home.put(orders + tc.spec)
			all := []string{"a", "b", "c", "d"}
			for _, name := range all {
				w.order(name, "{x: "+name+"}")
			}
			stop := w.start()
			for _, name := range all {
				w.becomes(tc.reason, name, "{x: "+name+"}")
			}
			stop()
			w.offline(tc.deleted...)
			w.start()
			w.eventually(tc.reason, func() string {
				var left []string
				for _, name := range all {
					if w.copyOf(name) != nil {
						left = append(left, name)
					}
				}
				return same(tc.left, left)
			})
			w.awaitReady("orders", tc.want)
			w.eventually("what was last applied goes with the copy", func() string {
				return same(len(tc.left), len(w.home.list("v1", "Secret", state)))
			})
			for _, name := range tc.left {
				if w.copyOf(name) == nil {
					t.Errorf("%s: the copy of %s is gone", tc.reason, name)
				}
			}
		})
	}
}

func TestFilter(t *testing.T) {
	w := newWorld(t)
	filter := "  filter: {onExclude: POLICY, resource: {matchLabels: {sync: 'yes'}}, namespace: {matchLabels: {team: web}}}\n"
	w.home.put(orders + strings.Replace(filter, "POLICY", "Retain", 1))
	put := func(name, label string) {
		w.shop.put(fmt.Sprintf("{apiVersion: %s, kind: Order, metadata: {name: %s, namespace: NAMESPACE, labels: {sync: '%s'}}, spec: {x: %s}}", remote, name, label, name))
	}
	put("a", "yes")
	put("b", "no")
	w.start()
	w.awaitReady("orders", "True Syncing")
	if w.copyOf("a") != nil {
		t.Error("its namespace is not selected")
	}
	w.shop.edit("v1", "Namespace", w.shop.namespace, `{"metadata":{"labels":{"team":"web"}}}`)
	w.becomes("its namespace is selected now", "a", "{x: a}")
	if w.copyOf("b") != nil {
		t.Error("it is not selected itself")
	}
	put("a", "no")
	w.home.put(orders + strings.Replace(filter, "POLICY", "Retain", 1) + "  driftPolicy: Correct\n")
	w.awaitReady("orders", "True Syncing")
	if w.copyOf("a") == nil {
		t.Error("its copy was to stay")
	}
	w.home.put(orders + strings.Replace(filter, "POLICY", "Delete", 1))
	if said := w.awaitReady("orders", "False Failing"); !strings.Contains(said, "spec.filter selects no source object at all") {
		t.Error(said)
	}
	if w.copyOf("a") == nil {
		t.Error("its copy was to stay, for the filter may be misspelt")
	}
	put("c", "yes")
	w.eventually("now it goes", func() string { return same(true, w.copyOf("a") == nil) })
	w.eventually("and the finalizer", func() string { return same([]string(nil), w.shop.get(remote, "Order", "a").GetFinalizers()) })
	put("a", "yes")
	w.becomes("it is selected again", "a", "{x: a}")
	put("a", "no")
	w.home.put(orders + strings.Replace(filter, "POLICY", "Retain", 1))
	w.shop.remove(remote, "Order", "a")
	w.isGone("a")
}

// TestChanges has the PublishedResource say something else, while there are copies.
func TestChanges(t *testing.T) {
	w := newWorld(t)
	w.home.put(kindred)
	w.order("o", "{keys: k}")
	w.shop.put(secretText("NAMESPACE", "k", "token", "hush-1"))
	w.start()
	w.becomes("at first", "o", "{keys: k}")
	w.holds("and what goes along", w.home, "Secret", "k", "token", "hush-1")
	w.home.put(orders)
	w.eventually("what does not go along any more is free", func() string {
		return same([]string(nil), w.shop.get("v1", "Secret", "k").GetFinalizers())
	})
	w.home.put(orders + "  synchronization: {enabled: false}\n")
	w.eventually("nothing is moved", func() string { return same([]string(nil), w.shop.get(remote, "Order", "o").GetFinalizers()) })
	w.order("o", "{keys: other}")
	w.home.put(orders)
	w.becomes("it is moved again", "o", "{keys: other}")
	w.home.put(strings.Replace(orders, "versions: [v2]", "versions: [v3]", 1))
	w.awaitReady("orders", "False ValidationError")
	w.home.put(orders + "  mutation: {spec: [{template: {path: spec.a, template: '{{'}}]}\n")
	w.awaitReady("orders", "False ValidationError")
	w.home.put(orders + "  mutation: {spec: [{cel: {path: spec.a, expression: 'self.spec.keys + \"!\"'}}]}\n")
	w.becomes("it is well again", "o", "{keys: other, a: other!}")
	w.shop.remove(remote, "Order", "o")
	w.isGone("o")
	w.holds("what an entry made that is not there any more goes, too", w.home, "Secret", "k", "token", "gone")
}

// TestOtherAgent leaves PublishedResources of other agents alone.
func TestOtherAgent(t *testing.T) {
	w := newWorld(t)
	w.home.put(orders + "  agentName: east\n")
	w.order("o", "{a: one}")
	stop := w.start()
	w.home.put(strings.NewReplacer("name: orders", "name: mine", "plural: orders", "plural: unicorns", "kind: Order,", "kind: Unicorn,").Replace(orders))
	w.awaitReady("mine", "False NotServed no workspace serves unicorns")
	if w.copyOf("o") != nil {
		t.Error("it worked for another agent")
	}
	stop()
}
