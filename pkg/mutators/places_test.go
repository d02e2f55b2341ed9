package mutators_test

import (
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/mutators/namesubstring"
	"github.com/waybill-dev/waybill/pkg/mutators/setannotations"
	"github.com/waybill-dev/waybill/pkg/mutators/setimage"
	"github.com/waybill-dev/waybill/pkg/mutators/setlabels"
	"github.com/waybill-dev/waybill/pkg/mutators/setnamespace"
	"github.com/waybill-dev/waybill/pkg/mutators/starlark"
)

// all are the functions of every room below.
var all = append([]*fn.Function{
	namesubstring.Function, setannotations.Function, setimage.Function, setlabels.Function, setnamespace.Function, starlark.Function,
	setlabels.V01, setnamespace.V03,
}, functions...)

// TestErrorsNameTheirPlace wants every error of every golden case to name an object, be it the config,
// and a field. What is wrong with all of an object, or between several, says so in its message.
func TestErrorsNameTheirPlace(t *testing.T) {
	wholes := []string{"the objects come from", "would be nested more deeply", "JSON can"}
	errors := 0
	for _, f := range all {
		for _, parts := range goldenCases(t, f.Name) {
			in := &fn.Input{Items: read(parts["in.yaml"])}
			if config := read(parts["config.yaml"]); len(config) == 1 {
				in.Config = config[0]
			}
			for _, r := range f.Apply(t.Context(), in).Results {
				whole := false
				for _, w := range wholes {
					whole = whole || strings.Contains(r.Message, w)
				}
				if r.Severity != sdk.Error {
					continue
				}
				errors++
				if r.ResourceRef == nil && in.Config != nil || (r.Field == nil || r.Field.Path == "") && !whole {
					t.Errorf("%s: %s", f.Name, fn.FormatResult(r))
				}
			}
		}
	}
	if errors < 100 {
		t.Errorf("only %d errors to look at", errors)
	}
}
