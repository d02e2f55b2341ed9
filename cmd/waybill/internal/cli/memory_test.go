package cli

import (
	"bytes"
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/gcstart"
	"github.com/waybill-dev/waybill/pkg/memlimit"
)

func TestGrowth(t *testing.T) {
	for live, want := range map[uint64]uint64{ // how much is live, and how much may be there before the next collection
		4 << 20:   68 << 20,
		24 << 20:  88 << 20,
		64 << 20:  128 << 20,
		96 << 20:  192 << 20,
		256 << 20: 384 << 20,
		600 << 20: 780 << 20,
	} {
		if got := live + live*uint64(growth(live))/100; got > want || want-got > want/50 {
			t.Errorf("%d MB live: %d MB before the next collection, want %d", live>>20, got>>20, want>>20)
		}
	}
	if got := growth(4 << 20); got != gcstart.Percent {
		t.Errorf("the first collection waits for a growth by %d %%, and before main by %d %%", got, gcstart.Percent)
	}
	if got := growth(0); got < 0 {
		t.Errorf("an empty heap may grow by %d %%", got)
	}
}

// TestPaceCollector sees that a heap that has become large is collected more often than a small one.
func TestPaceCollector(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	percent := func() int {
		p := debug.SetGCPercent(1)
		debug.SetGCPercent(p)
		return p
	}
	TuneCollector(func(string) (string, bool) { return "100", true })
	if got := percent(); got != 100 {
		t.Errorf("GOGC is set, and it became %d", got)
	}
	runtime.GC() // what other tests left is not live
	TuneCollector(func(string) (string, bool) { return "", false })
	if got := percent(); got <= 100 {
		t.Errorf("a small heap may grow by %d %%, want more than the default", got)
	}
	large := make([]byte, 300<<20)
	for deadline := time.Now().Add(10 * time.Second); percent() > 50; time.Sleep(time.Millisecond) {
		if runtime.GC(); time.Now().After(deadline) {
			t.Fatalf("a heap of 300 MB may still grow by %d %%", percent())
		}
	}
	runtime.KeepAlive(large)
}

// TestBoundHeap holds that the collector works harder below the memory that there is, and that GOMEMLIMIT wins.
func TestBoundHeap(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	LimitHeap(func(string) (string, bool) { return "1GiB", true })
	if got := debug.SetMemoryLimit(-1); got != before {
		t.Errorf("with GOMEMLIMIT the limit is %d, want %d", got, before)
	}
	LimitHeap(func(string) (string, bool) { return "", false })
	if got, most := debug.SetMemoryLimit(-1), memlimit.Bytes(); got >= most || got < most/2 {
		t.Errorf("the limit is %d of %d bytes", got, most)
	}
}

func TestMemoryValue(t *testing.T) {
	var m memoryValue
	for text, want := range map[string]int64{"512Mi": 512 << 20, "2Gi": 2 << 30, "1G": 1e9, "16777216": 16 << 20} {
		if err := m.Set(text); err != nil || int64(m) != want {
			t.Errorf("%s is %d (%v), want %d", text, m, err, want)
		}
		var again memoryValue
		if err := again.Set(m.String()); err != nil || again != m {
			t.Errorf("%s prints as %s, which is %d (%v)", text, &m, again, err)
		}
	}
}

// TestRestingBegins finds a rest after work, once, and none while there is work or after hardly any.
func TestRestingBegins(t *testing.T) {
	const mb = 1 << 20
	var r resting
	for i, step := range []struct {
		allocated uint64 // since the process began
		want      bool
	}{
		{1 * mb, false}, {60 * mb, false}, {120 * mb, false}, // it works
		{121 * mb, true}, {122 * mb, false}, // it rests
		{140 * mb, false}, {141 * mb, false}, // a small piece of work
		{160 * mb, false}, {161 * mb, true}, // all pieces together are worth a collection
	} {
		if got := r.begins(step.allocated); got != step.want {
			t.Errorf("step %d: %v", i, got)
		}
	}
}

// TestStaySmall sees that the system gets back what a process has freed, and that a heap of medium size grows by less meanwhile.
func TestStaySmall(t *testing.T) {
	released := func() uint64 {
		s := []metrics.Sample{{Name: "/memory/classes/heap/released:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	before := func() uint64 {
		large := bytes.Repeat([]byte{1}, 300<<20)
		defer runtime.KeepAlive(large)
		return released()
	}()
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		StaySmall(ctx, 10*time.Millisecond)
	}()
	for deadline := time.Now().Add(time.Minute); released() < before+200<<20; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d MiB were free, and %d after a minute of rest", before>>20, released()>>20)
		}
	}
	if got := growth(96 << 20); got != 50 {
		t.Errorf("96 MiB may grow by %d %%, want half", got)
	}
	end()
	if <-ended; growth(96<<20) != 100 {
		t.Errorf("afterwards they may grow by %d %%, want as much again", growth(96<<20))
	}
}
