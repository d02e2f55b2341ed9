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
	f := newFixture(t)
	f.home.Put(withRelated)
	f.putOrder("o", "{size: small, wishes: w}")
	f.shop.Put(configText("w", "", "x: one"))
	stop := f.start()
	c := f.awaitCopy("at first", "o", "{size: small, wishes: w}")
	f.awaitValue("with what is related", f.home, "ConfigMap", "w", "x", "one")
	for _, of := range []struct{ apiVersion, kind, name string }{{local, "ShopOrder", c.GetName()}, {"v1", "ConfigMap", "w"}} {
		whole := f.home.get(of.apiVersion, of.kind, of.name)
		for _, field := range []string{"labels", "annotations"} {
			for _, name := range ours(whole, field) {
				for _, value := range []string{"null", `"other"`} {
					if field == "annotations" && value != "null" && isTag(name) {
						continue // then it is another's
					}
					patch := fmt.Sprintf(`{"metadata":{%q:{%q:%s}}}`, field, name, value)
					f.home.Edit(of.apiVersion, of.kind, of.name, patch)
					f.awaitRepaired("while it runs: "+patch, whole)
				}
			}
		}
		for _, field := range []string{"labels", "annotations"} {
			for _, name := range ours(whole, field) {
				stop()
				f.home.Edit(of.apiVersion, of.kind, of.name, fmt.Sprintf(`{"metadata":{%q:{%q:null}}}`, field, name))
				stop = f.start()
				f.awaitRepaired("while it does not run: "+name, whole)
			}
		}
		f.home.Edit(of.apiVersion, of.kind, of.name, `{"metadata":{"labels":null,"annotations":null}}`)
		f.awaitRepaired("all of them", whole)
	}
	f.shop.Remove(remote, "Order", "o")
	f.awaitGone("o")
	f.awaitValue("nothing is left", f.home, "ConfigMap", "w", "x", "gone")
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
func (f *fixture) awaitRepaired(reason string, whole *object) {
	f.Helper()
	f.eventually(reason, func() string {
		now := f.home.get(whole.GetAPIVersion(), whole.GetKind(), whole.GetName())
		if now == nil {
			return "it is gone"
		}
		if s := diff(whole.GetLabels(), now.GetLabels()); s != "" {
			return s
		}
		if n := len(f.home.All(local, "ShopOrder", "")); n != 1 {
			return fmt.Sprint("there are copies: ", n)
		}
		return diff(whole.GetAnnotations(), now.GetAnnotations())
	})
}

// TestStateLost has what was last applied deleted, and garbled.
func TestStateLost(t *testing.T) {
	f := newFixture(t)
	f.home.Put(orders)
	f.putOrder("o", "{a: one, b: two}")
	stop := f.start()
	c := f.awaitCopy("at first", "o", "{a: one, b: two}")
	f.home.Edit(local, "ShopOrder", c.GetName(), `{"spec":{"theirs":"x"}}`)
	f.eventually("a state", func() string { return diff(true, f.stateOf("o") != nil) })
	stop()
	f.Must(f.home.Delete(context.Background(), f.stateOf("o")))
	f.putOrder("o", "{a: changed, b: two}")
	stop = f.start()
	f.awaitCopy("every field of the source holds, and others stay", "o", "{a: changed, b: two, theirs: x}")
	f.eventually("a state again", func() string { return diff(true, f.stateOf("o") != nil) })
	s := f.stateOf("o")
	for key := range s.Object["data"].(map[string]any) {
		s.Object["data"].(map[string]any)[key] = base64.StdEncoding.EncodeToString([]byte("{garbled"))
	}
	f.Must(f.home.Update(context.Background(), s))
	f.putOrder("o", "{a: again, b: two}")
	f.awaitCopy("a garbled one is none", "o", "{a: again, b: two, theirs: x}")
	f.putOrder("o", "{a: again}")
	f.awaitCopy("and is made good", "o", "{a: again, theirs: x}")
	stop()
	f.shop.Remove(remote, "Order", "o")
	f.Must(f.home.Delete(context.Background(), f.stateOf("o")))
	f.start()
	f.awaitGone("o")
}

