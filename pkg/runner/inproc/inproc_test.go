package inproc

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/runner"
)

const item = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"

// TestStops runs functions under a fake clock: whether a function looks at its context or not, Run
// comes back soon after the limit or the interruption, and says which of them it was.
func TestStops(t *testing.T) {
	interrupted := errors.New("interrupted")
	const tooLong = `linked function "slow" ran longer than the 3s that --function-timeout allows, and was stopped`
	cases := map[string]struct {
		reason    string
		limit     time.Duration
		takes     time.Duration // of the function, 0 for one that never ends by itself
		deaf      bool          // to its context
		interrupt time.Duration // after this time, if any
		err       string
		after     time.Duration // how long Run takes
	}{
		"in time":       {"what is done in time counts", 3 * time.Second, 2 * time.Second, true, 0, "", 2 * time.Second},
		"late":          {"one that looks at its context is back at once", 3 * time.Second, 0, false, 0, tooLong, 3 * time.Second},
		"deaf":          {"one that does not is left behind", 3 * time.Second, 0, true, 0, tooLong, 3*time.Second + grace},
		"hardly late":   {"what comes after the limit is dropped", 3 * time.Second, 3*time.Second + grace/2, true, 0, tooLong, 3*time.Second + grace/2},
		"default":       {"without an option the default holds", 0, 0, false, 0, `linked function "slow" ran longer than the 5m0s that --function-timeout allows, and was stopped`, DefaultTime},
		"interrupt":     {"interrupted, and it looks", 3 * time.Second, 0, false, time.Second, "interrupted", time.Second},
		"interrupt all": {"interrupted, and it does not look", 3 * time.Second, 0, true, time.Second, "interrupted", time.Second + grace},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, interrupt := context.WithCancelCause(t.Context())
				defer interrupt(nil)
				if c.interrupt != 0 {
					time.AfterFunc(c.interrupt, func() { interrupt(interrupted) })
				}
				end := make(chan struct{})
				defer close(end) // the one left behind ends with the test
				began := time.Now()
				_, err := Within(slow(c.takes, c.deaf, end), c.limit).Run(ctx, &fn.Input{Items: fntest.Parse(t, "a.yaml", []byte(item))})
				if took := time.Since(began); took != c.after {
					t.Errorf("%s: it took %s, want %s", c.reason, took, c.after)
				}
				if text := said(err); text != c.err {
					t.Errorf("%s: err = %q, want %q", c.reason, text, c.err)
				}
			})
		})
	}
}

func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// slow is a function that gives its input back after a time, at the end of all, or, unless it is deaf,
// when its context ends.
func slow(takes time.Duration, deaf bool, end <-chan struct{}) *fn.Function {
	return &fn.Function{Name: "slow", Run: func(ctx context.Context, in *fn.Input) (*fn.Output, error) {
		var done <-chan struct{}
		if !deaf {
			done = ctx.Done()
		}
		var after <-chan time.Time
		if takes != 0 {
			after = time.After(takes)
		}
		select {
		case <-after:
			return fn.NewOutput(in), nil
		case <-end:
			return fn.NewOutput(in), nil
		case <-done:
			return nil, ctx.Err()
		}
	}}
}

// TestEndedBefore holds that nothing is begun for who has gone already.
func TestEndedBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var ran atomic.Bool
	f := &fn.Function{Name: "f", Run: func(_ context.Context, in *fn.Input) (*fn.Output, error) {
		ran.Store(true)
		return fn.NewOutput(in), nil
	}}
	if _, err := New(f).Run(ctx, &fn.Input{}); !errors.Is(err, context.Canceled) || ran.Load() {
		t.Errorf("err = %v, it ran: %v", err, ran.Load())
	}
}

// TestFailure holds that an error result, and a function that breaks, are failures of the function.
func TestFailure(t *testing.T) {
	for name, run := range map[string]func(context.Context, *fn.Input) (*fn.Output, error){
		"error": func(context.Context, *fn.Input) (*fn.Output, error) { return nil, errors.New("no good") },
		"panic": func(context.Context, *fn.Input) (*fn.Output, error) { panic("no good") },
	} {
		_, err := New(&fn.Function{Name: "f", Run: run}).Run(context.Background(), &fn.Input{})
		var f *runner.Failure
		if !errors.As(err, &f) || len(f.Results) != 1 || f.ExitCode != fn.ExitFailed {
			t.Errorf("%s: err = %v", name, err)
		}
	}
}

// BenchmarkRun is what running a function costs beside the function.
func BenchmarkRun(b *testing.B) {
	r := New(&fn.Function{Name: "f", Run: func(_ context.Context, in *fn.Input) (*fn.Output, error) { return fn.NewOutput(in), nil }})
	in := &fn.Input{Items: fntest.Parse(b, "a.yaml", []byte(item))}
	b.ReportAllocs()
	for b.Loop() {
		if out, err := r.Run(context.Background(), in); err != nil || len(out.Items) != 1 {
			b.Fatal(err)
		}
	}
}
