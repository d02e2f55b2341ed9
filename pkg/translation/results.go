package translation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/applyset"
)

// finalResults are all results of the run. After an error nothing changes, and no change is reported.
func (t *translator) finalResults(plan *applyset.Plan) sdk.Results {
	if plan.Failed() || t.results.ExitCode() != 0 {
		plan.Results = slices.DeleteFunc(plan.Results, reportsChange)
	} else {
		t.summarize(plan)
	}
	return append(t.results, plan.Report()...)
}

// reportsChange reports whether a result reports a change.
func reportsChange(r applyset.Result) bool {
	return r.Severity == sdk.Info && r.Reason != applyset.ReasonNote && r.Reason != applyset.ReasonPartial
}

// tally counts inputs and Translations.
type tally struct{ inputs, outputs, created, changed, removed int }

func (c *tally) add(s *applyset.Summary) {
	c.inputs += s.Inputs
	c.outputs += s.Outputs
	c.created += s.Created
	c.changed += s.Changed
	c.removed += s.Removed
}

// summarize reports for every kind the number of inputs, their Translations and the changes. Global Translations have no
// kind.
func (t *translator) summarize(plan *applyset.Plan) {
	by := map[string]*tally{}
	for i := range plan.Summaries {
		s := &plan.Summaries[i]
		_, id, err := applyset.ParseKey(s.Owner)
		if s.Controller != t.controller || err != nil {
			continue
		}
		kind := id.Kind
		if s.Owner == globalKey {
			kind = ""
		}
		if by[kind] == nil {
			by[kind] = &tally{}
		}
		by[kind].add(s)
	}
	for _, kind := range slices.Sorted(maps.Keys(by)) {
		by[kind].report(t, kind)
	}
}

func (c *tally) report(t *translator, kind string) {
	what := "global"
	if kind != "" {
		what = numbered(c.inputs, "input") + " of kind " + kind
	}
	if changes := c.changes(); kind != "" || c.outputs > 0 || changes != "" {
		t.report(sdk.Info, nil, nil, "%s, %s%s", what, numbered(c.outputs, "Translation"), changes)
	}
}

// changes describe the changes of Translations; "" when there are none.
func (c *tally) changes() string {
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{{c.created, "created"}, {c.changed, "changed"}, {c.removed, "removed"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func numbered(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