// TestFinalizerTakenAway has somebody take the finalizer away, which is put back.
func TestFinalizerTakenAway(t *testing.T) {
	f := newFixture(t)
	f.home.Put(orders)
	f.putOrder("o", "{a: one}")
	f.start()
	f.awaitCopy("at first", "o", "{a: one}")
	f.shop.Edit(remote, "Order", "o", `{"metadata":{"finalizers":["example.org/theirs"]}}`)
	f.eventually("it is put back, and others stay", func() string {
		return diff([]string{"example.org/theirs", finalizer}, f.shop.get(remote, "Order", "o").GetFinalizers())
	})
	f.shop.Remove(remote, "Order", "o")
	f.eventually("others hold it, and its copy goes nevertheless", func() string { return diff(true, f.copyOf("o") == nil) })
	f.eventually("ours is gone", func() string {
		return diff([]string{"example.org/theirs"}, f.shop.get(remote, "Order", "o").GetFinalizers())
	})
	f.shop.Edit(remote, "Order", "o", `{"metadata":{"finalizers":null}}`)
	f.awaitGone("o")
}

func TestAdoption(t *testing.T) {
	f := newFixture(t)
	named := orders + "  naming: {name: '{{ .Object.metadata.name }}'}\n"
	f.home.Ensure("{apiVersion: v1, kind: Namespace, metadata: {name: NAMESPACE}}")
	put := func(name, more string) {
		f.home.Put(fmt.Sprintf("{apiVersion: %s, kind: ShopOrder, metadata: {name: %s, namespace: NAMESPACE%s}, spec: {a: old, theirs: x}}", local, name, more))
	}
	put("plain", "")
	put("foreign", ", annotations: {waybill.dev/owner: other, waybill.dev/controller: other, waybill.dev/edge: primary, waybill.dev/input: other}")
	f.putOrder("plain", "{a: new}")
	f.putOrder("foreign", "{a: new}")
	f.home.Put(named)
	f.start()
	c := f.awaitCopy("it converges", "plain", "{a: new, theirs: x}")
	if c.GetName() != "plain" {
		t.Errorf("another one was made: %s", c.GetName())
	}
	f.awaitReady("orders", "False Failing")
	f.eventually("an object of somebody else's is an error", func() string {
		if text := f.eventsOf("foreign")["ReconcilingError"]; !strings.Contains(text, "belongs to another owner") {
			return text + "?"
		}
		return ""
	})
	if got := f.home.at(local, "ShopOrder", "foreign", "spec", "a"); got != "old" {
		t.Errorf("it was changed to %q", got)
	}
	f.home.Remove(local, "ShopOrder", "foreign")
	f.awaitCopy("once it is gone, nothing is in the way", "foreign", "{a: new}")
	f.awaitReady("orders", "True Syncing")
	f.home.Remove(own, "PublishedResource", "orders")
	f.eventually("it goes", func() string { return diff(true, f.home.get(own, "PublishedResource", "orders") == nil) })
	f.eventually("without finalizers at the source", func() string {
		return diff([]string(nil), f.shop.get(remote, "Order", "plain").GetFinalizers())
	})
	if f.home.get(local, "ShopOrder", "plain") == nil {
		t.Error("a copy went with the PublishedResource")
	}
	if n := len(f.home.All("v1", "Secret", state)); n > 0 {
		t.Errorf("%d states are left", n)
	}
}

