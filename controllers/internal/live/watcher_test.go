package live_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/internal/live"
)

// eventLog is a WatchHandler that records its events, without names of other namespaces.
type eventLog struct {
	mu        sync.Mutex
	namespace string
	lines     []string
}

func (d *eventLog) add(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.lines) == 0 || d.lines[len(d.lines)-1] != line {
		d.lines = append(d.lines, line)
	}
}

func (d *eventLog) Put(o *unstructured.Unstructured) {
	if o.GetNamespace() == d.namespace {
		d.add("put " + o.GetName())
	}
}

func (d *eventLog) Delete(namespace, name string) {
	if namespace == d.namespace {
		d.add("delete " + name)
	}
}

func (d *eventLog) Synced(kind, version string) {
	d.add(fmt.Sprintf("synced %q %t", kind, version != ""))
}

func (d *eventLog) Failed(err error) {
	reason, _, _ := strings.Cut(err.Error(), ":")
	d.add("failed " + reason)
}

// await waits until the last lines are these.
func (d *eventLog) await(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		d.mu.Lock()
		got = slices.Clone(d.lines[max(0, len(d.lines)-len(want)):])
		d.mu.Unlock()
		if slices.Equal(got, want) {
			return
		}
	}
	t.Fatalf("events (-want +got):\n%s", cmp.Diff(want, got))
}

func serverOf(t *testing.T, cfg *rest.Config) *live.Server {
	t.Helper()
	s, err := live.Connect("", cfg, rest.NoWarnings{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func start(t *testing.T, s *live.Server, resource, namespace string) *eventLog {
	t.Helper()
	d := &eventLog{namespace: namespace}
	w := live.NewWatcher(s, schema.GroupVersionResource{Version: "v1", Resource: resource}, d,
		live.WatchOptions{Namespace: namespace, FirstRetry: 10 * time.Millisecond, LastRetry: 50 * time.Millisecond, Log: logr.Discard()})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		w.Run(ctx)
		close(done)
	}()
	t.Cleanup(func() { cancel(); <-done })
	return d
}

// kubectlIn runs kubectl in a namespace.
func kubectlIn(t *testing.T, c *clustertest.Cluster, namespace string) func(args ...string) {
	return func(args ...string) {
		t.Helper()
		if _, err := c.Kubectl(t, c.Admin(), "", append([]string{"-n", namespace}, args...)...); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWatcher(t *testing.T) {
	c := clustertest.Shared(t)
	namespace := c.Namespace(t)
	kubectl := kubectlIn(t, c, namespace)
	kubectl("create", "configmap", "a")
	admin := serverOf(t, c.Admin())
	d := start(t, admin, "configmaps", namespace)
	d.await(t, "put a", `synced "ConfigMap" true`)
	kubectl("create", "configmap", "b")
	kubectl("delete", "configmap", "a")
	d.await(t, `synced "ConfigMap" true`, "put b", "delete a")
	c.StopAPIServer(t)
	d.await(t, "failed list")
	c.StartAPIServer(t)
	d.await(t, "put b", `synced "ConfigMap" true`)
	start(t, admin, "unicorns", namespace).await(t, `synced "" false`)
}

// dataLog is an eventLog that records the kind of each object, and whether it has data.
type dataLog struct{ *eventLog }

func (d dataLog) Put(o *unstructured.Unstructured) {
	if o.GetNamespace() == d.namespace && o.GetName() == "a" {
		d.add(fmt.Sprintf("put %s %v, data: %t", o.GetKind(), o.GetLabels(), o.Object["data"] != nil))
	}
}

// TestWatchMetadata lists a whole object, and watches its metadata alone.
func TestWatchMetadata(t *testing.T) {
	c := clustertest.Shared(t)
	namespace := c.Namespace(t)
	kubectl := kubectlIn(t, c, namespace)
	kubectl("create", "configmap", "a", "--from-literal=k=v")
	s := serverOf(t, c.Admin())
	alone, err := metadata.NewForConfigAndClient(s.Config, s.HTTPClient)
	if err != nil {
		t.Fatal(err)
	}
	d := dataLog{&eventLog{namespace: namespace}}
	w := live.NewWatcher(s, schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, d, live.WatchOptions{
		Namespace: namespace, FirstRetry: 10 * time.Millisecond, LastRetry: 50 * time.Millisecond, Log: logr.Discard(), Metadata: alone})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		w.Run(ctx)
		close(done)
	}()
	t.Cleanup(func() { cancel(); <-done })
	const listed = "put ConfigMap map[], data: true"
	d.await(t, listed, `synced "ConfigMap" true`)
	kubectl("label", "configmap", "a", "x=y")
	kubectl("delete", "configmap", "a")
	d.await(t, listed, `synced "ConfigMap" true`, "put PartialObjectMetadata map[x:y], data: false", "delete a")
}

// TestForbidden follows what may not be listed, and then what may be listed and not watched.
func TestForbidden(t *testing.T) {
	c := clustertest.Shared(t)
	namespace := c.Namespace(t)
	d := start(t, serverOf(t, c.ServiceAccount(t, namespace, "stranger")), "configmaps", namespace)
	d.await(t, "failed list")
	for _, args := range [][]string{{"create", "role", "r", "--verb=list", "--resource=configmaps"}, {"create", "rolebinding", "r", "--role=r", "--serviceaccount=" + namespace + ":stranger"}} {
		if _, err := c.Kubectl(t, c.Admin(), "", append([]string{"-n", namespace}, args...)...); err != nil {
			t.Fatal(err)
		}
	}
	d.await(t, `synced "ConfigMap" true`, "failed watch", `synced "ConfigMap" true`)
}
