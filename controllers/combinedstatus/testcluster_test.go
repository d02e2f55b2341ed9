package combinedstatus_test

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/combinedstatus"
)

type m = map[string]any

var (
	workStatuses     = schema.GroupVersionResource{Group: "control.kubestellar.io", Version: "v1alpha1", Resource: "workstatuses"}
	collectors       = workStatuses.GroupVersion().WithResource("statuscollectors")
	bindings         = workStatuses.GroupVersion().WithResource("bindings")
	policies         = workStatuses.GroupVersion().WithResource("bindingpolicies")
	combinedStatuses = workStatuses.GroupVersion().WithResource("combinedstatuses")
	manifestWorks    = schema.GroupVersionResource{Group: "work.open-cluster-management.io", Version: "v1", Resource: "manifestworks"}
	deployments      = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	gadgets          = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "gadgets"}
	namespaces       = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
)

// testCluster is an API server with nothing in it but the kinds.
type testCluster struct {
	testing.TB
	*clustertest.Cluster
	objects   dynamic.Interface
	namespace string // of the workload
	log       *clustertest.Log
	wrap      func(http.RoundTripper) http.RoundTripper // for what the controller sends
}

// newTestCluster takes everything away that the test before left. Tests do not run in parallel: what the
// controller follows is in no namespace.
func newTestCluster(t testing.TB, c *clustertest.Cluster) *testCluster {
	t.Helper()
	c.InstallCRDs(t, "../../testdata/crds/combinedstatus/always")
	objects, err := dynamic.NewForConfig(c.Admin())
	if err != nil {
		t.Fatal(err)
	}
	w := &testCluster{TB: t, Cluster: c, objects: objects, log: &clustertest.Log{}}
	for _, r := range []schema.GroupVersionResource{bindings, policies, collectors, workStatuses, manifestWorks, combinedStatuses, deployments} {
		for _, obj := range w.list(r) {
			w.delete(r, obj.GetNamespace(), obj.GetName())
		}
	}
	w.namespace = c.Namespace(t)
	return w
}

func (w *testCluster) in(r schema.GroupVersionResource, namespace string) dynamic.ResourceInterface {
	if namespace == "" {
		return w.objects.Resource(r)
	}
	return w.objects.Resource(r).Namespace(namespace)
}

// list is all objects of a kind, none when the kind is not served.
func (w *testCluster) list(r schema.GroupVersionResource) []unstructured.Unstructured {
	w.Helper()
	found, err := w.objects.Resource(r).List(w.Context(), metav1.ListOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		w.Fatal(err)
	}
	for i := range found.Items {
		if r != workStatuses {
			found.Items[i].SetManagedFields(nil)
		}
	}
	return found.Items
}

// get is an object, nil when it is not there.
func (w *testCluster) get(r schema.GroupVersionResource, namespace, name string) *unstructured.Unstructured {
	w.Helper()
	obj, err := w.in(r, namespace).Get(w.Context(), name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		w.Fatal(err)
	}
	return obj
}

// put creates an object, or puts its content in place of what is there; its status, too.
func (w *testCluster) put(r schema.GroupVersionResource, obj m) {
	w.Helper()
	made := &unstructured.Unstructured{Object: obj}
	in := w.in(r, made.GetNamespace())
	if there := w.get(r, made.GetNamespace(), made.GetName()); there == nil {
		if _, err := in.Create(w.Context(), made, metav1.CreateOptions{}); err != nil {
			w.Fatal(err)
		}
		return
	}
	if err := w.change(r, made.GetNamespace(), made.GetName(), func(there m) {
		for key, value := range obj {
			if key != "metadata" {
				there[key] = value
			}
		}
	}); err != nil {
		w.Fatal(err)
	}
}