// TestConflictingWriter has somebody write to the Order and its copy all the time.
func TestConflictingWriter(t *testing.T) {
	f := newFixture(t)
	f.home.Put(orders + "  driftPolicy: Correct\n")
	f.putOrder("o", "{a: start}")
	f.start()
	c := f.awaitCopy("at first", "o", "{a: start}")
	for i := range 60 {
		patch := client.RawPatch("application/merge-patch+json", fmt.Appendf(nil, `{"metadata":{"labels":{"n":"%d"}},"spec":{"a":"drift"}}`, i))
		f.Must(f.home.Patch(context.Background(), c.DeepCopy(), patch))
		f.shop.Edit(remote, "Order", "o", fmt.Sprintf(`{"metadata":{"annotations":{"n":"%d"}},"spec":{"a":"v%d"}}`, i, i))
		f.home.EditStatus(local, "ShopOrder", c.GetName(), fmt.Sprintf(`{"status":{"n":%d}}`, i))
	}
	c = f.awaitCopy("ours wins, once they rest", "o", "{a: v59}")
	if got := c.GetLabels()["n"]; got != "59" {
		t.Errorf("their label is %q, want 59", got)
	}
	f.eventually("the last status is back", func() string { return diff("map[n:59]", f.shop.at(remote, "Order", "o", "status")) })
	time.Sleep(100 * time.Millisecond)
	if text := f.eventsOf("o")["ReconcilingError"]; text != "" {
		t.Errorf("that somebody else is faster is no error, but there is an event: %s", text)
	}
}

// TestMangledAndDeleted takes tags off copies, and deletes their sources, before anybody looks: nothing is left behind, and
// nothing waits for ever.
func TestMangledAndDeleted(t *testing.T) {
	f := newFixture(t)
	f.home.Put(orders)
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
		f.putOrder(name, "{a: one}")
	}
	stop := f.start()
	copies := map[string]string{}
	for name := range patches {
		copies[name] = f.awaitCopy("at first", name, "{a: one}").GetName()
	}
	f.eventually("states", func() string {
		for name := range patches {
			if f.stateOf(name) == nil {
				return "there is none of " + name
			}
		}
		return ""
	})
	stop()
	for name, patch := range patches {
		f.home.Edit(local, "ShopOrder", copies[name], patch)
		f.shop.Remove(remote, "Order", name)
	}
	f.start()
	f.eventually("nothing is left", func() string {
		return diff(0, len(f.home.All(local, "ShopOrder", ""))+len(f.shop.All(remote, "Order", "")))
	})
}

// withSecrets has Secrets go along in both directions, by names that consumers choose.
const withSecrets = orders + `  related:
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
	f := newFixture(t)
	f.home.Ensure("{apiVersion: v1, kind: Namespace, metadata: {name: NAMESPACE}}")
	f.home.Put(secretText("NAMESPACE", "root", "password", "hush-home"))
	f.home.Put(secretText("NAMESPACE", "tenant-a", "password", "hush-home"))
	f.shop.Put(secretText("NAMESPACE", "root", "password", "hush-shop"))
	f.shop.Put(secretText("NAMESPACE", "tenant-a", "password", "hush-shop"))
	f.shop.Put(secretText("NAMESPACE", "tenant-b", "password", "hush-b"))
	f.home.Put(withSecrets)
	f.putOrder("write", "{keys: root}")
	f.putOrder("read", "{creds: root}")
	f.putOrder("taken", "{keys: tenant-a}")
	f.putOrder("system", "{keys: tenant-b, into: kube-system}")
	f.putOrder("state", "{keys: tenant-b, into: "+state+"}")
	f.putOrder("fine", "{keys: tenant-b}")
	f.start()
	for name, want := range map[string]string{
		"write": "allowedNames", "read": "allowedNames", "system": `"kube-system" of the destination is the system's`, "state": "the system's",
		"taken": "exists, and was not made of ",
	} {
		f.eventually(name+" is told", func() string {
			if text := f.eventsOf(name)["ReconcilingError"]; !strings.Contains(text, want) {
				return fmt.Sprintf("the event says %q, want %q", text, want)
			}
			return ""
		})
	}
	f.awaitValue("what is allowed goes along", f.home, "Secret", "tenant-b", "password", "hush-b")
	for name := range map[string]string{"write": "", "read": "", "taken": "", "system": "", "state": "", "fine": ""} {
		f.shop.Remove(remote, "Order", name)
		f.awaitGone(name)
	}
	f.awaitValue("its copy goes with it", f.home, "Secret", "tenant-b", "password", "gone")
	for _, name := range []string{"root", "tenant-a"} {
		f.awaitValue("what the provider had is as it was", f.home, "Secret", name, "password", "hush-home")
		f.awaitValue("and what the consumer had", f.shop, "Secret", name, "password", "hush-shop")
	}
	f.checkNoSecret("hush-")
}

