package sides

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet"
)

// BudgetFlags bound the extent of a change.
type BudgetFlags struct{ budget fleet.Budget }

// Add adds --max-clusters, --max-deletions and --max-objects.
func (f *BudgetFlags) Add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&f.budget.Clusters, "max-clusters", "refuse if more clusters change: N, or P% of the clusters before")
	flags.Var(&f.budget.Deletions, "max-deletions", "refuse if more objects are deleted, counted for every cluster: "+
		"N, or P% of the objects before")
	flags.Var(&f.budget.Objects, "max-objects", "refuse if more objects are added, changed or deleted, "+
		"counted for every cluster: N or P%")
}

// Set reports whether there is any bound.
func (f *BudgetFlags) Set() bool { return f.budget != (fleet.Budget{}) }

// Refusals are the reasons to refuse the change. A budget cannot count when clusters hold works other than the rendered ones: the
// comparison does not show what changes there.
func (f *BudgetFlags) Refusals(preview *waybillapi.FleetPreview, sides *Sides) []string {
	refusals := f.budget.Refusals(preview)
	if len(sides.Stale) > 0 && f.Set() {
		refusals = append(refusals, "the committed works differ from the rendered works, so the changes on clusters cannot be counted: "+
			"commit the result of 'waybill fn render', or count with --no-render")
	}
	return refusals
}

// Refused is the error of a command whose change is refused, or nil.
func Refused(refusals []string) error {
	if len(refusals) == 0 {
		return nil
	}
	return &cli.ExitError{Code: cli.ExitRefused, Err: errors.New("refused: " + strings.Join(refusals, "; "))}
}
