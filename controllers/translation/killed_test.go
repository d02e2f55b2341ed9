package translation_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// live runs a controller that is killed at a point.
func (w *testCluster) live(at int) (k *clustertest.Killer, stop func()) {
	w.Helper()
	k = clustertest.NewKiller(at)
	o := w.options()
	o.Transport = k.Transport(w.backend.Client().Transport, nil)
	cfg := w.ServiceAccount(w, system, "waybill-controller")
	cfg.Wrap(func(rt http.RoundTripper) http.RoundTripper { return k.Transport(rt, clustertest.IsRead) })
	return k, w.launch(cfg, o)
}

// TestKilledAnywhere has process after process die in the middle, and others change everything meanwhile.
func TestKilledAnywhere(t *testing.T) {
	for _, seed := range testenv.Seeds(t, 1) {
		w := newTestCluster(t)
		r := rand.New(rand.NewPCG(seed, 0))
		now := fixture{version: 4}
		k, stop := w.live(1 + r.IntN(120))
		w.waiting = func() { // who waits for a deletion waits for the next process, too
			select {
			case <-k.Dead():
				stop()
				k, stop = w.live(1 + r.IntN(120))
			default:
			}
		}
		for life := range 12 {
			now = now.changed(r)
			w.become(now.translations(w.namespace))
			select {
			case <-k.Dead():
			case <-time.After(700 * time.Millisecond): // it lived
			}
			stop()
			if life%4 == 3 {
				_, end := w.live(0)
				w.settled(fmt.Sprintf("seed %d, life %d", seed, life), now.translations(w.namespace))
				end()
			}
			k, stop = w.live(1 + r.IntN(120))
		}
		stop()
	}
}

// TestTwoAtOnce has two controllers that both believe to lead. While that lasts the backend may see
// things twice; afterwards all is as it should be.
func TestTwoAtOnce(t *testing.T) {
	w := newTestCluster(t)
	r := rand.New(rand.NewPCG(1, 1))
	now := fixture{version: 4}
	_, stopOne := w.live(0)
	_, stopOther := w.live(0)
	for range 10 {
		now = now.changed(r)
		w.become(now.translations(w.namespace))
		time.Sleep(50 * time.Millisecond)
	}
	stopOne()
	w.settled("one is left", now.translations(w.namespace))
	now.version++
	w.become(now.translations(w.namespace))
	w.settled("and goes on", now.translations(w.namespace))
	stopOther()
}
