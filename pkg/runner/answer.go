package runner

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fn"
)

// Answer runs a function for another one: a failure that the function itself tells of is in its results.
func Answer(ctx context.Context, r Runner, in *fn.Input) (*fn.Output, error) {
	out, err := r.Run(ctx, in)
	var failed *Failure
	switch {
	case err == nil:
		return &out.Output, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case !errors.As(err, &failed):
		return nil, err
	case (&fn.Output{Results: failed.Results}).Failed():
		return &fn.Output{Results: failed.Results}, nil
	}
	return nil, failed.aside()
}

// aside is the failure of a function whose stderr is shown nowhere else.
func (e *Failure) aside() error {
	said := LastLine(strings.Join(strings.Fields(e.Stderr), " "))
	if said == "" {
		said = "it said nothing"
	}
	return fmt.Errorf("exit status %d: %s", e.ExitCode, said)
}
