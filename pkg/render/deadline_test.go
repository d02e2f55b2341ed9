package render

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// slow takes nine minutes for every function.
type slow struct{}

func (s slow) Prepare(context.Context, *kptfilev1.Function) (runner.Runner, error) { return s, nil }
func (slow) Kind() string                                                          { return "slow" }
func (slow) Run(ctx context.Context, in *fn.Input) (*runner.Output, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(9 * time.Minute):
		return nothing{}.Run(ctx, in)
	}
}

// TestTimeout checks that the timeout bounds all functions together: each function alone is fast enough.
func TestTimeout(t *testing.T) {
	tree := treeOf(t, map[string]string{
		"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\npipeline:\n  mutators: [{image: a}, {image: b}, {image: c}, {image: d}]\n",
	})
	const why = "the render took longer than the 25m0s allowed for all functions together; split the package, or allow more time (fn render --timeout)"
	for name, tc := range map[string]struct {
		limit, took time.Duration
		want        string
	}{
		"enough":  {time.Hour, 36 * time.Minute, ""},
		"short":   {25 * time.Minute, 25 * time.Minute, `render package "p": function "c" (step 3): ` + why},
		"default": {0, DefaultTimeout, `render package "p": function "d" (step 4): ` + "the render took longer than the 30m0s" + why[len("the render took longer than the 25m0s"):]},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			res, err := Render(context.Background(), tree, Options{Functions: slow{}, Name: "p", Timeout: tc.limit})
			if tc.want == "" && err != nil || tc.want != "" && (err == nil || err.Error() != tc.want || res.Tree.Len() > 0) {
				t.Errorf("%s: %v, want %s", name, err, tc.want)
			}
			if took := time.Since(began); took != tc.took {
				t.Errorf("%s: took %s, want %s", name, took, tc.took)
			}
			if errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: the error wraps that of a context, although the caller's context has not ended", name)
			}
		})
	}
}
