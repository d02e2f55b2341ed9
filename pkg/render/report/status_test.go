package report

import (
	"errors"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
)

const kptfileText = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n"

// TestResultsOfSteps holds that the status lists every result of a function, and its errors once more.
func TestResultsOfSteps(t *testing.T) {
	tree, err := pkgtree.New(map[string][]byte{"Kptfile": []byte(kptfileText)})
	if err != nil {
		t.Fatal(err)
	}
	mixed := sdk.Results{{Message: "a", Severity: sdk.Warning}, {Message: "b", Severity: sdk.Error}, {Message: "c", Severity: sdk.Info}}
	cases := map[string]struct {
		reason string
		step   render.Step
		want   string
	}{
		"mixed": {"errors are in both lists, in their order", render.Step{Exec: "f", ExitCode: 1, Err: errors.New("b"), Results: mixed}, `    - exec: f
      exitCode: 1
      results:
      - message: a
        severity: warning
      - message: b
        severity: error
      - message: c
        severity: info
      errorResults:
      - message: b
        severity: error
    errorSummary: 'f: exit code 1'
`},
		"passed": {"an error of a function that passed is an error, too", render.Step{Exec: "f", Results: mixed[1:2]}, `    - exec: f
      exitCode: 0
      results:
      - message: b
        severity: error
      errorResults:
      - message: b
        severity: error
`},
		"refused": {"the reason is the execution error", render.Step{Exec: "f", Refused: true, Err: errors.New("two of one")}, `    - exec: f
      executionError: two of one
      exitCode: 1
    errorSummary: 'f: two of one'
`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			out, err := WithStatus(tree, []render.Step{tc.step}, nil)
			if err != nil {
				t.Fatal(err)
			}
			data, _ := out.Get("Kptfile")
			want := kptfileText + "status:\n  conditions:\n  - type: Rendered\n    status: \"True\"\n    reason: RenderSuccess\n  renderStatus:\n    mutationSteps:\n" + tc.want
			if d := cmp.Diff(want, string(data)); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}
