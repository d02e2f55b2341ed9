package translation_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/translation"
	"github.com/waybill-dev/waybill/pkg/backend/backendtest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

func TestFaultsInjected(t *testing.T) {
	for _, seed := range testenv.Seeds(t, 1) {
		r := rand.New(rand.NewPCG(seed, 0))
		w := newTestCluster(t)
		stop := w.start(func(o *translation.Options) { o.PermanentRetry = 100 * time.Millisecond })
		faults := rand.New(rand.NewPCG(seed, 1)) // of the server's own
		now := fixture{version: 4}
		for range 6 {
			w.backend.Fails(func(int, *http.Request) (f backendtest.Fault) {
				if faults.IntN(6) == 0 {
					f = []backendtest.Fault{{Status: 500}, {Status: 503}, {Cut: true}, {Status: 422}, {Status: 403}}[faults.IntN(5)]
				}
				return f
			})
			now = now.changed(r)
			w.become(now.translations(w.namespace))
			time.Sleep(time.Duration(r.IntN(200)) * time.Millisecond)
			if r.IntN(2) == 0 {
				w.backend.Fails(nil)
				w.settled(fmt.Sprintf("seed %d, faults are over", seed), now.translations(w.namespace))
			}
		}
		w.backend.Fails(nil)
		w.settled(fmt.Sprintf("seed %d, at the end", seed), now.translations(w.namespace))
		stop()
	}
}

// changed turns some knobs.
func (w fixture) changed(r *rand.Rand) fixture {
	for range 1 + r.IntN(5) {
		switch r.IntN(6) {
		case 0:
			w.version++
		case 1, 2:
			w.nodes[r.IntN(len(w.nodes))] = r.IntN(3)
		default:
			w.services[r.IntN(len(w.services))] = r.IntN(4)
		}
	}
	return w
}
