package publishedresource_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

type object = unstructured.Unstructured

// get is an object; nil when there is none.
func (p *cluster) get(apiVersion, kind, name string) *object {
	p.Helper()
	o := clustertest.Empty(apiVersion, kind, p.NamespaceOf(kind), name)
	err := p.Get(context.Background(), client.ObjectKeyFromObject(o), o)
	if apierrors.IsNotFound(err) {
		return nil
	}
	p.Must(err)
	return o
}

// at is a field of an object, as text; "gone" where the object does not exist.
func (p *cluster) at(apiVersion, kind, name string, path ...string) string {
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

// putOrder creates or changes an Order of the shop.
func (f *fixture) putOrder(name, spec string) {
	f.Helper()
	f.shop.Put(fmt.Sprintf("{apiVersion: %s, kind: Order, metadata: {name: %s, namespace: NAMESPACE}, spec: %s}", remote, name, spec))
}

// keyOf is the key of an Order in tags.
func (f *fixture) keyOf(name string) string {
	return f.workspace + "|" + remoteGroup + "/Order/" + f.shop.TestNamespace + "/" + name
}

// copyOf is the copy of an Order; nil when there is none. Several copies fail the test.
func (f *fixture) copyOf(name string) (found *object) {
	f.Helper()
	for _, o := range f.home.All(local, "ShopOrder", "") {
		if o.GetAnnotations()["waybill.dev/owner"] == f.keyOf(name) {
			if found != nil {
				f.Fatalf("%s has two copies: %s and %s", name, found.GetName(), o.GetName())
			}
			found = o.DeepCopy()
		}
	}
	return found
}

// awaitCopy waits for the spec of a copy, and returns the copy.
func (f *fixture) awaitCopy(reason, name, spec string) (found *object) {
	f.Helper()
	want := valueOf(f, spec)
	f.eventually(reason, func() string {
		if found = f.copyOf(name); found == nil {
			return "there is no copy of " + name
		}
		return diff(want, found.Object["spec"])
	})
	return found
}

// valueOf reads a value from YAML. Numbers keep all their digits.
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

// diff compares two values by their JSON; "" when they are equal.
func diff(want, got any) string {
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

// awaitGone waits until an Order, its copy and what was last applied are deleted.
func (f *fixture) awaitGone(name string) {
	f.Helper()
	f.eventually(name+" is deleted", func() string {
		switch {
		case f.shop.get(remote, "Order", name) != nil:
			return "it exists"
		case f.copyOf(name) != nil:
			return "its copy exists"
		case f.stateOf(name) != nil:
			return "its Secret exists"
		}
		return ""
	})
}

// stateOf is the Secret with what was last applied for an Order; nil when there is none.
func (f *fixture) stateOf(name string) *object {
	f.Helper()
	for _, s := range f.home.All("v1", "Secret", state) {
		if s.GetAnnotations()["waybill.dev/state-of"] == f.keyOf(name) {
			return &s
		}
	}
	return nil
}

// awaitReady waits until the condition Ready of a PublishedResource begins with a text: its status, reason and message.
func (f *fixture) awaitReady(name, begins string) (all string) {
	f.Helper()
	f.eventually(name+" is "+begins, func() string {
		o := f.home.get(own, "PublishedResource", name)
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

// eventsOf are the messages of the events of an Order, by reason.
func (f *fixture) eventsOf(name string) map[string]string {
	f.Helper()
	out := map[string]string{}
	for _, e := range f.shop.All("v1", "Event", f.shop.TestNamespace) {
		if about, _, _ := unstructured.NestedMap(e.Object, "involvedObject"); about["name"] == name {
			out[fmt.Sprint(e.Object["reason"])] = fmt.Sprint(e.Object["message"])
		}
	}
	return out
}
