package memo

import (
	"context"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// Program is a Runner of a program that runner.Exchange talks to.
type Program interface {
	runner.Runner
	runner.Identified
	// Process runs the program once; it is a runner.Process.
	Process(ctx context.Context, stdin []byte) (stdout, stderr []byte, exitCode int, err error)
}

// Wrap puts c before p. The output is exactly that of p.
func (c *Cache) Wrap(p Program) runner.Runner {
	identity := p.Identity()
	if c == nil || identity == "" {
		return p
	}
	return &cachedProgram{p, c, identity}
}

type cachedProgram struct {
	program  Program
	cache    *Cache
	identity string
}

// Kind says that the output may come from either.
func (r *cachedProgram) Kind() string { return r.program.Kind() + " or cache" }

// Identity is the program's.
func (r *cachedProgram) Identity() string { return r.identity }

func (r *cachedProgram) Run(ctx context.Context, in *fn.Input) (*runner.Output, error) {
	if hasSecret(in) {
		return r.program.Run(ctx, in)
	}
	var k keys
	var fresh *answer
	out, err := runner.Exchange(ctx, in, func(ctx context.Context, stdin []byte) ([]byte, []byte, int, error) {
		if mayHoldSecret(stdin) {
			return r.program.Process(ctx, stdin)
		}
		k = sameKey(keyOf(r.identity, stdin))
		if known := r.cache.lookUp(k, anyAnswer); known != nil && ctx.Err() == nil {
			r.cache.hits.Add(1)
			return known.stdout, known.stderr, 0, nil
		}
		r.cache.runs.Add(1)
		stdout, stderr, code, err := r.program.Process(ctx, stdin)
		if err == nil && code == 0 && !mayHoldSecret(stdout) && !mayHoldSecret(stderr) {
			fresh = &answer{stdout, stderr}
		}
		return stdout, stderr, code, err
	})
	if err == nil && fresh != nil { // only now it is known that the output is valid
		r.cache.keep(k, fresh)
	}
	return out, err
}
