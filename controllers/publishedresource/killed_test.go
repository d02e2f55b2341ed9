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

// isFree reports whether a request is no point at which a killer acts. Events count for nothing, nor does how the
// PublishedResource says that it gets on.
func isFree(r *http.Request) bool {
	return clustertest.IsRead(r) || strings.Contains(r.URL.Path, "/events") ||
		strings.HasSuffix(r.URL.Path, "/orders/status") && strings.Contains(r.URL.Path, "publishedresources")
}

// under runs a controller with a killer.
func (w *world) under(k *clustertest.Killer) (stop func()) {
	w.Helper()
	o := w.options()
	shop, home := w.shop.Admin(), w.home.Admin()
	for _, cfg := range []*rest.Config{shop, home} {
		cfg.Wrap(func(by http.RoundTripper) http.RoundTripper { return k.Carry(by, isFree) })
	}
	o.Workspaces = []publishedresource.Workspace{{Name: w.workspace, Config: shop}}
	return w.launch(home, o)
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

// lay makes an Order and what is related to it.
func (w *world) lay(name, value string) {
	w.Helper()
	w.home.ensure("{apiVersion: v1, kind: Namespace, metadata: {name: NAMESPACE}}")
	w.home.put(configText("n-"+name, "order: "+name, "a: "+value))
	w.shop.put(configText("w-"+name, "", "b: "+value))
	w.order(name, "{value: "+value+", id: "+name+", size: 9007199254740993}")
}

// outcome is all there is of an Order, without what differs from one to the next.
func (w *world) outcome(name string) string {
	w.Helper()
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
	add("order", w.shop.get(remote, "Order", name))
	add("copy", w.copyOf(name))
	add("note", w.home.get("v1", "ConfigMap", "n-"+name))
	add("wish", w.shop.get("v1", "ConfigMap", "w-"+name))
	add("note's copy", w.shop.get("v1", "ConfigMap", "got-n-"+name))
	add("wish's copy", w.home.get("v1", "ConfigMap", "w-"+name))
	ledger := w.ledgerOf(name)
	entries := 0
	if ledger != nil {
		data, _ := ledger.Object["data"].(map[string]any)
		entries = len(data)
	}
	out = append(out, fmt.Sprint("states ", entries, ledger != nil))
	return strings.ReplaceAll(strings.Join(out, "\n"), name, "NAME")
}

// TestKilledAnywhere has process after process die after each of its writes, and before the first, as it makes, changes
// and takes away, and the next one go on. What is there in the end is what an undisturbed one makes.
func TestKilledAnywhere(t *testing.T) {
	w := newWorld(t)
	w.home.put(selected)
	made, changed, gone, points := w.undisturbed()
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
			{"made", made, func() { w.lay(name, "one") }},
			{"changed", changed, func() { w.lay(name, "two") }},
			{"gone", gone, func() { w.shop.remove(remote, "Order", name) }},
		} {
			phase.do()
			k := clustertest.NewKiller(at)
			stop := w.under(k)
			began := time.Now()
			for running := true; running; time.Sleep(2 * time.Millisecond) {
				select {
				case <-k.Dead():
					running = false
				default:
					running = w.outcome(name) != phase.want && time.Since(began) < 10*time.Second
				}
			}
			stop()
			if w.outcome(name) == phase.want {
				continue
			}
			stop = w.start()
			w.eventually(fmt.Sprintf("%s after a death at %d", phase.reason, at), func() string { return same(phase.want, w.outcome(name)) })
			stop()
		}
	}
}

// undisturbed is what becomes of an Order where nothing goes wrong, and the most points of a phase.
func (w *world) undisturbed() (made, changed, gone string, points int) {
	w.Helper()
	k := clustertest.NewKiller(0)
	stop := w.under(k)
	defer stop()
	settle := func() (out string) {
		w.awaitReady("orders", "True")
		for calm := 0; calm < 20; time.Sleep(10 * time.Millisecond) {
			now := fmt.Sprint(w.outcome("base"), k.Points())
			calm++
			if now != out {
				calm = 0
			}
			out = now
		}
		points = max(points, k.Points())
		k.Arm(0)
		return w.outcome("base")
	}
	w.awaitReady("orders", "True")
	k.Arm(0)
	w.lay("base", "one")
	made = settle()
	w.lay("base", "two")
	changed = settle()
	w.shop.remove(remote, "Order", "base")
	gone = settle()
	if strings.Contains(made, "gone") || strings.Count(gone, "gone") != 4 || made == changed {
		w.Fatalf("made:\n%s\nchanged:\n%s\ngone:\n%s", made, changed, gone)
	}
	return made, changed, gone, points
}

// TestFailingAnywhere has each write fail once, before or after it was done.
func TestFailingAnywhere(t *testing.T) {
	w := newWorld(t)
	w.home.put(selected)
	made, _, gone, points := w.undisturbed()
	gone = strings.ReplaceAll(gone, "two", "one")
	k := clustertest.NewFailer()
	w.under(k)
	for at := 1; at <= points; at++ {
		name := fmt.Sprintf("f%d", at)
		k.Arm(at)
		w.lay(name, "one")
		w.eventually(fmt.Sprintf("made though write %d fails", at), func() string { return same(made, w.outcome(name)) })
		k.Arm(at)
		w.shop.remove(remote, "Order", name)
		w.eventually(fmt.Sprintf("gone though write %d fails", at), func() string { return same(gone, w.outcome(name)) })
	}
	w.awaitReady("orders", "True")
}
