package inproc

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/waybill-dev/waybill/pkg/fn"
)

// echo calls functions by giving back what they get.
type echo struct{}

func (echo) Check(f fn.Callee) error {
	if f.Image == "" {
		return errors.New("images only")
	}
	return nil
}

func (echo) Call(_ context.Context, _ fn.Callee, in *fn.Input) (*fn.Output, error) {
	return fn.NewOutput(in), nil
}

// TestCalling holds that a function may call others where there is a caller, and that it shows.
func TestCalling(t *testing.T) {
	cases := map[string]struct {
		reason  string
		caller  fn.Caller
		checks  bool
		calls   bool
		outside bool
		err     string
	}{
		"default": {reason: "there is no caller by default", calls: true, err: "no caller"},
		"unused":  {reason: "a function without calls depends on no caller", caller: echo{}},
		"called":  {reason: "what another function said is not known beforehand", caller: echo{}, calls: true, outside: true},
		"neither": {reason: "most functions want none"},
		"checked": {reason: "nor is what may be called", caller: echo{}, checks: true, outside: true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &fn.Function{Name: "f", Run: func(ctx context.Context, in *fn.Input) (*fn.Output, error) {
				caller := fn.CallerOf(ctx)
				switch {
				case c.checks:
					_ = caller.Check(fn.Callee{Image: "x"})
					return fn.NewOutput(in), nil
				case !c.calls:
					return fn.NewOutput(in), nil
				case caller == nil:
					return nil, errors.New("no caller")
				}
				if err := caller.Check(fn.Callee{Exec: "x"}); err == nil {
					t.Error("the caller's own check is not asked")
				}
				return caller.Call(ctx, fn.Callee{Image: "x"}, in)
			}}
			out, err := WithCaller(f, 0, c.caller).Run(t.Context(), &fn.Input{})
			if said(err) != "[error] "+c.err && said(err) != c.err {
				t.Fatalf("%s: err = %v, want %q", c.reason, err, c.err)
			}
			if err == nil && out.Outside != c.outside {
				t.Errorf("%s: Outside = %v", c.reason, out.Outside)
			}
		})
	}
}

// slowly calls functions that take their time.
type slowly struct {
	echo
	takes time.Duration
}

func (s slowly) Call(_ context.Context, _ fn.Callee, in *fn.Input) (*fn.Output, error) {
	time.Sleep(s.takes)
	return fn.NewOutput(in), nil
}

// TestCallsHaveTimeOfTheirOwn holds, under a fake clock, that a limit is for what a function does itself.
func TestCallsHaveTimeOfTheirOwn(t *testing.T) {
	cases := map[string]struct {
		reason  string
		own     time.Duration // between two calls
		expired bool
	}{
		"calls":  {"a hundred calls of two seconds are no matter of its own", 20 * time.Millisecond, false},
		"itself": {"its own time still counts, before, between and after", 40 * time.Millisecond, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fn.Function{Name: "f", Run: func(ctx context.Context, in *fn.Input) (*fn.Output, error) {
					for range 100 {
						time.Sleep(c.own)
						if _, err := fn.CallerOf(ctx).Call(ctx, fn.Callee{Image: "x"}, in); err != nil {
							return nil, err
						}
					}
					return fn.NewOutput(in), nil
				}}
				_, err := WithCaller(f, 3*time.Second, slowly{takes: 2 * time.Second}).Run(t.Context(), &fn.Input{})
				if (err != nil) != c.expired {
					t.Errorf("%s: err = %v", c.reason, err)
				}
				synctest.Wait()
				time.Sleep(time.Hour) // what was left behind ends
			})
		})
	}
}
