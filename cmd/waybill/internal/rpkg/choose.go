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
	chosen := slices.DeleteFunc(flags.only.filter(all), func(r revision.Known) bool { return !v.applies(r) })
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
