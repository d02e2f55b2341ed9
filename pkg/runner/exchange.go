package runner

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/comments"
	"sigs.k8s.io/kustomize/kyaml/order"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Process is a program that reads stdin to its end, then writes stdout and stderr. An error means
// that it could not run or was stopped; exiting with a status is no error.
type Process func(ctx context.Context, stdin []byte) (stdout, stderr []byte, exitCode int, err error)

// Exchange runs a Process over in by the ResourceList protocol.
func Exchange(ctx context.Context, in *fn.Input, run Process) (*Output, error) {
	stdin, err := (&fn.List{Items: withIDs(in.Items), Config: in.Config}).Write()
	if err != nil {
		return nil, err
	}
	stdout, stderr, code, err := run(ctx, stdin)
	if err != nil {
		return nil, err
	}
	l, err := fn.ParseList(stdout)
	if code != 0 { // results are read where there are any, items are not
		f := &Failure{Stderr: string(stderr), ExitCode: code}
		if err == nil {
			f.Results = l.Results
		}
		return nil, f
	}
	if err != nil && len(bytes.TrimSpace(stdout)) == 0 {
		return nil, &SilentError{Stderr: string(stderr), Err: err}
	}
	if err != nil {
		return nil, fmt.Errorf("its output: %w", err)
	}
	out := &Output{Stderr: string(stderr)}
	out.Results = l.Results
	out.Items, err = restore(in.Items, l.Items)
	return out, err
}

// withIDs numbers copies of the items, so that each can be recognised when it comes back.
func withIDs(items []*krm.Object) []*krm.Object {
	out := make([]*krm.Object, len(items))
	for i, o := range items {
		out[i] = o.DeepCopy()
		id := strconv.Itoa(i)
		out[i].SetAnnotation(krm.IDAnnotation, id)
		out[i].SetAnnotation(krm.LegacyIDAnnotation, id)
	}
	return out
}

// restore gives each item that came back what the way to the function and back takes from it. An
// item that the function did not change is the original itself.
func restore(in, back []*krm.Object) ([]*krm.Object, error) {
	out := make([]*krm.Object, len(back))
	seen := make(map[*krm.Object]bool, len(back))
	for i, o := range back {
		old := original(in, o)
		if seen[old] {
			old = nil // a copy of an item that came back already is a new item
		}
		o.RemoveAnnotations(func(k string) bool { return k == krm.IDAnnotation || k == krm.LegacyIDAnnotation })
		if err := alignPairs(old, o); err != nil {
			return nil, err
		}
		out[i] = o
		if old == nil {
			continue
		}
		seen[old] = true
		if unchanged(old, o) {
			out[i] = old
		} else {
			keepForm(old, o)
		}
	}
	return out, nil
}

func original(in []*krm.Object, o *krm.Object) *krm.Object {
	id := o.Annotation(krm.IDAnnotation)
	if id == "" {
		id = o.Annotation(krm.LegacyIDAnnotation)
	}
	if i, err := strconv.Atoi(id); err == nil && i >= 0 && i < len(in) {
		return in[i]
	}
	return nil
}

// unchanged reports whether the function left old alone: same data, and no comment that old has not.
// How the function happened to print it does not count.
func unchanged(old, o *krm.Object) bool {
	if !krm.Equivalent(old.Node(), o.Node()) {
		return false
	}
	had := old.Comments()
	for _, c := range o.Comments() {
		if !slices.Contains(had, c) {
			return false
		}
	}
	return true
}

// keepForm copies comments and field order from old to o, as kpt does between calls and with the
// same library. Where that gives up, because a field has another shape now, ours does what it can.
func keepForm(old, o *krm.Object) {
	from, to := yaml.NewRNode(old.Node()), yaml.NewRNode(o.Node())
	if comments.CopyComments(from, to) != nil || order.SyncOrder(from, to) != nil {
		fn.KeepForm(old.Node(), o.Node())
	}
	o.ContinueFrom(old)
}

// alignPairs keeps the two spellings of path and index equal: where the function changed one, the
// other follows. old is nil for a new object.
func alignPairs(old, o *krm.Object) error {
	for _, pair := range [][2]string{
		{krm.PathAnnotation, krm.LegacyPathAnnotation},
		{krm.IndexAnnotation, krm.LegacyIndexAnnotation},
	} {
		now, legacy := o.Annotation(pair[0]), o.Annotation(pair[1])
		if now == legacy {
			continue
		}
		var was string
		if old != nil {
			was = old.Annotation(pair[0])
		}
		switch {
		case now == was:
			o.SetAnnotation(pair[0], legacy)
		case legacy == was:
			o.SetAnnotation(pair[1], now)
		default:
			return fmt.Errorf("%s: the function set %s to %q and %s to %q; they must agree",
				o.Describe(), pair[0], now, pair[1], legacy)
		}
	}
	return nil
}
