package runner

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fn"
)

// Answer runs a function for another function. If the function reports its failure in results, they are the output.
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
	return nil, failed.withStderr()
}

// withStderr is the failure with the last line of stderr, for a function whose stderr is not shown elsewhere.
func (e *Failure) withStderr() error {
	line := LastLine(strings.Join(strings.Fields(e.Stderr), " "))
	if line == "" {
		line = "it printed no error"
	}
	return fmt.Errorf("exit status %d: %s", e.ExitCode, line)
}
