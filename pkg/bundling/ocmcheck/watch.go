package ocmcheck

import (
	"cmp"
	"context"
	"strconv"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Watch is f with checks: after every run that does not fail, t reports each ManifestWork that f generated and
// OCM would refuse, and each object that moves to another work. The limit is the option manifestLimit in the config of the
// run, else the hub's default.
func Watch(t testing.TB, f *fn.Function) *fn.Function {
	watched := *f
	watched.Run = func(ctx context.Context, in *fn.Input) (*fn.Output, error) {
		out, err := f.Run(ctx, in)
		if err != nil || out.Failed() {
			return out, err // the works of an earlier run stay
		}
		made := copiesOf(f, out.Items, true)
		for _, fault := range Violations(made, limitOf(in.Config)) {
			t.Errorf("a hub or its agents refuse a work of %s: %s", f.Name, fault)
		}
		for _, fault := range Moves(copiesOf(f, in.Items, true), made, copiesOf(f, out.Items, false)) {
			t.Errorf("%s moves an object: %s", f.Name, fault)
		}
		return out, nil
	}
	return &watched
}

// copiesOf are copies of the works that f made, or of the other ones that a GitOps agent applies: a reader may change the memory of
// an object.
func copiesOf(f *fn.Function, items []*krm.Object, made bool) (out []*krm.Object) {
	for _, o := range Works(items) {
		if own := o.Annotation(fn.GeneratedBy) == f.Name; own == made && (own || !o.IsLocalConfig()) {
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