// change edits an object, and retries when another client did so meanwhile.
func (w *testCluster) change(r schema.GroupVersionResource, namespace, name string, edit func(m)) error {
	for {
		there, err := w.in(r, namespace).Get(w.Context(), name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		edit(there.Object)
		if _, err = w.in(r, namespace).Update(w.Context(), there, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
			return err
		}
	}
}

// edit is change for those who expect it to work.
func (w *testCluster) edit(r schema.GroupVersionResource, namespace, name string, edit func(m)) {
	w.Helper()
	if err := w.change(r, namespace, name, edit); err != nil {
		w.Fatal(err)
	}
}

func (w *testCluster) delete(r schema.GroupVersionResource, namespace, name string) {
	w.Helper()
	if err := w.in(r, namespace).Delete(w.Context(), name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
		w.Fatal(err)
	}
}

// cluster makes the namespace that a cluster reports into.
func (w *testCluster) cluster(name string) {
	w.Helper()
	if w.get(namespaces, "", name) == nil {
		w.put(namespaces, m{"apiVersion": "v1", "kind": "Namespace", "metadata": m{"name": name}})
	}
}

// report is a WorkStatus about a Deployment.
func (w *testCluster) report(cluster, name string, status m) m {
	return m{
		"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "WorkStatus", "metadata": m{"namespace": cluster, "name": name},
		"spec":   m{"sourceRef": m{"group": "apps", "version": "v1", "kind": "Deployment", "resource": "deployments", "namespace": w.namespace, "name": name}},
		"status": status,
	}
}

// deployment creates one, and returns its uid.
func (w *testCluster) deployment(name string) string {
	w.Helper()
	w.put(deployments, m{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": m{"namespace": w.namespace, "name": name},
		"spec": m{"replicas": int64(3), "selector": m{"matchLabels": m{"app": name}}, "template": m{
			"metadata": m{"labels": m{"app": name}},
			"spec":     m{"containers": []any{m{"name": "c", "image": "none"}}},
		}},
	})
	return string(w.get(deployments, w.namespace, name).GetUID())
}

func (w *testCluster) collector(name string, spec m) {
	w.Helper()
	spec["limit"] = int64(20)
	w.put(collectors, m{"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "StatusCollector", "metadata": m{"name": name}, "spec": spec})
}

// entry names an object in a Binding.
func (w *testCluster) entry(r schema.GroupVersionResource, name string, asked m) m {
	out := m{"group": r.Group, "version": r.Version, "resource": r.Resource, "namespace": w.namespace, "name": name, "resourceVersion": "1"}
	maps.Copy(out, asked)
	return out
}

func collected(by ...any) m { return m{"statusCollectors": by} }

// binding is one of a policy whose uid is the name twice.
func (w *testCluster) binding(name string, clusters []string, entries ...any) {
	w.Helper()
	var destinations []any
	for _, cluster := range clusters {
		destinations = append(destinations, m{"clusterId": cluster})
	}
	w.put(bindings, m{
		"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "Binding",
		"metadata": m{"name": name, "ownerReferences": []any{m{"apiVersion": "control.kubestellar.io/v1alpha1", "kind": "BindingPolicy", "name": name, "uid": name + name, "controller": true}}},
		"spec":     m{"workload": m{"namespaceScope": entries}, "destinations": destinations},
	})
}

// start runs a controller until the test ends, or until the returned function is called. tune changes its
// options.
func (w *testCluster) start(tune ...func(*combinedstatus.Options)) (stop func()) {
	w.Helper()
	o := combinedstatus.Options{
		Interval: 50 * time.Millisecond, FirstRetry: 20 * time.Millisecond, LastRetry: 200 * time.Millisecond,
		Log: logr.FromSlogHandler(slog.NewTextHandler(w.log, nil)),
	}
	for _, f := range tune {
		f(&o)
	}
	ended, cancel := w.launch(manager.Options{}, o)
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			w.Errorf("the controller ended with %v", err)
		}
		if w.Failed() {
			w.Logf("the controller's log:\n%s", w.log)
		}
	})
	w.Cleanup(stop)
	return stop
}

// launch runs a controller in a manager of its own until cancel is called or it ends, with an error or none.
func (w *testCluster) launch(how manager.Options, o combinedstatus.Options) (ended <-chan error, cancel func()) {
	w.Helper()
	cfg := w.controller()
	cfg.QPS = -1 // as package cluster has it
	cfg.Wrap(w.wrap)
	how.Metrics = metricsserver.Options{BindAddress: "0"}
	mgr, err := manager.New(cfg, how)
	if err == nil {
		err = combinedstatus.Add(mgr, o)
	}
	if err != nil {
		w.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	end := make(chan error, 1)
	go func() { end <- mgr.Start(ctx) }()
	return end, cancel
}

// eventually waits until something is as it should be.
func (w *testCluster) eventually(reason, want string, get func() string) {
	w.Helper()
	got := get()
	for deadline := time.Now().Add(time.Minute); got != want && time.Now().Before(deadline); got = get() {
		time.Sleep(50 * time.Millisecond)
	}
	if got != want {
		w.Fatalf("%s: want\n%s\ngot\n%s\nlog:\n%s", reason, want, got, w.log)
	}
}

// results are the CombinedStatuses of an object, one line for each collector: its rows.
func (w *testCluster) results(name string) string {
	w.Helper()
	var lines []string
	for _, obj := range w.list(combinedStatuses) {
		if obj.GetLabels()["status.kubestellar.io/name"] != name {
			continue
		}
		found, _ := obj.Object["results"].([]any)
		policy := obj.GetLabels()["status.kubestellar.io/binding-policy"]
		if len(found) == 0 {
			lines = append(lines, policy+": nothing")
		}
		for _, r := range found {
			result := r.(m)
			lines = append(lines, fmt.Sprintf("%s %s: %s", policy, result["name"], rows(result)))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func rows(result m) string {
	var out []string
	all, _ := result["rows"].([]any)
	for _, r := range all {
		var columns []string
		for _, c := range r.(m)["columns"].([]any) {
			v := c.(m)
			columns = append(columns, fmt.Sprint(first(v["string"], v["float"], v["object"])))
		}
		out = append(out, strings.Join(columns, " "))
	}
	return strings.Join(out, ", ")
}

func first(values ...any) any {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}

// versions are the resource versions of everything that the controller writes.
func (w *testCluster) versions() map[string]string {
	w.Helper()
	out := map[string]string{}
	for _, r := range []schema.GroupVersionResource{combinedStatuses, collectors, bindings, policies, deployments} {
		for _, obj := range w.list(r) {
			out[r.Resource+" "+obj.GetNamespace()+"/"+obj.GetName()] = obj.GetResourceVersion()
		}
	}
	return out
}

// plain reads a JSON text as an API server hands it out.
func plain(t testing.TB, text []byte) (out m) {
	t.Helper()
	if err := utiljson.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
