package mapcontroller_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

func isConflict(err error) bool { return apierrors.IsConflict(err) }

// startKiller runs a controller that dies at a request.
func (w *environment) startKiller(at int) (k *clustertest.Killer, stop func()) {
	w.Helper()
	k = clustertest.NewKiller(at)
	cfg := w.ServiceAccount(w, system, "waybill-controller")
	cfg.Wrap(func(by http.RoundTripper) http.RoundTripper { return k.Transport(by, clustertest.IsRead) })
	return k, w.startAs(cfg, w.options())
}

// TestKilledAnywhere kills process after process before or after each of its writes, while other clients change everything.
func TestKilledAnywhere(t *testing.T) {
	for _, seed := range testenv.Seeds(t, 1) {
		w := newEnvironment(t)
		r := rand.New(rand.NewPCG(seed, 0))
		var now plan
		for i := range now.policies {
			now.policies[i].there = true
		}
		w.put(copies)
		for life := range 16 {
			now = now.mutated(r)
			k, stop := w.startKiller(1 + life)
			w.apply(now)
			select {
			case <-k.Dead():
			case <-time.After(700 * time.Millisecond): // it survived
			}
			stop()
			if life%4 == 3 {
				_, end := w.startKiller(0)
				w.awaitPlan(fmt.Sprintf("seed %d, life %d", seed, life), now)
				end()
			}
		}
	}
}

// TestTwoAtOnce runs two controllers that both believe to lead.
func TestTwoAtOnce(t *testing.T) {
	w := newEnvironment(t)
	r := rand.New(rand.NewPCG(1, 1))
	var now plan
	now.policies[0].there = true
	w.put(copies)
	_, stopOne := w.startKiller(0)
	_, stopOther := w.startKiller(0)
	for range 10 {
		now = now.mutated(r)
		w.apply(now)
		time.Sleep(30 * time.Millisecond)
	}
	w.awaitPlan("both at once", now)
	stopOne()
	now = now.mutated(r)
	w.apply(now)
	w.awaitPlan("one is left", now)
	stopOther()
}

// TestAPIServerRestarts stops and starts the API server, and then etcd.
func TestAPIServerRestarts(t *testing.T) {
	w := newEnvironment(t)
	w.put(policy)
	w.input("a", "x: one")
	w.put(copies)
	w.start()
	w.awaitProbes("at first", map[string]any{"p-a-x": probe("one")})
	w.StopAPIServer(t)
	time.Sleep(500 * time.Millisecond)
	w.StartAPIServer(t)
	w.input("b", "x: two")
	w.awaitProbes("the API server is back", map[string]any{"p-a-x": probe("one"), "p-b-x": probe("two")})
	w.StopEtcd(t)
	time.Sleep(300 * time.Millisecond)
	w.StartEtcd(t)
	w.remove("v1", "ConfigMap", "a")
	w.awaitProbes("etcd is back", map[string]any{"p-b-x": probe("two")})
	w.awaitReady("copies", "True")
}
