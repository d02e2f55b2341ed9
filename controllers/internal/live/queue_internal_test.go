package live

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"
)

func TestQueue(t *testing.T) {
	q := newQueue()
	expect := func(reason string, want string) {
		t.Helper()
		b, ok, wait := q.take()
		got := "nothing"
		switch {
		case ok && b.All:
			got = "all"
		case ok:
			got = fmt.Sprint(slices.Sorted(maps.Keys(b.Keys)))
		case wait > 0:
			got = "later"
		}
		if got != want {
			t.Errorf("%s: want %s, got %s", reason, want, got)
		}
	}
	expect("a new one begins with everything", "all")
	expect("once", "nothing")
	q.Add("b")
	q.Add("a")
	q.AddAfter("c", time.Hour)
	expect("what changed", "[a b]")
	expect("the rest is due later", "later")
	q.AddAfter("c", -1)
	expect("or earlier", "[c]")
	q.Add("a")
	q.Add("")
	expect("what is in no namespace concerns all", "all")
	q.AddAfter("", time.Hour)
	q.AddAll()
	expect("everything", "all")
	expect("what was due later was done with it", "nothing")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok := q.Get(ctx); ok {
		t.Error("it went on after the end")
	}
}
