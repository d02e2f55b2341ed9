package choose

import (
	"cmp"
	"context"
	"fmt"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// caller runs functions that other functions call, by the same rules.
type caller struct{ factory }

// Check implements fn.Caller.
func (c caller) Check(f fn.Callee) error {
	_, err := c.Prepare(context.Background(), entry(f))
	return err
}

// Call implements fn.Caller.
func (c caller) Call(ctx context.Context, f fn.Callee, in *fn.Input) (*fn.Output, error) {
	r, err := c.Prepare(ctx, entry(f))
	if err != nil {
		return nil, err
	}
	out, err := runner.Answer(ctx, r, in)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%q: %w", cmp.Or(f.Exec, f.Image), err)
	}
	return out, err
}

func entry(f fn.Callee) *kptfilev1.Function { return &kptfilev1.Function{Exec: f.Exec, Image: f.Image} }
