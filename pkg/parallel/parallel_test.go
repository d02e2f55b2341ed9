package parallel_test

import (
	"sync/atomic"
	"testing"

	"github.com/waybill-dev/waybill/pkg/parallel"
)

func TestFor(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		calls := make([]atomic.Int64, n)
		parallel.For(n, func(i int) { calls[i].Add(1) })
		for i := range calls {
			if got := calls[i].Load(); got != 1 {
				t.Errorf("%d rounds: %d calls of round %d", n, got, i)
			}
		}
	}
}

// TestPanic: the caller can recover a panic, after all other functions have returned.
func TestPanic(t *testing.T) {
	var others atomic.Int64
	defer func() {
		if p := recover(); p != "broken" {
			t.Errorf("panics with %v", p)
		}
		if got := others.Load(); got != 10 {
			t.Errorf("%d of 10 functions have returned", got)
		}
	}()
	var group parallel.Group
	group.Go(func() { panic("broken") })
	for range 10 {
		group.Go(func() { others.Add(1) })
	}
	group.Wait()
	t.Error("Wait returned")
}

func TestPanicOfRound(t *testing.T) {
	defer func() {
		if p := recover(); p != "broken" {
			t.Errorf("panics with %v", p)
		}
	}()
	parallel.For(100, func(i int) {
		if i == 50 {
			panic("broken")
		}
	})
	t.Error("For returned")
}
