package pack

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/idle"
)

// TestOneLargePack has a pack that wants to be large while another one is: it waits without a word from its server,
// which is no fault of the server's, and not for longer than a conversation may take.
func TestOneLargePack(t *testing.T) {
	defer func(was chan struct{}) { largeTurn = was }(largeTurn)
	synctest.Test(t, func(t *testing.T) {
		largeTurn = make(chan struct{}, 1) // of the fake clock's
		b := Bounds{}.WithDefaults()
		begin := func() (*reader, func()) {
			timer := idle.New(b.Silence, b.Timeout)
			ctx, end := timer.Begin(t.Context(), 1)
			return &reader{ctx: ctx, pause: timer.Pause, bounds: b}, end
		}
		first, end := begin()
		defer end()
		if err := first.hold(b.Total / 2); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(20*time.Minute, first.leave)
		second, end := begin()
		defer end()
		began := time.Now()
		if err := second.hold(b.Total / 100); err != nil || time.Since(began) != 0 {
			t.Errorf("a small pack waited for %s: %v", time.Since(began), err)
		}
		if err := second.hold(b.Total / 2); err != nil || time.Since(began) != 20*time.Minute {
			t.Errorf("a large pack waited for %s: %v", time.Since(began), err)
		}
		third, end := begin()
		defer end()
		if err := third.hold(b.Total / 2); err == nil || !strings.Contains(err.Error(), "took longer than 30m0s") {
			t.Errorf("got %v", err)
		}
		third.leave()
		second.leave()
	})
}
