// Package inproc runs functions that are linked into the binary.
//
// Shape: a Runner around a *fn.Function. Cost: none beyond the function's own; objects are shared.
// Errors: *runner.Failure when a result is an error.
package inproc

import (
	"context"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// New makes a Runner of f.
func New(f *fn.Function) runner.Runner { return linked{f} }

type linked struct{ f *fn.Function }

func (l linked) Kind() string { return "in-process" }

// Identity is the function's name: what it does is part of the running program.
func (l linked) Identity() string { return "linked " + l.f.Name }

func (l linked) Run(ctx context.Context, in *fn.Input) (*runner.Output, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := l.f.Apply(ctx, in)
	if out.Failed() {
		return nil, &runner.Failure{Results: out.Results, ExitCode: fn.ExitFailed}
	}
	return &runner.Output{Output: *out}, nil
}
