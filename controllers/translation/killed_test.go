package translation_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// killer ends a process, as it were, at a point of its life: from then on nothing that it sends arrives.
// Points are before and after each write to the API server and each request to the backend.
type killer struct {
	guard  sync.Mutex
	points int
	at     int // 0: never
	dead   chan struct{}
}

var errKilled = errors.New("killed")

type carrier func(*http.Request) (*http.Response, error)

func (c carrier) RoundTrip(r *http.Request) (*http.Response, error) { return c(r) }

// live tells of one more point of its life.
func (k *killer) live() error {
	k.guard.Lock()
	defer k.guard.Unlock()
	if k.points++; k.points == k.at {
		close(k.dead)
	}
	if k.at > 0 && k.points >= k.at {
		return errKilled
	}
	return nil
}

// carry carries requests for as long as the process lives.
func (k *killer) carry(by http.RoundTripper, reads bool) http.RoundTripper {
	return carrier(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodGet && !reads {
			return by.RoundTrip(r)
		}
		if err := k.live(); err != nil {
			return nil, err
		}
		res, err := by.RoundTrip(r)
		if err == nil && k.live() != nil {
			res.Body.Close()
			return nil, errKilled
		}
		return res, err
	})
}

// live runs a controller that is killed at a point.
func (w *world) live(at int) (k *killer, stop func()) {
	w.Helper()
	k = &killer{at: at, dead: make(chan struct{})}
	o := w.options()
	o.Transport = k.carry(w.backend.Client().Transport, true)
	cfg := w.ServiceAccount(w, system, "waybill-controller")
	cfg.Wrap(func(rt http.RoundTripper) http.RoundTripper { return k.carry(rt, false) })
	return k, w.launch(cfg, o)
}

// TestKilledAnywhere has process after process die in the middle, and others change everything meanwhile.
func TestKilledAnywhere(t *testing.T) {
	for _, seed := range testenv.Seeds(t, 1) {
		w := newWorld(t)
		r := rand.New(rand.NewPCG(seed, 0))
		now := fixture{version: 4}
		k, stop := w.live(1 + r.IntN(120))
		w.waiting = func() { // who waits for a deletion waits for the next process, too
			select {
			case <-k.dead:
				stop()
				k, stop = w.live(1 + r.IntN(120))
			default:
			}
		}
		for life := range 12 {
			now = now.changed(r)
			w.become(now.translations(w.namespace))
			select {
			case <-k.dead:
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
	w := newWorld(t)
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
