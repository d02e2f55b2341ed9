package publishedresource_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/controllers/publishedresource"
)

// isFree reports whether a killer ignores a request: reads, events, and writes to the status of the PublishedResource.
func isFree(r *http.Request) bool {
	return clustertest.IsRead(r) || strings.Contains(r.URL.Path, "/events") ||
		strings.HasSuffix(r.URL.Path, "/orders/status") && strings.Contains(r.URL.Path, "publishedresources")
}

// startWith runs a controller with a killer.
func (f *fixture) startWith(k *clustertest.Killer) (stop func()) {
	f.Helper()
	o := f.options()
	shop, home := f.shop.Admin(), f.home.Admin()
	for _, cfg := range []*rest.Config{shop, home} {
		cfg.Wrap(func(by http.RoundTripper) http.RoundTripper { return k.Transport(by, isFree) })
	}
	o.Workspaces = []publishedresource.Workspace{{Name: f.workspace, Config: shop}}
	return f.run(home, o)
}

const selected = orders + `  related:
  - identifier: notes
    origin: service
    version: v1
    resource: configmaps
    object: {selector: {matchLabels: {order: '{{ .RemoteObject.metadata.name }}'}, rewrite: {template: {template: 'got-{{ .Value }}'}}}}
    allowedNames: ['n-*']
  - identifier: wishes
    origin: kcp
    version: v1
    resource: configmaps
    object: {template: {template: 'w-{{ .Object.spec.id }}'}}
    allowedNames: ['w-*']
`

// createOrder creates an Order and its related objects, or changes them.
func (f *fixture) createOrder(name, value string) {
	f.Helper()
	f.home.Ensure("{apiVersion: v1, kind: Namespace, metadata: {name: NAMESPACE}}")
	f.home.Put(configText("n-"+name, "order: "+name, "a: "+value))
	f.shop.Put(configText("w-"+name, "", "b: "+value))
	f.putOrder(name, "{value: "+value+", id: "+name+", size: 9007199254740993}")
}

// outcome describes all objects of an Order, without what differs from one Order to the next.
func (f *fixture) outcome(name string) string {
	f.Helper()
	var out []string
	add := func(what string, o *object) {
		if o == nil {
			out = append(out, what+" gone")
			return
		}
		names := slices.Concat(slices.Sorted(maps.Keys(o.GetLabels())), slices.Sorted(maps.Keys(o.GetAnnotations())))
		out = append(out, fmt.Sprint(what, " ", names, o.GetFinalizers(), o.Object["spec"], o.Object["status"], o.GetKind() == "ConfigMap", o.GetDeletionTimestamp() != nil))
		if o.GetKind() == "ConfigMap" {
			out = append(out, fmt.Sprint(o.Object["data"]))
		}
	}
	add("order", f.shop.get(remote, "Order", name))
	add("copy", f.copyOf(name))
	add("note", f.home.get("v1", "ConfigMap", "n-"+name))
	add("wish", f.shop.get("v1", "ConfigMap", "w-"+name))
	add("note's copy", f.shop.get("v1", "ConfigMap", "got-n-"+name))
	add("wish's copy", f.home.get("v1", "ConfigMap", "w-"+name))
	ledger := f.stateOf(name)
	entries := 0
	if ledger != nil {
		data, _ := ledger.Object["data"].(map[string]any)
		entries = len(data)
	}
	out = append(out, fmt.Sprint("states ", entries, ledger != nil))
	return strings.ReplaceAll(strings.Join(out, "\n"), name, "NAME")
}

// TestKilledAnywhere kills a process after each of its writes, and before the first, while it creates, changes and deletes;
// the next process continues. The result is that of a process that was not killed.
func TestKilledAnywhere(t *testing.T) {
	f := newFixture(t)
	f.home.Put(selected)
	made, changed, gone, points := f.undisturbed()
	if points < 16 {
		t.Errorf("there were only %d points", points)
	}
	t.Logf("%d points", points)
	for write := range points/2 + 1 {
		at := max(1, 2*write)
		name := fmt.Sprintf("k%d", at)
		for _, phase := range []struct {
			reason, want string
			do           func()
		}{
			{"made", made, func() { f.createOrder(name, "one") }},
			{"changed", changed, func() { f.createOrder(name, "two") }},
			{"gone", gone, func() { f.shop.Remove(remote, "Order", name) }},
		} {
			phase.do()
			k := clustertest.NewKiller(at)
			stop := f.startWith(k)
			began := time.Now()
			for running := true; running; time.Sleep(2 * time.Millisecond) {
				select {
				case <-k.Dead():
					running = false
				default:
					running = f.outcome(name) != phase.want && time.Since(began) < 10*time.Second
				}
			}
			stop()
			if f.outcome(name) == phase.want {
				continue
			}
			stop = f.start()
			f.eventually(fmt.Sprintf("%s after the process was killed at %d", phase.reason, at), func() string { return diff(phase.want, f.outcome(name)) })
			stop()
		}
	}
}

// undisturbed returns the outcomes of an Order where nothing fails, and the most points of a phase.
func (f *fixture) undisturbed() (made, changed, gone string, points int) {
	f.Helper()
	k := clustertest.NewKiller(0)
	stop := f.startWith(k)
	defer stop()
	settle := func() (out string) {
		f.awaitReady("orders", "True")
		for calm := 0; calm < 20; time.Sleep(10 * time.Millisecond) {
			now := fmt.Sprint(f.outcome("base"), k.Points())
			calm++
			if now != out {
				calm = 0
			}
			out = now
		}
		points = max(points, k.Points())
		k.Arm(0)
		return f.outcome("base")
	}
	f.awaitReady("orders", "True")
	k.Arm(0)
	f.createOrder("base", "one")
	made = settle()
	f.createOrder("base", "two")
	changed = settle()
	f.shop.Remove(remote, "Order", "base")
	gone = settle()
	if strings.Contains(made, "gone") || strings.Count(gone, "gone") != 4 || made == changed {
		f.Fatalf("made:\n%s\nchanged:\n%s\ngone:\n%s", made, changed, gone)
	}
	return made, changed, gone, points
}

// TestFailingAnywhere lets each write fail once, before or after the API server executed it.
func TestFailingAnywhere(t *testing.T) {
	f := newFixture(t)
	f.home.Put(selected)
	made, _, gone, points := f.undisturbed()
	gone = strings.ReplaceAll(gone, "two", "one")
	k := clustertest.NewFailer()
	f.startWith(k)
	for at := 1; at <= points; at++ {
		name := fmt.Sprintf("f%d", at)
		k.Arm(at)
		f.createOrder(name, "one")
		f.eventually(fmt.Sprintf("created though write %d fails", at), func() string { return diff(made, f.outcome(name)) })
		k.Arm(at)
		f.shop.Remove(remote, "Order", name)
		f.eventually(fmt.Sprintf("deleted though write %d fails", at), func() string { return diff(gone, f.outcome(name)) })
	}
	f.awaitReady("orders", "True")
}
