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
	flags.Var((*boundValue)(&f.budget.Clusters), "max-clusters", "refuse if something changes on more clusters: N, or P% of those before")
	flags.Var((*boundValue)(&f.budget.Deletions), "max-deletions", "refuse if more objects are deleted, each counted for every cluster: "+
		"N, or P% of those before")
	flags.Var((*boundValue)(&f.budget.Objects), "max-objects", "refuse if more objects are added, changed or deleted, "+
		"counted likewise: N or P%")
}

// Refusals are the reasons to refuse the change. A budget cannot count when clusters hold works other than the rendered ones: the
// comparison does not show what changes there.
func (f *BudgetFlags) Refusals(preview *waybillapi.FleetPreview, sides *Sides) []string {
	refusals := f.budget.Refusals(preview)
	if len(sides.Stale) > 0 && f.budget != (fleet.Budget{}) {
		refusals = append(refusals, "committed works are not what rendering gives, so what changes on clusters cannot be counted: "+
			"commit what 'waybill fn render' makes, or count with --no-render")
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

// boundValue is the value of a flag.
type boundValue fleet.Bound

func (b *boundValue) Set(text string) error {
	bound, err := fleet.ParseBound(text)
	*b = boundValue(bound)
	return err
}

func (b *boundValue) String() string { return fleet.Bound(*b).String() }

func (b *boundValue) Type() string { return "N|P%" }
