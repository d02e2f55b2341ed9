package mutators_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// endingContext ends when it was asked so many times, by whomever.
type endingContext struct {
	context.Context
	left atomic.Int64
}

func (c *endingContext) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestAllStop ends the context of every golden case of every function the first time it is asked, the
// second time, and so on: a run that it does not reach says what it always says, any other only that.
func TestAllStop(t *testing.T) {
	testenv.Long(t, "every function is stopped")
	for _, f := range all {
		stopped := 0
		for _, parts := range goldenCases(t, f.Name) {
			in := &fn.Input{Items: read(parts["in.yaml"])}
			if config := read(parts["config.yaml"]); len(config) == 1 {
				in.Config = config[0]
			}
			want := formatted(f.Apply(t.Context(), in))
			for asked := range int64(20) {
				ctx := &endingContext{Context: t.Context()}
				ctx.left.Store(asked)
				got := formatted(f.Apply(ctx, in))
				if len(got) == 1 && strings.HasSuffix(got[0], context.Canceled.Error()) {
					stopped++
					continue
				}
				if d := cmp.Diff(want, got); d != "" || ctx.left.Load() < 0 {
					t.Errorf("%s, whose context ended when it was asked for the time %d (-without +with):\n%s", f.Name, asked, d)
				}
				break
			}
		}
		if stopped == 0 {
			t.Errorf("%s never asks its context", f.Name)
		}
	}
}

func formatted(out *fn.Output) (lines []string) {
	for _, r := range out.Results {
		lines = append(lines, fn.FormatResult(r))
	}
	return lines
}
