package rpkg

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// asText is the format of a line for each changed revision.
const asText = "text"

// Changed is a revision that a command changed, in the output.
type Changed struct {
	Name       string `json:"name"`
	Namespace  string `json:"namespace,omitempty"`
	Package    string `json:"package"`
	Workspace  string `json:"workspaceName"`
	Repository string `json:"repository"`
	Change     string `json:"change"` // such as "proposed"
}

// changeAll changes one repository after another. It prints what is changed, also if a later repository fails.
func (v lifecycleCommand) changeAll(cmd *cobra.Command, out *cli.Printer, chosen []revision.Known, by revision.Stamp) (err error) {
	var changed []Changed
	for _, revs := range byRepository(chosen) {
		if err = v.change(cmd, revs, by); err != nil {
			break
		}
		for _, r := range revs {
			done := v.step(r).done
			changed = append(changed, Changed{r.Name, r.Namespace, r.Package, r.Workspace, r.Repository, done})
			if out.Format == asText {
				fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", r.Name, done)
			}
		}
	}
	if out.Format == asText {
		return err
	}
	return errors.Join(err, out.Print(cmd.OutOrStdout(), cli.NewList("PackageRevisionChangeList", changed), nil, nil))
}

// byRepository groups revisions by repository and keeps their order.
func byRepository(revs []revision.Known) (groups [][]revision.Known) {
	for _, r := range revs {
		i := slices.IndexFunc(groups, func(g []revision.Known) bool { return g[0].Store == r.Store })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

func (v lifecycleCommand) change(cmd *cobra.Command, revs []revision.Known, by revision.Stamp) error {
	changes := make([]revision.Change, len(revs))
	for i, r := range revs {
		changes[i] = revision.Change{Op: v.step(r).op, Revision: r.Revision}
		if v.onLoss != nil {
			changes[i].OnLoss = v.onLoss(cmd.ErrOrStderr(), r)
		}
	}
	_, err := revs[0].Store.ChangeAll(cmd.Context(), changes, by)
	if err == nil {
		return nil
	}
	var refused *revision.RefusedError
	for _, r := range revs {
		if errors.As(err, &refused) && r.Package == refused.Package && r.Workspace == refused.Workspace || len(revs) == 1 {
			return fmt.Errorf("%s %s: %w", v.verb, r.Name, err)
		}
	}
	return fmt.Errorf("%s in repository %s/%s: %w", v.verb, revs[0].Namespace, revs[0].Repository, err)
}
