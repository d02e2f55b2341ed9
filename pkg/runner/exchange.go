package runner

import (
	"bytes"
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Process runs a program that reads stdin to its end, then writes stdout and stderr. An error means
// that it could not run or was stopped; a non-zero exit status is no error.
type Process func(ctx context.Context, stdin []byte) (stdout, stderr []byte, exitCode int, err error)

// Exchange runs a Process over in by the ResourceList protocol.
func Exchange(ctx context.Context, in *fn.Input, run Process) (*Output, error) {
	req, err := newRequest(in)
	if err != nil {
		return nil, err
	}
	stdout, stderr, code, err := run(ctx, req.text)
	if err != nil {
		return nil, err
	}
	if code != 0 { // its results count, its items do not
		f := &Failure{Stderr: string(stderr), ExitCode: code}
		if l, err := fn.ParseList(stdout); err == nil {
			f.Results = l.Results
		}
		return nil, f
	}
	ans, err := req.parse(stdout)
	if err != nil {
		err = &OutputError{fmt.Errorf("its output: %w", err)}
	}
	if err != nil && len(bytes.TrimSpace(stdout)) == 0 {
		return nil, &SilentError{Stderr: string(stderr), Err: err}
	}
	if err != nil {
		return nil, err
	}
	out := &Output{Stderr: string(stderr)}
	out.Results = ans.results
	if out.Items, err = restore(req.items, ans.items); err != nil {
		return nil, &OutputError{err}
	}
	out.Items = fn.WithoutInputOnly(out.Items)
	return out, nil
}

// restore restores in each returned item what the exchange with the process loses. An
// item that the function did not change is the original itself.
func restore(sent []*krm.Object, back []returned) ([]*krm.Object, error) {
	out := make([]*krm.Object, len(back))
	var format formatter
	copies := copiesOf{in: sent}
	for i, b := range back {
		old, o := b.old, b.now
		if out[i] = old; o == nil {
			continue
		}
		o.RemoveAnnotations(func(k string) bool { return k == krm.IDAnnotation || k == krm.LegacyIDAnnotation })
		if err := copies.align(b.from, o); err != nil {
			return nil, err
		}
		switch {
		case old == nil:
			out[i] = o
		case !isUnchanged(old, o):
			format.restoreFormat(old, o)
			out[i] = o
		}
	}
	return out, nil
}

// isUnchanged reports whether the function did not change old: same data, and no new comment.
// The formatting does not count.
func isUnchanged(old, o *krm.Object) bool {
	if !krm.Equivalent(old.Node(), o.Node()) {
		return false
	}
	comments := o.Comments()
	if len(comments) == 0 {
		return true
	}
	return sets.New(old.Comments()...).HasAll(comments...)
}
