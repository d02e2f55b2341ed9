package clustertest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// Objects writes and reads objects of any type for a test. Every error fails the test.
type Objects struct {
	testing.TB
	client.Client
	// TestNamespace is the namespace of the test, which the word NAMESPACE stands for in YAML.
	TestNamespace string
	// ClusterScoped are the kinds that have no namespace.
	ClusterScoped []string
}

// Empty returns an object that has only a type and a name.
func Empty(apiVersion, kind, namespace, name string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	o.SetAPIVersion(apiVersion)
	o.SetKind(kind)
	o.SetNamespace(namespace)
	o.SetName(name)
	return o
}

// Must fails the test if there is an error.
func (x *Objects) Must(err error) {
	x.Helper()
	if err != nil {
		x.Fatal(err)
	}
}

// Parse reads an object from YAML. Numbers keep all their digits.
func (x *Objects) Parse(text string) *unstructured.Unstructured {
	x.Helper()
	data, err := yaml.YAMLToJSON([]byte(strings.ReplaceAll(text, "NAMESPACE", x.TestNamespace)))
	x.Must(err)
	o := &unstructured.Unstructured{}
	x.Must(o.UnmarshalJSON(data))
	return o
}

// Ensure creates an object unless it exists.
func (x *Objects) Ensure(text string) {
	x.Helper()
	x.Must(client.IgnoreAlreadyExists(x.Create(context.Background(), x.Parse(text))))
}

// Put is PutObject for YAML.
func (x *Objects) Put(text string) {
	x.Helper()
	x.PutObject(x.Parse(text))
}

// PutObject creates an object, or replaces all of it but its finalizers and, unless o has one, its status. It waits for the
// end of an object that is being deleted.
func (x *Objects) PutObject(o *unstructured.Unstructured) {
	x.Helper()
	for range 500 {
		if x.TryPut(o) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	x.Fatalf("%s %s cannot be written", o.GetKind(), o.GetName())
}

// TryPut is PutObject, but returns false for an object that is being deleted.
func (x *Objects) TryPut(o *unstructured.Unstructured) bool {
	x.Helper()
	for range 500 {
		now := Empty(o.GetAPIVersion(), o.GetKind(), o.GetNamespace(), o.GetName())
		err := x.Get(context.Background(), client.ObjectKeyFromObject(o), now)
		switch {
		case client.IgnoreNotFound(err) != nil:
			x.Fatal(err)
		case err != nil:
			err = x.Create(context.Background(), o.DeepCopy())
		case now.GetDeletionTimestamp() != nil:
			return false
		default:
			next := o.DeepCopy()
			next.SetResourceVersion(now.GetResourceVersion())
			next.SetFinalizers(now.GetFinalizers())
			if status, has := now.Object["status"]; has && next.Object["status"] == nil {
				next.Object["status"] = status
			}
			err = x.Update(context.Background(), next)
		}
		if err == nil {
			return true
		}
		if !apierrors.IsConflict(err) && !apierrors.IsAlreadyExists(err) {
			x.Fatalf("%s %s: %v", o.GetKind(), o.GetName(), err)
		}
	}
	x.Fatalf("%s %s cannot be written", o.GetKind(), o.GetName())
	return false
}

// NamespaceOf is the namespace of a kind's objects in this test.
func (x *Objects) NamespaceOf(kind string) string {
	if slices.Contains(x.ClusterScoped, kind) {
		return ""
	}
	return x.TestNamespace
}

// Remove deletes an object, if it exists.
func (x *Objects) Remove(apiVersion, kind, name string) {
	x.Helper()
	x.Must(client.IgnoreNotFound(x.Delete(context.Background(), Empty(apiVersion, kind, x.NamespaceOf(kind), name))))
}

// Clear deletes all objects of a type in a namespace, or in all for an empty one, whatever finalizers they have.
func (x *Objects) Clear(apiVersion, kind, namespace string) {
	x.Helper()
	for _, o := range x.All(apiVersion, kind, namespace) {
		patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
		x.Must(client.IgnoreNotFound(x.Patch(context.Background(), o.DeepCopy(), patch)))
		x.Must(client.IgnoreNotFound(x.Delete(context.Background(), o.DeepCopy())))
	}
}

// All lists the objects of a type in a namespace, or in all for an empty one.
func (x *Objects) All(apiVersion, kind, namespace string) []unstructured.Unstructured {
	x.Helper()
	l := &unstructured.UnstructuredList{}
	l.SetAPIVersion(apiVersion)
	l.SetKind(kind + "List")
	x.Must(x.List(context.Background(), l, client.InNamespace(namespace)))
	return l.Items
}

// Edit changes an object.
func (x *Objects) Edit(apiVersion, kind, name, mergePatch string) {
	x.Helper()
	o := Empty(apiVersion, kind, x.NamespaceOf(kind), name)
	x.Must(x.Patch(context.Background(), o, client.RawPatch(types.MergePatchType, []byte(mergePatch))))
}

// EditStatus changes the status of an object.
func (x *Objects) EditStatus(apiVersion, kind, name, mergePatch string) {
	x.Helper()
	o := Empty(apiVersion, kind, x.NamespaceOf(kind), name)
	x.Must(x.Status().Patch(context.Background(), o, client.RawPatch(types.MergePatchType, []byte(mergePatch))))
}
