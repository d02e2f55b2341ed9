package publishedresource_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestMangled has people take away and change whatever says whose a copy is, while the controller runs and while it
// does not.
func TestMangled(t *testing.T) {
	w := newWorld(t)
	w.home.put(kindred)
	w.order("o", "{size: small, wishes: w}")
	w.shop.put(configText("w", "", "x: one"))
	stop := w.start()
	c := w.becomes("at first", "o", "{size: small, wishes: w}")
	w.holds("with what is related", w.home, "ConfigMap", "w", "x", "one")
	for _, of := range []struct{ apiVersion, kind, name string }{{local, "ShopOrder", c.GetName()}, {"v1", "ConfigMap", "w"}} {
		whole := w.home.get(of.apiVersion, of.kind, of.name)
		for _, field := range []string{"labels", "annotations"} {
			for _, name := range ours(whole, field) {
				for _, value := range []string{"null", `"other"`} {
					if field == "annotations" && value != "null" && isTag(name) {
						continue // then it is another's
					}
					patch := fmt.Sprintf(`{"metadata":{%q:{%q:%s}}}`, field, name, value)
					w.home.edit(of.apiVersion, of.kind, of.name, patch)
					w.repaired("while it runs: "+patch, whole)
				}
			}
		}
		for _, field := range []string{"labels", "annotations"} {
			for _, name := range ours(whole, field) {
				stop()
				w.home.edit(of.apiVersion, of.kind, of.name, fmt.Sprintf(`{"metadata":{%q:{%q:null}}}`, field, name))
				stop = w.start()
				w.repaired("while it does not run: "+name, whole)
			}
		}
		w.home.edit(of.apiVersion, of.kind, of.name, `{"metadata":{"labels":null,"annotations":null}}`)
		w.repaired("all of them", whole)
	}
	w.shop.remove(remote, "Order", "o")
	w.isGone("o")
	w.holds("nothing is left", w.home, "ConfigMap", "w", "x", "gone")
}

func isTag(name string) bool {
	return slices.Contains([]string{"waybill.dev/owner", "waybill.dev/edge", "waybill.dev/controller", "waybill.dev/input"}, name)
}

