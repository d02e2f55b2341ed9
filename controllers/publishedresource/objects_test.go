package publishedresource_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

type object = unstructured.Unstructured

func empty(apiVersion, kind, namespace, name string) *object {
	o := &object{}
	o.SetAPIVersion(apiVersion)
	o.SetKind(kind)
	o.SetNamespace(namespace)
	o.SetName(name)
	return o
}

func (p *place) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// read reads an object; NAMESPACE is the place's.
func (p *place) read(text string) *object {
	p.Helper()
	data, err := yaml.YAMLToJSON([]byte(strings.ReplaceAll(text, "NAMESPACE", p.namespace)))
	p.must(err)
	o := &object{}
	p.must(o.UnmarshalJSON(data)) // keeps all digits
	return o
}

// ensure creates an object, unless it is there.
func (p *place) ensure(text string) {
	p.Helper()
	p.must(client.IgnoreAlreadyExists(p.Create(context.Background(), p.read(text))))
}

// put creates an object, or replaces all but its status, its finalizers and names of ours.
func (p *place) put(text string) {
	p.Helper()
	o := p.read(text)
	for range 500 {
		if p.attempt(o) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	p.Fatalf("%s %s cannot be written", o.GetKind(), o.GetName())
}

// attempt is put for what may be on its way out: false when it is.
func (p *place) attempt(o *object) bool {
	p.Helper()
	for range 500 {
		there := empty(o.GetAPIVersion(), o.GetKind(), o.GetNamespace(), o.GetName())
		err := p.Get(context.Background(), client.ObjectKeyFromObject(o), there)
		switch {
		case client.IgnoreNotFound(err) != nil:
			p.Fatal(err)
		case err != nil:
			err = p.Create(context.Background(), o.DeepCopy())
		case there.GetDeletionTimestamp() != nil:
			return false
		default:
			next := o.DeepCopy()
			next.SetResourceVersion(there.GetResourceVersion())
			next.SetFinalizers(there.GetFinalizers())
			if status, has := there.Object["status"]; has {
				next.Object["status"] = status
			}
			err = p.Update(context.Background(), next)
		}
		if err == nil {
			return true
		}
		if !apierrors.IsConflict(err) && !apierrors.IsAlreadyExists(err) {
			p.Fatalf("%s %s: %v", o.GetKind(), o.GetName(), err)
		}
	}
	p.Fatalf("%s %s cannot be written", o.GetKind(), o.GetName())
	return false
}

func (p *place) remove(apiVersion, kind, name string) {
	p.Helper()
	p.must(client.IgnoreNotFound(p.Delete(context.Background(), empty(apiVersion, kind, p.of(kind), name))))
}

// of is the namespace of a kind's objects in this test.
func (p *place) of(kind string) string {
	if kind == "PublishedResource" || kind == "Plain" || kind == "Namespace" {
		return ""
	}
	return p.namespace
}

// clear takes all objects of a type away, whatever finalizers they have.
func (p *place) clear(apiVersion, kind string) {
	p.Helper()
	p.clearIn(apiVersion, kind, "")
}

func (p *place) clearIn(apiVersion, kind, namespace string) {
	p.Helper()
	for _, o := range p.list(apiVersion, kind, namespace) {
		patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
		p.must(client.IgnoreNotFound(p.Patch(context.Background(), o.DeepCopy(), patch)))
		p.must(client.IgnoreNotFound(p.Delete(context.Background(), o.DeepCopy())))
	}
}

func (p *place) list(apiVersion, kind, namespace string) []object {
	p.Helper()
	l := &unstructured.UnstructuredList{}
	l.SetAPIVersion(apiVersion)
	l.SetKind(kind + "List")
	p.must(p.List(context.Background(), l, client.InNamespace(namespace)))
	return l.Items
}

// edit changes one object.
func (p *place) edit(apiVersion, kind, name, mergePatch string) {
	p.Helper()
	p.must(p.Patch(context.Background(), empty(apiVersion, kind, p.of(kind), name), client.RawPatch(types.MergePatchType, []byte(mergePatch))))
}

// status changes the status of one object.
func (p *place) status(apiVersion, kind, name, mergePatch string) {
	p.Helper()
	p.must(p.Status().Patch(context.Background(), empty(apiVersion, kind, p.of(kind), name), client.RawPatch(types.MergePatchType, []byte(mergePatch))))
}

// get is an object; nil when there is none.
func (p *place) get(apiVersion, kind, name string) *object {
	p.Helper()
	o := empty(apiVersion, kind, p.of(kind), name)
	err := p.Get(context.Background(), client.ObjectKeyFromObject(o), o)
	if apierrors.IsNotFound(err) {
		return nil
	}
	p.must(err)
	return o
}

// at is what stands somewhere in an object, as text.
func (p *place) at(apiVersion, kind, name string, path ...string) string {
	p.Helper()
	o := p.get(apiVersion, kind, name)
	if o == nil {
		return "gone"
	}
	v, _, err := unstructured.NestedFieldNoCopy(o.Object, path...)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(v)
}

// order is an Order of the shop.
func (w *world) order(name, spec string) {
	w.Helper()
	w.shop.put(fmt.Sprintf("{apiVersion: %s, kind: Order, metadata: {name: %s, namespace: NAMESPACE}, spec: %s}", remote, name, spec))
}

// key is what tags say of an Order.
func (w *world) key(name string) string {
	return w.workspace + "|" + remoteGroup + "/Order/" + w.shop.namespace + "/" + name
}

// copyOf is the copy of an Order; nil when there is none. Several are a failure.
func (w *world) copyOf(name string) (found *object) {
	w.Helper()
	for _, o := range w.home.list(local, "ShopOrder", "") {
		if o.GetAnnotations()["waybill.dev/owner"] == w.key(name) {
			if found != nil {
				w.Fatalf("%s has two copies: %s and %s", name, found.GetName(), o.GetName())
			}
			found = o.DeepCopy()
		}
	}
	return found
}

// becomes waits for the spec of a copy, and gives the copy.
func (w *world) becomes(reason, name, spec string) (found *object) {
	w.Helper()
	want := valueOf(w, spec)
	w.eventually(reason, func() string {
		if found = w.copyOf(name); found == nil {
			return "there is no copy of " + name
		}
		return same(want, found.Object["spec"])
	})
	return found
}

// valueOf is a value that is written in YAML, with all its digits.
func valueOf(t testing.TB, text string) (v any) {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err == nil {
		err = utiljson.Unmarshal(data, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// same compares two values, by how they are written.
func same(want, got any) string {
	x, errX := json.Marshal(want)
	y, errY := json.Marshal(got)
	if err := errors.Join(errX, errY); err != nil {
		return err.Error()
	}
	if string(x) == string(y) {
		return ""
	}
	return fmt.Sprintf("want\n%s\ngot\n%s", x, y)
}

// isGone waits until an Order, its copy and what was last applied are gone.
func (w *world) isGone(name string) {
	w.Helper()
	w.eventually(name+" goes", func() string {
		switch {
		case w.shop.get(remote, "Order", name) != nil:
			return "it is there"
		case w.copyOf(name) != nil:
			return "its copy is there"
		case w.ledgerOf(name) != nil:
			return "its state is there"
		}
		return ""
	})
}

// ledgerOf is the Secret that tells what was last applied for an Order; nil when there is none.
func (w *world) ledgerOf(name string) *object {
	w.Helper()
	for _, s := range w.home.list("v1", "Secret", state) {
		if s.GetAnnotations()["waybill.dev/state-of"] == w.key(name) {
			return &s
		}
	}
	return nil
}

// awaitReady waits for a condition of a PublishedResource: its status, reason and message, or how that begins.
func (w *world) awaitReady(name, begins string) (all string) {
	w.Helper()
	w.eventually(name+" is "+begins, func() string {
		o := w.home.get(own, "PublishedResource", name)
		if o == nil {
			return "gone"
		}
		list, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
		for _, c := range list {
			c, _ := c.(map[string]any)
			if c["type"] == "Ready" && fmt.Sprint(c["observedGeneration"]) == fmt.Sprint(o.GetGeneration()) {
				all = fmt.Sprint(c["status"], " ", c["reason"], " ", c["message"])
			}
		}
		if !strings.HasPrefix(all, begins) {
			return "it is " + all
		}
		return ""
	})
	return all
}

// told are the events of an Order, by reason.
func (w *world) told(name string) map[string]string {
	w.Helper()
	out := map[string]string{}
	for _, e := range w.shop.list("v1", "Event", w.shop.namespace) {
		about, _, _ := unstructured.NestedStringMap(e.Object, "involvedObject")
		if about == nil {
			about = map[string]string{}
			m, _, _ := unstructured.NestedMap(e.Object, "involvedObject")
			for k, v := range m {
				about[k] = fmt.Sprint(v)
			}
		}
		if about["name"] == name {
			out[fmt.Sprint(e.Object["reason"])] = fmt.Sprint(e.Object["message"])
		}
	}
	return maps.Clone(out)
}
