package pack

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo/internal/idle"
)

// TestOneLargePack reads a large pack while another one is read: it waits, without a timeout of its server, and not longer
// than a conversation may take.
func TestOneLargePack(t *testing.T) {
	defer func(old chan struct{}) { largeLock = old }(largeLock)
	synctest.Test(t, func(t *testing.T) {
		largeLock = make(chan struct{}, 1) // on the fake clock
		b := Bounds{}.WithDefaults()
		begin := func() (*reader, func()) {
			timer := idle.New(b.Silence, b.Timeout)
			ctx, end := timer.Begin(t.Context(), 1)
			return &reader{ctx: ctx, pause: timer.Pause, bounds: b}, end
		}
		first, end := begin()
		defer end()
		if err := first.count(b.Total / 2); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(20*time.Minute, first.unlockLarge)
		second, end := begin()
		defer end()
		began := time.Now()
		if err := second.count(b.Total / 100); err != nil || time.Since(began) != 0 {
			t.Errorf("a small pack waited for %s: %v", time.Since(began), err)
		}
		if err := second.count(b.Total / 2); err != nil || time.Since(began) != 20*time.Minute {
			t.Errorf("a large pack waited for %s: %v", time.Since(began), err)
		}
		third, end := begin()
		defer end()
		if err := third.count(b.Total / 2); err == nil || !strings.Contains(err.Error(), "took longer than 30m0s") {
			t.Errorf("got %v", err)
		}
		third.unlockLarge()
		second.unlockLarge()
	})
}
