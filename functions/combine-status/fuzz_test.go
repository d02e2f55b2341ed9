package main

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status/combine"
)

// FuzzCombineStatus gives the function whatever can be read: what comes out is valid, and what people
// wrote stays, but for a status.
func FuzzCombineStatus(f *testing.F) {
	fntest.Fuzz(f, combine.Function, "testdata/*.txtar", checkOutput)
}

// checkOutput holds what is generated to its kind, and what people wrote to what it was.
func checkOutput(t *testing.T, in *fn.Input, out *fn.Output) {
	t.Helper()
	given, left := map[*krm.Object]bool{}, map[krm.Origin]bool{}
	for _, o := range in.Items {
		given[o] = true
	}
	for _, o := range out.Items {
		left[o.Origin()] = true
		if given[o] || o.Annotation(fn.GeneratedBy) != combine.Name {
			continue
		}
		c, errs := control.DecodeCombinedStatus(o)
		if len(errs) > 0 || c.Namespace == "" || !strings.HasPrefix(o.File(), "status/") && !wasGenerated(in, o) {
			t.Errorf("%s is no CombinedStatus in its place: %v", o.Describe(), errs.ToAggregate())
		}
	}
	for _, o := range in.Items {
		if o.Annotation(fn.GeneratedBy) != combine.Name && !left[o.Origin()] {
			t.Errorf("%s went", o.Describe())
		}
	}
}

// wasGenerated reports whether an earlier o keeps its file.
func wasGenerated(in *fn.Input, o *krm.Object) bool {
	for _, old := range in.Items {
		if old.ID() == o.ID() && old.Annotation(fn.GeneratedBy) == combine.Name {
			return true
		}
	}
	return false
}
