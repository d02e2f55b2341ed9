package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// FuzzInjectConfig gives the function whatever can be read: only injection points and one Kptfile
// change.
func FuzzInjectConfig(f *testing.F) {
	fntest.Fuzz(f, injection.Function, "testdata/*.txtar", checkChanges)
}

// checkChanges holds what changed to points and Kptfiles, and every item to its place.
func checkChanges(t *testing.T, in *fn.Input, out *fn.Output) {
	t.Helper()
	if len(in.Items) != len(out.Items) {
		t.Fatalf("%d items became %d", len(in.Items), len(out.Items))
	}
	for i, o := range in.Items {
		isPoint := o.HasAnnotation(injection.PointAnnotation) && o.Annotation(injection.ContextAnnotation) != "true"
		if out.Items[i] != o && !isPoint && !o.Is("kpt.dev", "Kptfile") {
			t.Errorf("%s is no injection point, and was changed", o.Describe())
		}
		if o.Is("", "Secret") && !krm.Same(o, out.Items[i]) {
			t.Errorf("%s was changed", o.Describe())
		}
	}
}
