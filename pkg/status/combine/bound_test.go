package combine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status"
	"github.com/waybill-dev/waybill/pkg/status/combine"
)

// TestTooLarge has a collector that lists more than a CombinedStatus can hold: it is named, and so is the
// object, and the other collector's result is there.
func TestTooLarge(t *testing.T) {
	given := text(t, fleet(t, 2, 2)) + "---\napiVersion: control.kubestellar.io/v1alpha1\nkind: StatusCollector\nmetadata: {name: none}\n" +
		"spec: {limit: 20, select: [{name: blob, def: returned.status.blob}]}\n"
	long := "readyReplicas: 3, blob: " + strings.Repeat("x", status.MaxResults/2) + "}"
	items := parse(t, strings.ReplaceAll(given, "readyReplicas: 3}", long))
	out := combine.Function.Apply(t.Context(), &fn.Input{Items: apply(t, binding.Function, items)})
	want := `Binding "shop", StatusCollector "none": the rows are left out: all results about one object may have 1048576 bytes together`
	if len(out.Results) != 1 || out.Results[0].Message != want || !strings.Contains(fn.FormatResult(out.Results[0]), "Deployment") || out.Failed() {
		t.Fatalf("want a warning of the Deployment that\n%s\ngot %v", want, out.Results)
	}
	got := text(t, slices.DeleteFunc(out.Items, func(o *krm.Object) bool { return o.Kind() != "CombinedStatus" }))
	if !strings.Contains(got, "error: 'the rows are left out") || !strings.Contains(got, `float: "6"`) {
		t.Errorf("the error and the other result are not there:\n%.2000s", got)
	}
}