// ours are the labels or annotations of an object that are the controller's, in order.
func ours(o *object, field string) (names []string) {
	m := o.GetLabels()
	if field == "annotations" {
		m = o.GetAnnotations()
	}
	for name := range m {
		if strings.HasPrefix(name, "waybill.dev/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// repaired waits until an object has the labels and annotations that it had, and until there is no second one.
func (w *world) repaired(reason string, whole *object) {
	w.Helper()
	w.eventually(reason, func() string {
		now := w.home.get(whole.GetAPIVersion(), whole.GetKind(), whole.GetName())
		if now == nil {
			return "it is gone"
		}
		if s := same(whole.GetLabels(), now.GetLabels()); s != "" {
			return s
		}
		if n := len(w.home.list(local, "ShopOrder", "")); n != 1 {
			return fmt.Sprint("there are copies: ", n)
		}
		return same(whole.GetAnnotations(), now.GetAnnotations())
	})
}

// TestStateLost has what was last applied deleted, and garbled.
func TestStateLost(t *testing.T) {
	w := newWorld(t)
	w.home.put(orders)
	w.order("o", "{a: one, b: two}")
	stop := w.start()
	c := w.becomes("at first", "o", "{a: one, b: two}")
	w.home.edit(local, "ShopOrder", c.GetName(), `{"spec":{"theirs":"x"}}`)
	w.eventually("a state", func() string { return same(true, w.ledgerOf("o") != nil) })
	stop()
	w.must(w.home.Delete(context.Background(), w.ledgerOf("o")))
	w.order("o", "{a: changed, b: two}")
	stop = w.start()
	w.becomes("every field of the source holds, and others stay", "o", "{a: changed, b: two, theirs: x}")
	w.eventually("a state again", func() string { return same(true, w.ledgerOf("o") != nil) })
	s := w.ledgerOf("o")
	for key := range s.Object["data"].(map[string]any) {
		s.Object["data"].(map[string]any)[key] = base64.StdEncoding.EncodeToString([]byte("{garbled"))
	}
	w.must(w.home.Update(context.Background(), s))
	w.order("o", "{a: again, b: two}")
	w.becomes("a garbled one is none", "o", "{a: again, b: two, theirs: x}")
	w.order("o", "{a: again}")
	w.becomes("and is made good", "o", "{a: again, theirs: x}")
	stop()
	w.shop.remove(remote, "Order", "o")
	w.must(w.home.Delete(context.Background(), w.ledgerOf("o")))
	w.start()
	w.isGone("o")
}

// TestFinalizerTakenAway has somebody take the finalizer away, which is put back.
func TestFinalizerTakenAway(t *testing.T) {
	w := newWorld(t)
	w.home.put(orders)
	w.order("o", "{a: one}")
	w.start()
	w.becomes("at first", "o", "{a: one}")
	w.shop.edit(remote, "Order", "o", `{"metadata":{"finalizers":["example.org/theirs"]}}`)
	w.eventually("it is put back, and others stay", func() string {
		return same([]string{"example.org/theirs", finalizer}, w.shop.get(remote, "Order", "o").GetFinalizers())
	})
	w.shop.remove(remote, "Order", "o")
	w.eventually("others hold it, and its copy goes nevertheless", func() string { return same(true, w.copyOf("o") == nil) })
	w.eventually("ours is gone", func() string {
		return same([]string{"example.org/theirs"}, w.shop.get(remote, "Order", "o").GetFinalizers())
	})
	w.shop.edit(remote, "Order", "o", `{"metadata":{"finalizers":null}}`)
	w.isGone("o")
}

func TestAdoption(t *testing.T) {
	w := newWorld(t)
	named := orders + "  naming: {name: '{{ .Object.metadata.name }}'}\n"
	w.home.ensure("{apiVersion: v1, kind: Namespace, metadata: {name: NAMESPACE}}")
	put := func(name, more string) {
		w.home.put(fmt.Sprintf("{apiVersion: %s, kind: ShopOrder, metadata: {name: %s, namespace: NAMESPACE%s}, spec: {a: old, theirs: x}}", local, name, more))
	}
	put("plain", "")
	put("foreign", ", annotations: {waybill.dev/owner: other, waybill.dev/controller: other, waybill.dev/edge: primary, waybill.dev/input: other}")
	w.order("plain", "{a: new}")
	w.order("foreign", "{a: new}")
	w.home.put(named)
	w.start()
	c := w.becomes("it converges", "plain", "{a: new, theirs: x}")
	if c.GetName() != "plain" {
		t.Errorf("another one was made: %s", c.GetName())
	}
	w.awaitReady("orders", "False Failing")
	w.eventually("an object of somebody else's is an error", func() string {
		if text := w.told("foreign")["ReconcilingError"]; !strings.Contains(text, "belongs to another owner") {
			return text + "?"
		}
		return ""
	})
	if got := w.home.at(local, "ShopOrder", "foreign", "spec", "a"); got != "old" {
		t.Errorf("it was changed to %q", got)
	}
	w.home.remove(local, "ShopOrder", "foreign")
	w.becomes("once it is gone, nothing is in the way", "foreign", "{a: new}")
	w.awaitReady("orders", "True Syncing")
	w.home.remove(own, "PublishedResource", "orders")
	w.eventually("it goes", func() string { return same(true, w.home.get(own, "PublishedResource", "orders") == nil) })
	w.eventually("without finalizers at the source", func() string {
		return same([]string(nil), w.shop.get(remote, "Order", "plain").GetFinalizers())
	})
	if w.home.get(local, "ShopOrder", "plain") == nil {
		t.Error("a copy went with the PublishedResource")
	}
	if n := len(w.home.list("v1", "Secret", state)); n > 0 {
		t.Errorf("%d states are left", n)
	}
}

// TestConflictingWriter has somebody write to the Order and its copy all the time.
func TestConflictingWriter(t *testing.T) {
	w := newWorld(t)
	w.home.put(orders + "  driftPolicy: Correct\n")
	w.order("o", "{a: start}")
	w.start()
	c := w.becomes("at first", "o", "{a: start}")
	for i := range 60 {
		patch := client.RawPatch("application/merge-patch+json", fmt.Appendf(nil, `{"metadata":{"labels":{"n":"%d"}},"spec":{"a":"drift"}}`, i))
		w.must(w.home.Patch(context.Background(), c.DeepCopy(), patch))
		w.shop.edit(remote, "Order", "o", fmt.Sprintf(`{"metadata":{"annotations":{"n":"%d"}},"spec":{"a":"v%d"}}`, i, i))
		w.home.status(local, "ShopOrder", c.GetName(), fmt.Sprintf(`{"status":{"n":%d}}`, i))
	}
	c = w.becomes("ours wins, once they rest", "o", "{a: v59}")
	if got := c.GetLabels()["n"]; got != "59" {
		t.Errorf("their label is %q, want 59", got)
	}
	w.eventually("the last status is back", func() string { return same("map[n:59]", w.shop.at(remote, "Order", "o", "status")) })
	time.Sleep(100 * time.Millisecond)
	if text := w.told("o")["ReconcilingError"]; text != "" {
		t.Errorf("that somebody else is faster is no error, but there is an event: %s", text)
	}
}

// TestMangledAndDeleted takes tags off copies, and deletes their sources, before anybody looks: nothing is left behind, and
// nothing waits for ever.
func TestMangledAndDeleted(t *testing.T) {
	w := newWorld(t)
	w.home.put(orders)
	patches := map[string]string{
		"label":      `{"metadata":{"labels":{"waybill.dev/map-key":"other"}}}`,
		"no-label":   `{"metadata":{"labels":{"waybill.dev/map-key":null}}}`,
		"controller": `{"metadata":{"annotations":{"waybill.dev/controller":null}}}`,
		"owner":      `{"metadata":{"annotations":{"waybill.dev/owner":null}}}`,
		"edge":       `{"metadata":{"annotations":{"waybill.dev/edge":null}}}`,
		"input":      `{"metadata":{"annotations":{"waybill.dev/input":null}}}`,
		"all":        `{"metadata":{"labels":null,"annotations":null}}`,
	}
	for name := range patches {
		w.order(name, "{a: one}")
	}
	stop := w.start()
	copies := map[string]string{}
	for name := range patches {
		copies[name] = w.becomes("at first", name, "{a: one}").GetName()
	}
	w.eventually("states", func() string {
		for name := range patches {
			if w.ledgerOf(name) == nil {
				return "there is none of " + name
			}
		}
		return ""
	})
	stop()
	for name, patch := range patches {
		w.home.edit(local, "ShopOrder", copies[name], patch)
		w.shop.remove(remote, "Order", name)
	}
	w.start()
	w.eventually("nothing is left", func() string {
		return same(0, len(w.home.list(local, "ShopOrder", ""))+len(w.shop.list(remote, "Order", "")))
	})
}

// trusting has Secrets go along in both directions, by names that consumers choose.
const trusting = orders + `  related:
  - identifier: keys
    origin: kcp
    version: v1
    resource: secrets
    object: {reference: {path: spec.keys}, namespace: {template: {template: '{{ if eq .Side "kcp" }}{{ .Object.metadata.namespace }}{{ else }}{{ .Object.spec.into | default .Object.metadata.namespace }}{{ end }}'}}}
    allowedNames: ['tenant-*']
    allowedNamespaces: ['*']
  - identifier: creds
    origin: service
    version: v1
    resource: secrets
    object: {reference: {path: spec.creds}}
    watch: {byOwner: {}}
`

// TestNobodyElses has a consumer name what the provider has, and the provider what a consumer has.
func TestNobodyElses(t *testing.T) {
	w := newWorld(t)
	w.home.ensure("{apiVersion: v1, kind: Namespace, metadata: {name: NAMESPACE}}")
	w.home.put(secretText("NAMESPACE", "root", "password", "hush-home"))
	w.home.put(secretText("NAMESPACE", "tenant-a", "password", "hush-home"))
	w.shop.put(secretText("NAMESPACE", "root", "password", "hush-shop"))
	w.shop.put(secretText("NAMESPACE", "tenant-a", "password", "hush-shop"))
	w.shop.put(secretText("NAMESPACE", "tenant-b", "password", "hush-b"))
	w.home.put(trusting)
	w.order("write", "{keys: root}")
	w.order("read", "{creds: root}")
	w.order("taken", "{keys: tenant-a}")
	w.order("system", "{keys: tenant-b, into: kube-system}")
	w.order("state", "{keys: tenant-b, into: "+state+"}")
	w.order("fine", "{keys: tenant-b}")
	w.start()
	for name, want := range map[string]string{
		"write": "allowedNames", "read": "allowedNames", "system": `"kube-system" of the destination is the system's`, "state": "the system's",
		"taken": "exists, and was not made from ",
	} {
		w.eventually(name+" is told", func() string {
			if text := w.told(name)["ReconcilingError"]; !strings.Contains(text, want) {
				return fmt.Sprintf("the event says %q, want %q", text, want)
			}
			return ""
		})
	}
	w.holds("what is allowed goes along", w.home, "Secret", "tenant-b", "password", "hush-b")
	for name := range map[string]string{"write": "", "read": "", "taken": "", "system": "", "state": "", "fine": ""} {
		w.shop.remove(remote, "Order", name)
		w.isGone(name)
	}
	w.holds("its copy goes with it", w.home, "Secret", "tenant-b", "password", "gone")
	for _, name := range []string{"root", "tenant-a"} {
		w.holds("what the provider had is as it was", w.home, "Secret", name, "password", "hush-home")
		w.holds("and what the consumer had", w.shop, "Secret", name, "password", "hush-shop")
	}
	w.isDiscreet("hush-")
}

// TestAdoptedStays has what was there before taken over, as the entry allows, and everything go that it was taken over for.
func TestAdoptedStays(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		end    func(w *world)
	}{
		"primary": {"the primary goes", func(w *world) { w.shop.remove(remote, "Order", "o"); w.isGone("o") }},
		"origin":  {"the origin goes", func(w *world) { w.shop.remove("v1", "Secret", "tenant-a") }},
		"reference": {"the reference is another", func(w *world) {
			w.shop.put(secretText("NAMESPACE", "tenant-b", "password", "hush-b"))
			w.order("o", "{keys: tenant-b}")
		}},
		"annotation": {"its mark is taken off, and then the primary goes", func(w *world) {
			w.home.edit("v1", "Secret", "tenant-a", `{"metadata":{"annotations":{"waybill.dev/adopted":null}}}`)
			w.shop.remove(remote, "Order", "o")
			w.isGone("o")
		}},
		"entry": {"the entry is taken off, and then the primary goes", func(w *world) {
			w.home.put(orders)
			w.awaitReady("orders", "True Syncing")
			w.shop.remove(remote, "Order", "o")
			w.isGone("o")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.home.ensure("{apiVersion: v1, kind: Namespace, metadata: {name: NAMESPACE}}")
			w.home.put(secretText("NAMESPACE", "tenant-a", "password", "hush-home"))
			w.shop.put(secretText("NAMESPACE", "tenant-a", "password", "hush-shop"))
			w.home.put(strings.ReplaceAll(trusting, "allowedNames:", "adoptionPolicy: Converge\n    allowedNames:"))
			w.order("o", "{keys: tenant-a}")
			w.start()
			w.holds("it is taken over", w.home, "Secret", "tenant-a", "password", "hush-shop")
			w.eventually("and says so", func() string {
				return same("Converge", w.home.get("v1", "Secret", "tenant-a").GetAnnotations()["waybill.dev/adopted"])
			})
			w.eventually("as does the state", func() string { return same(true, w.ledgerOf("o") != nil) })
			tc.end(w)
			w.eventually(tc.reason+": it is let go of", func() string {
				o := w.home.get("v1", "Secret", "tenant-a")
				if o == nil {
					t.Fatal(tc.reason + ": it was deleted")
				}
				return same([]string(nil), append(ours(o, "labels"), ours(o, "annotations")...))
			})
			w.holds("with what is in it", w.home, "Secret", "tenant-a", "password", "hush-shop")
		})
	}
}

// TestAdoptedPrimaryStays has a copy that was there before outlive its source.
func TestAdoptedPrimaryStays(t *testing.T) {
	w := newWorld(t)
	w.home.ensure("{apiVersion: v1, kind: Namespace, metadata: {name: NAMESPACE}}")
	w.home.put(fmt.Sprintf("{apiVersion: %s, kind: ShopOrder, metadata: {name: o, namespace: NAMESPACE}, spec: {theirs: x}}", local))
	w.home.put(orders + "  naming: {name: '{{ .Object.metadata.name }}'}\n")
	w.order("o", "{a: new}")
	w.start()
	w.becomes("it converges", "o", "{a: new, theirs: x}")
	w.shop.remove(remote, "Order", "o")
	w.isGone("o")
	if got := w.home.at(local, "ShopOrder", "o", "spec", "theirs"); got != "x" {
		t.Errorf("what was there before is %s", got)
	}
}
