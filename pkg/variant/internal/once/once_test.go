package once_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/waybill-dev/waybill/pkg/variant/internal/once"
)

func TestMap(t *testing.T) {
	var m once.Map[string, int]
	var calls atomic.Int32
	fails := errors.New("it fails")
	compute := func() (int, error) { return int(calls.Add(1)), fails }
	var running sync.WaitGroup
	for range 100 {
		running.Go(func() {
			if got, err := m.Get("a", compute); got != 1 || !errors.Is(err, fails) {
				t.Errorf("one call serves all of a key, its error too: got %d, %v", got, err)
			}
		})
	}
	running.Wait()
	if got, _ := m.Get("b", compute); got != 2 {
		t.Errorf("another key has a value of its own: got call %d", got)
	}
	m.Delete("a")
	if got, _ := m.Get("a", compute); got != 3 {
		t.Errorf("a deleted value is computed again: got call %d", got)
	}
}

func TestMapDoesNotWaitForOtherKeys(t *testing.T) {
	var m once.Map[string, int]
	got, err := m.Get("outer", func() (int, error) { return m.Get("inner", func() (int, error) { return 7, nil }) })
	if got != 7 || err != nil {
		t.Errorf("a value may be computed from that of another key: got %d, %v", got, err)
	}
}
