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

// TestMangled removes and changes the tags of copies, while the controller runs and while it does not.
func TestMangled(t *testing.T) {
	f := newFixture(t)
	f.home.Put(withRelated)
	f.putOrder("o", "{size: small, wishes: w}")
	f.shop.Put(configText("w", "", "x: one"))
	stop := f.start()
	c := f.awaitCopy("at first", "o", "{size: small, wishes: w}")
	f.awaitValue("the related object is copied", f.home, "ConfigMap", "w", "x", "one")
	for _, of := range []struct{ apiVersion, kind, name string }{{local, "ShopOrder", c.GetName()}, {"v1", "ConfigMap", "w"}} {
		whole := f.home.get(of.apiVersion, of.kind, of.name)
		for _, field := range []string{"labels", "annotations"} {
			for _, name := range ownNames(whole, field) {
				for _, value := range []string{"null", `"other"`} {
					if field == "annotations" && value != "null" && isTag(name) {
						continue // then the copy has another owner
					}
					patch := fmt.Sprintf(`{"metadata":{%q:{%q:%s}}}`, field, name, value)
					f.home.Edit(of.apiVersion, of.kind, of.name, patch)
					f.awaitRepaired("while it runs: "+patch, whole)
				}
			}
		}
		for _, field := range []string{"labels", "annotations"} {
			for _, name := range ownNames(whole, field) {
				stop()
				f.home.Edit(of.apiVersion, of.kind, of.name, fmt.Sprintf(`{"metadata":{%q:{%q:null}}}`, field, name))
				stop = f.start()
				f.awaitRepaired("while it does not run: "+name, whole)
			}
		}
		f.home.Edit(of.apiVersion, of.kind, of.name, `{"metadata":{"labels":null,"annotations":null}}`)
		f.awaitRepaired("all tags are removed", whole)
	}
	f.shop.Remove(remote, "Order", "o")
	f.awaitGone("o")
	f.awaitValue("nothing is left", f.home, "ConfigMap", "w", "x", "gone")
}

func isTag(name string) bool {
	return slices.Contains([]string{"waybill.dev/owner", "waybill.dev/edge", "waybill.dev/controller", "waybill.dev/input"}, name)
}

