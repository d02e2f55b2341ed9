package mapcontroller_test

import (
	"context"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
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

// read reads an object; NAMESPACE is the test's.
func (w *world) read(text string) *object {
	w.Helper()
	data, err := yaml.YAMLToJSON([]byte(strings.ReplaceAll(text, "NAMESPACE", w.namespace)))
	w.must(err)
	o := &object{}
	w.must(o.UnmarshalJSON(data)) // keeps all digits
	return o
}

// put creates an object, or replaces all but its status.
func (w *world) put(text string) {
	w.Helper()
	w.putObject(w.read(text))
}

func (w *world) putObject(o *object) {
	w.Helper()
	for range 100 {
		there := empty(o.GetAPIVersion(), o.GetKind(), o.GetNamespace(), o.GetName())
		err := w.Get(context.Background(), client.ObjectKeyFromObject(o), there)
		switch {
		case client.IgnoreNotFound(err) != nil:
			w.Fatal(err)
		case err != nil:
			err = w.Create(context.Background(), o.DeepCopy())
		case there.GetDeletionTimestamp() != nil:
			time.Sleep(20 * time.Millisecond)
			continue
		default:
			next := o.DeepCopy()
			next.SetResourceVersion(there.GetResourceVersion())
			next.SetFinalizers(there.GetFinalizers())
			err = w.Update(context.Background(), next)
		}
		if err == nil {
			return
		}
		if !strings.Contains(err.Error(), "the object has been modified") {
			w.Fatalf("%s %s: %v", o.GetKind(), o.GetName(), err)
		}
	}
	w.Fatalf("%s %s cannot be written; log:\n%s", o.GetKind(), o.GetName(), w.log)
}

func (w *world) remove(apiVersion, kind, name string) {
	w.Helper()
	w.must(client.IgnoreNotFound(w.Delete(context.Background(), empty(apiVersion, kind, w.home(kind), name))))
}

// home is the namespace of a kind's objects in this test.
func (w *world) home(kind string) string {
	if kind == "MapController" || kind == "Fleet" {
		return ""
	}
	return w.namespace
}

// clear takes all objects of a type away, whatever finalizers they have.
func (w *world) clear(apiVersion, kind string) {
	w.Helper()
	for _, o := range w.list(apiVersion, kind, "") {
		patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
		w.must(client.IgnoreNotFound(w.Patch(context.Background(), o.DeepCopy(), patch)))
		w.must(client.IgnoreNotFound(w.Delete(context.Background(), o.DeepCopy())))
	}
}

func (w *world) list(apiVersion, kind, namespace string) []object {
	w.Helper()
	l := &unstructured.UnstructuredList{}
	l.SetAPIVersion(apiVersion)
	l.SetKind(kind + "List")
	w.must(w.List(context.Background(), l, client.InNamespace(namespace)))
	return l.Items
}

// edit changes one object.
func (w *world) edit(apiVersion, kind, name, mergePatch string) {
	w.Helper()
	w.must(w.Patch(context.Background(), empty(apiVersion, kind, w.home(kind), name), client.RawPatch(types.MergePatchType, []byte(mergePatch))))
}
