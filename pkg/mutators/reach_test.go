package mutators_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/namesubstring"
	"github.com/waybill-dev/waybill/pkg/mutators/setannotations"
	"github.com/waybill-dev/waybill/pkg/mutators/setimage"
	"github.com/waybill-dev/waybill/pkg/mutators/setlabels"
	"github.com/waybill-dev/waybill/pkg/mutators/setnamespace"
)

// TestLongPipelines holds that a function that sets fields by their paths allocates no more for a Kptfile of ten thousand
// functions than for one of ten: with a copy of the whole, a pipeline takes the square of its length.
func TestLongPipelines(t *testing.T) {
	for f, data := range map[*fn.Function]string{
		setlabels.Function:      "a: b",
		setannotations.Function: "a: b",
		setimage.Function:       "{name: a, newName: b}",
		setnamespace.Function:   "namespace: a",
		namesubstring.Function:  "prepend: a-",
	} {
		t.Run(f.Name, func(t *testing.T) {
			config := readOne(t, "apiVersion: v1\nkind: ConfigMap\ndata: {"+strings.Trim(data, "{}")+"}\n")
			allocations := func(functions int) float64 {
				kptfile := readOne(t, "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: x\npipeline:\n  mutators:\n"+
					strings.Repeat("  - image: set-labels\n    configMap:\n      a: b\n", functions))
				in := &fn.Input{Items: []*krm.Object{kptfile}, Config: config}
				return testing.AllocsPerRun(5, func() {
					if out, err := f.Run(t.Context(), in); err != nil || out.Results.ExitCode() != 0 {
						t.Fatal(fmt.Sprint(err, out))
					}
				})
			}
			if few, many := allocations(10), allocations(10_000); many > few+5 {
				t.Errorf("%v allocations for 10 functions, %v for 10,000", few, many)
			}
		})
	}
}

func readOne(t *testing.T, text string) *krm.Object {
	t.Helper()
	objects, err := krm.Read("a.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objects[0]
}
