package publishedresource_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/waybill-dev/waybill/controllers/publishedresource"
)

// killer ends a process, as it were, at a point of its life: from then on nothing that it sends arrives. Points are
// before and after each write to either API server. Or it has one write fail, before or after it was done.
type killer struct {
	guard  sync.Mutex
	points int
	at     int  // 0: never
	fails  bool // only that one
	dead   chan struct{}
}

var errKilled = errors.New("killed")

type carrier func(*http.Request) (*http.Response, error)

func (c carrier) RoundTrip(r *http.Request) (*http.Response, error) { return c(r) }

// next arms it anew.
func (k *killer) next(at int) {
	k.guard.Lock()
	defer k.guard.Unlock()
	k.points, k.at, k.dead = 0, at, make(chan struct{})
}

// live tells of one more point of its life.
func (k *killer) live() error {
	k.guard.Lock()
	defer k.guard.Unlock()
	if k.points++; k.points == k.at {
		close(k.dead)
		return errKilled
	}
	if k.at > 0 && k.points > k.at && !k.fails {
		return errKilled
	}
	return nil
}

func (k *killer) seen() int {
	k.guard.Lock()
	defer k.guard.Unlock()
	return k.points
}

// carry carries requests for as long as the process lives. Events count for nothing, nor does how the
// PublishedResource says that it gets on.
func (k *killer) carry(by http.RoundTripper) http.RoundTripper {
	return carrier(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodGet || strings.Contains(r.URL.Path, "/events") || strings.HasSuffix(r.URL.Path, "/orders/status") && strings.Contains(r.URL.Path, "publishedresources") {
			return by.RoundTrip(r)
		}
		if err := k.live(); err != nil {
			return nil, err
		}
		res, err := by.RoundTrip(r)
		if err == nil && k.live() != nil {
			res.Body.Close()
			if !k.fails {
				return nil, errKilled
			}
			return &http.Response{StatusCode: http.StatusInternalServerError, Request: r, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(nil))}, nil
		}
		return res, err
	})
}

// under runs a controller with a killer.
func (w *world) under(k *killer) (stop func()) {
	w.Helper()
	o := w.options()
	shop, home := w.shop.Admin(), w.home.Admin()
	for _, cfg := range []*rest.Config{shop, home} {
		cfg.Wrap(k.carry)
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
			k := &killer{}
			k.next(at)
			stop := w.under(k)
			began := time.Now()
			for running := true; running; time.Sleep(2 * time.Millisecond) {
				select {
				case <-k.dead:
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
	k := &killer{}
	k.next(0)
	stop := w.under(k)
	defer stop()
	settle := func() (out string) {
		w.awaitReady("orders", "True")
		for calm := 0; calm < 20; time.Sleep(10 * time.Millisecond) {
			now := fmt.Sprint(w.outcome("base"), k.seen())
			calm++
			if now != out {
				calm = 0
			}
			out = now
		}
		points = max(points, k.seen())
		k.next(0)
		return w.outcome("base")
	}
	w.awaitReady("orders", "True")
	k.next(0)
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
	k := &killer{fails: true}
	k.next(0)
	w.under(k)
	for at := 1; at <= points; at++ {
		name := fmt.Sprintf("f%d", at)
		k.next(at)
		w.lay(name, "one")
		w.eventually(fmt.Sprintf("made though write %d fails", at), func() string { return same(made, w.outcome(name)) })
		k.next(at)
		w.shop.remove(remote, "Order", name)
		w.eventually(fmt.Sprintf("gone though write %d fails", at), func() string { return same(gone, w.outcome(name)) })
	}
	w.awaitReady("orders", "True")
}
