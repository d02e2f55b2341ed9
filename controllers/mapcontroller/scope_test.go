package mapcontroller_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/waybill-dev/waybill/controllers/mapcontroller"
)

// lates is a client for a type that tests create and delete; it caches nothing about the type.
func (w *environment) lates() dynamic.NamespaceableResourceInterface {
	w.Helper()
	objects, err := dynamic.NewForConfig(w.Admin())
	w.must(err)
	return objects.Resource(schema.GroupVersionResource{Group: group, Version: "v1", Resource: "lates"})
}

// late creates an input of that type.
func (w *environment) late(namespace, name, value string) {
	w.Helper()
	o := w.read(fmt.Sprintf("{apiVersion: map.example.org/v1, kind: Late, metadata: {name: %s, labels: {color: red}}, data: {x: %s}}", name, value))
	in := dynamic.ResourceInterface(w.lates())
	if o.SetNamespace(namespace); namespace != "" {
		in = w.lates().Namespace(namespace)
	}
	w.eventually("a Late is made", func() string {
		if _, err := in.Create(context.Background(), o, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			return err.Error()
		}
		return ""
	})
}

// define creates the type with a scope, and deletes it when the test ends.
func (w *environment) define(scope string) (undefine func()) {
	w.Helper()
	text := "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: lates.map.example.org}, spec: {group: map.example.org, scope: " + scope +
		", names: {kind: Late, plural: lates}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}}"
	crd := w.read(text)
	w.must(w.Create(context.Background(), crd.DeepCopy()))
	undefine = func() {
		w.must(client.IgnoreNotFound(w.Delete(context.Background(), crd.DeepCopy())))
		w.eventually("the type goes", func() string {
			if err := w.Get(context.Background(), client.ObjectKeyFromObject(crd), crd.DeepCopy()); !apierrors.IsNotFound(err) {
				return fmt.Sprint("it is there: ", err)
			}
			return ""
		})
	}
	w.Cleanup(undefine)
	return undefine
}

var lateCopies = strings.Replace(copies, `{apiVersion: v1, resource: configmaps, labelSelector: {matchLabels: {input: "yes"}}}`, "{apiVersion: map.example.org/v1, resource: lates}", 1)

func TestTypeRecreatedWithAnotherScope(t *testing.T) {
	for name, tc := range map[string]struct {
		reason     string
		from, to   string
		waits      bool
		namespaced bool
	}{
		"Missed":     {"the controller saw that it was gone", "Namespaced", "Cluster", true, false},
		"Unmissed":   {"it was back at once", "Namespaced", "Cluster", false, false},
		"Namespaced": {"and the other way round", "Cluster", "Namespaced", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnvironment(t)
			w.put(policy)
			undefine := w.define(tc.from)
			homes := map[bool]string{true: w.namespace}
			w.late(homes[!tc.namespaced], "l", "one")
			w.put(lateCopies)
			w.start()
			w.awaitProbes("at first", map[string]any{"p-l-x": probe("one")})
			undefine()
			if tc.waits {
				w.awaitReady("copies", "False NotServed")
			}
			w.define(tc.to)
			w.late(homes[tc.namespaced], "l", "two")
			w.late(homes[tc.namespaced], "m", "three")
			w.eventually(tc.reason, func() string { return cmp.Diff(probe("three"), w.probes()["p-m-x"]) })
			w.eventually("without a restart", func() string { return cmp.Diff(probe("two"), w.probes()["p-l-x"]) })
			w.awaitReady("copies", "")
		})
	}
}

func TestDeletedTypeKeepsOutputs(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	undefine := w.define("Namespaced")
	all := map[string]any{}
	for i := range 120 {
		w.late(w.namespace, fmt.Sprint("l", i), "one")
		all[fmt.Sprintf("p-l%d-x", i)] = probe("one")
	}
	w.put(lateCopies)
	w.start(settling(300 * time.Millisecond))
	w.awaitProbes("at first", all)
	undefine()
	w.awaitReady("copies", "False NotServed")
	if diff := cmp.Diff(all, w.probes()); diff != "" {
		t.Errorf("the deletion of a type deletes outputs (-want +got):\n%s", diff)
	}
}

// settling sets how long an absence must last.
func settling(d time.Duration) func(*mapcontroller.Options) {
	return func(o *mapcontroller.Options) { o.Settle = d }
}

func TestInputsDeletedOneByOne(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.define("Namespaced")
	all, few := map[string]any{}, map[string]any{}
	for i := range 8 {
		w.late(w.namespace, fmt.Sprint("l", i), "one")
		all[fmt.Sprintf("p-l%d-x", i)] = probe("one")
		if i > 0 {
			few[fmt.Sprintf("p-l%d-x", i)] = probe("one")
		}
	}
	w.put(lateCopies)
	w.start(settling(time.Second))
	w.awaitProbes("at first", all)
	remove := func(i int) {
		w.must(w.lates().Namespace(w.namespace).Delete(context.Background(), fmt.Sprint("l", i), metav1.DeleteOptions{}))
	}
	gone := time.Now()
	remove(0)
	w.awaitProbes("one alone", few)
	if took := time.Since(gone); took < time.Second {
		t.Errorf("the absence counted after %v, want 1s", took)
	}
	w.awaitReady("copies", "True")
	for i := range 7 {
		remove(i + 1)
		time.Sleep(200 * time.Millisecond)
	}
	w.awaitReady("copies", "False Refused")
	w.awaitProbes("all deletions wait while inputs disappear; no input left deletes nothing", few)
}
