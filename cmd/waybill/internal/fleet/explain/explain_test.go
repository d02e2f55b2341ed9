package explain

import (
	"testing"

	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
)

// TestRevise adds the commit to linked functions.
func TestRevise(t *testing.T) {
	x := &waybillapi.FleetExplanation{Fields: []waybillapi.ExplainedField{{Steps: []waybillapi.ExplainedStep{{Function: &waybillapi.ExplainedFunction{Linked: "v1"}}, {}, {Function: &waybillapi.ExplainedFunction{}}}}}}
	revise(x, "abc")
	revise(x, "")
	if steps := x.Fields[0].Steps; steps[0].Function.Linked != "v1+abc" || steps[2].Function.Linked != "" {
		t.Errorf("%+v", steps)
	}
}
