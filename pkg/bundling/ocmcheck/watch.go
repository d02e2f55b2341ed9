package ocmcheck

import (
	"cmp"
	"context"
	"strconv"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Watch is f under observation: of every run that does not fail, whoever runs it, what OCM would
// refuse of the ManifestWorks that f generated is an error of t, and so is an object that moves
// to another work. The limit is the one that the config of the run names in its option
// manifestLimit, else the hub's default.
func Watch(t testing.TB, f *fn.Function) *fn.Function {
	watched := *f
	watched.Run = func(ctx context.Context, in *fn.Input) (*fn.Output, error) {
		out, err := f.Run(ctx, in)
		if err != nil || out.Failed() {
			return out, err // the works of an earlier run stay, and another case has them
		}
		for _, fault := range Violations(generated(f, out.Items), limitOf(in.Config)) {
			t.Errorf("a hub or its agents refuse a work of %s: %s", f.Name, fault)
		}
		for _, fault := range Moves(generated(f, in.Items), generated(f, out.Items), others(f, out.Items)) {
			t.Errorf("%s moves an object: %s", f.Name, fault)
		}
		return out, nil
	}
	return &watched
}

// others are copies of the works that f did not make and that a GitOps agent applies.
func others(f *fn.Function, items []*krm.Object) (out []*krm.Object) {
	for _, o := range Works(items) {
		if o.Annotation(fn.GeneratedBy) != f.Name && !o.IsLocalConfig() {
			out = append(out, o.DeepCopy())
		}
	}
	return out
}

// generated are copies of the works that f made: to look into an object may change what it holds on to.
func generated(f *fn.Function, items []*krm.Object) (out []*krm.Object) {
	for _, o := range Works(items) {
		if o.Annotation(fn.GeneratedBy) == f.Name {
			out = append(out, o.DeepCopy())
		}
	}
	return out
}

func limitOf(config *krm.Object) int {
	const option = "manifestLimit"
	if config == nil {
		return DefaultManifestLimit
	}
	limit, err := strconv.Atoi(cmp.Or(config.String("data", option), config.String("spec", option)))
	if err != nil {
		return DefaultManifestLimit
	}
	return limit
}