// ownNames are the labels or annotations of an object that belong to Waybill, sorted.
func ownNames(o *object, field string) (names []string) {
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

// awaitRepaired waits until an object has the labels and annotations that it had, and there is one copy.
func (f *fixture) awaitRepaired(reason string, whole *object) {
	f.Helper()
	f.eventually(reason, func() string {
		now := f.home.get(whole.GetAPIVersion(), whole.GetKind(), whole.GetName())
		if now == nil {
			return "it was deleted"
		}
		if s := diff(whole.GetLabels(), now.GetLabels()); s != "" {
			return s
		}
		if n := len(f.home.All(local, "ShopOrder", "")); n != 1 {
			return fmt.Sprint("the number of copies is ", n)
		}
		return diff(whole.GetAnnotations(), now.GetAnnotations())
	})
}

// TestStateLost deletes what was last applied, and makes it unreadable.
func TestStateLost(t *testing.T) {
	f := newFixture(t)
	f.home.Put(orders)
	f.putOrder("o", "{a: one, b: two}")
	stop := f.start()
	c := f.awaitCopy("at first", "o", "{a: one, b: two}")
	f.home.Edit(local, "ShopOrder", c.GetName(), `{"spec":{"theirs":"x"}}`)
	f.eventually("what was last applied is stored", func() string { return diff(true, f.stateOf("o") != nil) })
	stop()
	f.Must(f.home.Delete(context.Background(), f.stateOf("o")))
	f.putOrder("o", "{a: changed, b: two}")
	stop = f.start()
	f.awaitCopy("every field of the source is set, and others stay", "o", "{a: changed, b: two, theirs: x}")
	f.eventually("what was last applied is stored again", func() string { return diff(true, f.stateOf("o") != nil) })
	s := f.stateOf("o")
	for key := range s.Object["data"].(map[string]any) {
		s.Object["data"].(map[string]any)[key] = base64.StdEncoding.EncodeToString([]byte("{garbled"))
	}
	f.Must(f.home.Update(context.Background(), s))
	f.putOrder("o", "{a: again, b: two}")
	f.awaitCopy("an unreadable state counts as none", "o", "{a: again, b: two, theirs: x}")
	f.putOrder("o", "{a: again}")
	f.awaitCopy("it is replaced", "o", "{a: again, theirs: x}")
	stop()
	f.shop.Remove(remote, "Order", "o")
	f.Must(f.home.Delete(context.Background(), f.stateOf("o")))
	f.start()
	f.awaitGone("o")
}

// TestFinalizerRemoved removes the finalizer, which the controller adds again.
func TestFinalizerRemoved(t *testing.T) {
	f := newFixture(t)
	f.home.Put(orders)
	f.putOrder("o", "{a: one}")
	f.start()
	f.awaitCopy("at first", "o", "{a: one}")
	f.shop.Edit(remote, "Order", "o", `{"metadata":{"finalizers":["example.org/theirs"]}}`)
	f.eventually("it is added again, and others stay", func() string {
		return diff([]string{"example.org/theirs", finalizer}, f.shop.get(remote, "Order", "o").GetFinalizers())
	})
	f.shop.Remove(remote, "Order", "o")
	f.eventually("another finalizer holds it, and its copy is deleted nevertheless", func() string { return diff(true, f.copyOf("o") == nil) })
	f.eventually("the finalizer of sync is removed", func() string {
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
	c := f.awaitCopy("the existing object is adopted", "plain", "{a: new, theirs: x}")
	if c.GetName() != "plain" {
		t.Errorf("another copy was created: %s", c.GetName())
	}
	f.awaitReady("orders", "False Failing")
	f.eventually("an object of another owner is an error", func() string {
		if text := f.eventsOf("foreign")["ReconcilingError"]; !strings.Contains(text, "belongs to another owner") {
			return "the event says " + text
		}
		return ""
	})
	if got := f.home.at(local, "ShopOrder", "foreign", "spec", "a"); got != "old" {
		t.Errorf("it was changed to %q", got)
	}
	f.home.Remove(local, "ShopOrder", "foreign")
	f.awaitCopy("once it is deleted, the copy is created", "foreign", "{a: new}")
	f.awaitReady("orders", "True Syncing")
	f.home.Remove(own, "PublishedResource", "orders")
	f.eventually("it is deleted", func() string { return diff(true, f.home.get(own, "PublishedResource", "orders") == nil) })
	f.eventually("the finalizer is removed from objects at the source", func() string {
		return diff([]string(nil), f.shop.get(remote, "Order", "plain").GetFinalizers())
	})
	if f.home.get(local, "ShopOrder", "plain") == nil {
		t.Error("a copy was deleted with the PublishedResource")
	}
	if n := len(f.home.All("v1", "Secret", state)); n > 0 {
		t.Errorf("%d Secrets are left", n)
	}
}

// TestConflictingWriter writes to an Order and its copy all the time.
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
	c = f.awaitCopy("the Order wins, once the other client stops", "o", "{a: v59}")
	if got := c.GetLabels()["n"]; got != "59" {
		t.Errorf("the label of the other client is %q, want 59", got)
	}
	f.eventually("the last status is copied back", func() string { return diff("map[n:59]", f.shop.at(remote, "Order", "o", "status")) })
	time.Sleep(100 * time.Millisecond)
	if text := f.eventsOf("o")["ReconcilingError"]; text != "" {
		t.Errorf("a conflict is no error, but there is an event: %s", text)
	}
}

// TestMangledAndDeleted removes tags from copies and deletes their sources while no controller runs: nothing is left, and
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
	f.eventually("what was last applied is stored", func() string {
		for name := range patches {
			if f.stateOf(name) == nil {
				return "there is none for " + name
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

// withSecrets copies Secrets in both directions, with names that consumers choose.
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

// TestForeignObjects lets a consumer name objects of the provider, and the provider objects of a consumer.
func TestForeignObjects(t *testing.T) {
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
		"write": "allowedNames", "read": "allowedNames", "system": `"kube-system" of the destination is a system namespace`, "state": "a system namespace",
		"taken": "exists, and was not made from ",
	} {
		f.eventually(name+" has an event", func() string {
			if text := f.eventsOf(name)["ReconcilingError"]; !strings.Contains(text, want) {
				return fmt.Sprintf("the event says %q, want %q", text, want)
			}
			return ""
		})
	}
	f.awaitValue("an allowed Secret is copied", f.home, "Secret", "tenant-b", "password", "hush-b")
	for name := range map[string]string{"write": "", "read": "", "taken": "", "system": "", "state": "", "fine": ""} {
		f.shop.Remove(remote, "Order", name)
		f.awaitGone(name)
	}
	f.awaitValue("its copy is deleted with it", f.home, "Secret", "tenant-b", "password", "gone")
	for _, name := range []string{"root", "tenant-a"} {
		f.awaitValue("the Secret of the provider is unchanged", f.home, "Secret", name, "password", "hush-home")
		f.awaitValue("so is that of the consumer", f.shop, "Secret", name, "password", "hush-shop")
	}
	f.checkNoSecret("hush-")
}

// TestAdoptedStays adopts an object, as the entry allows, and then removes every reason for it: the object stays.
func TestAdoptedStays(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		end    func(f *fixture)
	}{
		"primary": {"the primary is deleted", func(f *fixture) { f.shop.Remove(remote, "Order", "o"); f.awaitGone("o") }},
		"origin":  {"the origin is deleted", func(f *fixture) { f.shop.Remove("v1", "Secret", "tenant-a") }},
		"reference": {"the primary refers to another origin", func(f *fixture) {
			f.shop.Put(secretText("NAMESPACE", "tenant-b", "password", "hush-b"))
			f.putOrder("o", "{keys: tenant-b}")
		}},
		"annotation": {"its mark is removed, and then the primary is deleted", func(f *fixture) {
			f.home.Edit("v1", "Secret", "tenant-a", `{"metadata":{"annotations":{"waybill.dev/adopted":null}}}`)
			f.shop.Remove(remote, "Order", "o")
			f.awaitGone("o")
		}},
		"entry": {"the entry is removed, and then the primary is deleted", func(f *fixture) {
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
			f.awaitValue("it is adopted", f.home, "Secret", "tenant-a", "password", "hush-shop")
			f.eventually("an annotation says so", func() string {
				return diff("Converge", f.home.get("v1", "Secret", "tenant-a").GetAnnotations()["waybill.dev/adopted"])
			})
			f.eventually("so does what was last applied", func() string { return diff(true, f.stateOf("o") != nil) })
			tc.end(f)
			f.eventually(tc.reason+": it loses its tags", func() string {
				o := f.home.get("v1", "Secret", "tenant-a")
				if o == nil {
					t.Fatal(tc.reason + ": it was deleted")
				}
				return diff([]string(nil), append(ownNames(o, "labels"), ownNames(o, "annotations")...))
			})
			f.awaitValue("its data stays", f.home, "Secret", "tenant-a", "password", "hush-shop")
		})
	}
}

// TestAdoptedPrimaryStays adopts a copy, which stays after its source is deleted.
func TestAdoptedPrimaryStays(t *testing.T) {
	f := newFixture(t)
	f.home.Ensure("{apiVersion: v1, kind: Namespace, metadata: {name: NAMESPACE}}")
	f.home.Put(fmt.Sprintf("{apiVersion: %s, kind: ShopOrder, metadata: {name: o, namespace: NAMESPACE}, spec: {theirs: x}}", local))
	f.home.Put(orders + "  naming: {name: '{{ .Object.metadata.name }}'}\n")
	f.putOrder("o", "{a: new}")
	f.start()
	f.awaitCopy("the existing object is adopted", "o", "{a: new, theirs: x}")
	f.shop.Remove(remote, "Order", "o")
	f.awaitGone("o")
	if got := f.home.at(local, "ShopOrder", "o", "spec", "theirs"); got != "x" {
		t.Errorf("the field of the adopted object is %s", got)
	}
}
