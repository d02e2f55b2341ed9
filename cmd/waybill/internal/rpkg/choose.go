package rpkg

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// choose returns the named revisions, or those that the flags select and the user confirms.
func (v lifecycleCommand) choose(cmd *cobra.Command, flags *lifecycleFlags, repos repositories, names []string) ([]revision.Known, error) {
	if len(names) > 0 {
		chosen, err := flags.only.named(cmd.Context(), repos, names)
		if err == nil && len(chosen) == 0 {
			err = errors.New("no named package revision matches the flags")
		}
		return chosen, err
	}
	all, err := listRevisions(cmd.Context(), repos, nil)
	if err != nil {
		return nil, err
	}
	chosen := slices.DeleteFunc(flags.only.filter(all), func(r revision.Known) bool { return !v.isFor(r) })
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no package revision that 'waybill rpkg %s' is for matches the flags", v.verb)
	}
	if flags.yes {
		return chosen, nil
	}
	if slices.Contains(flags.repos.files, "-") {
		return nil, cli.Usagef("stdin holds objects, so that it cannot answer: use --yes")
	}
	return chosen, v.confirm(cmd, chosen)
}

// isFor reports whether the step is for a revision. The content of a branch has no number, and is only named.
func (v lifecycleCommand) isFor(r revision.Known) bool {
	return slices.Contains(v.from, r.Lifecycle) && r.Revision.Revision != revision.Placeholder
}

// confirm lists revisions on stderr, and asks whether to change them. Any answer but yes is an error.
func (v lifecycleCommand) confirm(cmd *cobra.Command, chosen []revision.Known) error {
	stderr := cmd.ErrOrStderr()
	rows := cli.Rows(chosen, func(r revision.Known) []string {
		return cli.SafeCells(r.Name, r.Package, r.Workspace, string(r.Lifecycle), r.Repository)
	})
	if err := cli.HeadedTable(stderr, 3, []string{"NAME", "PACKAGE", "WORKSPACENAME", "LIFECYCLE", "REPOSITORY"}, rows); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%s: change %d package revision(s)? [y/N] ", v.verb, len(chosen))
	answer, err := bufio.NewReader(io.LimitReader(cli.ContextReader(cmd.Context(), cmd.InOrStdin()), 1024)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	fmt.Fprintln(stderr)
	return errors.New("the answer was not yes, and nothing was changed; --yes answers without a question")
}

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