// TestAdoptedStays has what was there before taken over, as the entry allows, and everything go that it was taken over for.
func TestAdoptedStays(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		end    func(f *fixture)
	}{
		"primary": {"the primary goes", func(f *fixture) { f.shop.Remove(remote, "Order", "o"); f.awaitGone("o") }},
		"origin":  {"the origin goes", func(f *fixture) { f.shop.Remove("v1", "Secret", "tenant-a") }},
		"reference": {"the reference is another", func(f *fixture) {
			f.shop.Put(secretText("NAMESPACE", "tenant-b", "password", "hush-b"))
			f.putOrder("o", "{keys: tenant-b}")
		}},
		"annotation": {"its mark is taken off, and then the primary goes", func(f *fixture) {
			f.home.Edit("v1", "Secret", "tenant-a", `{"metadata":{"annotations":{"waybill.dev/adopted":null}}}`)
			f.shop.Remove(remote, "Order", "o")
			f.awaitGone("o")
		}},
		"entry": {"the entry is taken off, and then the primary goes", func(f *fixture) {
			f.home.Put(orders)
			f.awaitReady("orders", "True Syncing")
			f.shop.Remove(remote, "Order", "o")
			f.awaitGone("o")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.home.Ensure("{apiVersion: v1, kind: Namespace, metadata: {name: NAMESPACE}}")
			f.home.Put(secretText("NAMESPACE", "tenant-a", "password", "hush-home"))
			f.shop.Put(secretText("NAMESPACE", "tenant-a", "password", "hush-shop"))
			f.home.Put(strings.ReplaceAll(withSecrets, "allowedNames:", "adoptionPolicy: Converge\n    allowedNames:"))
			f.putOrder("o", "{keys: tenant-a}")
			f.start()
			f.awaitValue("it is taken over", f.home, "Secret", "tenant-a", "password", "hush-shop")
			f.eventually("and says so", func() string {
				return diff("Converge", f.home.get("v1", "Secret", "tenant-a").GetAnnotations()["waybill.dev/adopted"])
			})
			f.eventually("as does the state", func() string { return diff(true, f.stateOf("o") != nil) })
			tc.end(f)
			f.eventually(tc.reason+": it is let go of", func() string {
				o := f.home.get("v1", "Secret", "tenant-a")
				if o == nil {
					t.Fatal(tc.reason + ": it was deleted")
				}
				return diff([]string(nil), append(ours(o, "labels"), ours(o, "annotations")...))
			})
			f.awaitValue("with what is in it", f.home, "Secret", "tenant-a", "password", "hush-shop")
		})
	}
}

// TestAdoptedPrimaryStays has a copy that was there before outlive its source.
func TestAdoptedPrimaryStays(t *testing.T) {
	f := newFixture(t)
	f.home.Ensure("{apiVersion: v1, kind: Namespace, metadata: {name: NAMESPACE}}")
	f.home.Put(fmt.Sprintf("{apiVersion: %s, kind: ShopOrder, metadata: {name: o, namespace: NAMESPACE}, spec: {theirs: x}}", local))
	f.home.Put(orders + "  naming: {name: '{{ .Object.metadata.name }}'}\n")
	f.putOrder("o", "{a: new}")
	f.start()
	f.awaitCopy("it converges", "o", "{a: new, theirs: x}")
	f.shop.Remove(remote, "Order", "o")
	f.awaitGone("o")
	if got := f.home.at(local, "ShopOrder", "o", "spec", "theirs"); got != "x" {
		t.Errorf("what was there before is %s", got)
	}
}
