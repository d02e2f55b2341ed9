// Package doctor is the command that says which parts of the machine and of a cluster Waybill can use, and what to do about the others.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// State is the outcome of a check.
type State string

// The states of a check. Only Failed makes the command fail.
const (
	OK      State = "OK"
	Missing State = "Missing" // it is not there, and only some commands need it
	Failed  State = "Failed"
	Skipped State = "Skipped" // there was nothing to check
)

// Check is one part that Waybill uses.
type Check struct {
	Name   string `json:"name"`
	State  State  `json:"state"`
	Detail string `json:"detail"`
	// Advice is what the user can do.
	Advice string `json:"advice,omitempty"`
}

// Report is what the command prints with -o json or yaml.
type Report struct {
	metav1.TypeMeta `json:",inline"`
	Version         string  `json:"version"`
	Checks          []Check `json:"checks"`
}

// What a check may take, and how many bytes of its detail a table shows.
const (
	patience   = 20 * time.Second
	mostDetail = 400
)

// NewCommand returns the command.
func NewCommand() *cobra.Command {
	var out cli.Printer
	var cluster cli.ClusterFlags
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check what this machine and a cluster have of what waybill can use",
		Long: `Doctor checks git, container engines, kpt, the caches and, if a kubeconfig names one, the cluster:
whether it answers, which of Waybill's kinds it serves, and what the user may do there. For each
part that does not work it says what to do. It changes nothing.

Git and the caches are needed. An engine is needed for functions that are not linked into waybill,
and a cluster for 'waybill controller'; without them the check says Missing or Skipped, and the
command succeeds.

Exit codes: 0 done; 1 a check failed; 2 wrong usage.`,
		Example: `  waybill doctor
  waybill doctor --context hub -o yaml`,
		Args: cli.Args(cli.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			checks := append(machine(cmd.Context()), clusterChecks(cmd.Context(), &cluster)...)
			return errors.Join(printReport(cmd, &out, checks), verdict(checks))
		},
	}
	out.Add(cmd)
	cluster.Add(cmd)
	return cmd
}

func printReport(cmd *cobra.Command, out *cli.Printer, checks []Check) error {
	report := Report{cli.TypeMeta("DoctorReport"), cli.Version(), checks}
	var rows, advice [][]string
	for _, c := range checks {
		rows = append(rows, []string{c.Name, string(c.State), safetext.SingleLine(c.Detail, mostDetail)})
		if c.Advice != "" {
			advice = append(advice, []string{c.Name, c.Advice})
		}
	}
	err := out.Print(cmd.OutOrStdout(), report, []string{"CHECK", "STATE", "DETAIL"}, rows)
	if err != nil || out.Format != "table" || len(advice) == 0 {
		return err
	}
	fmt.Fprintln(cmd.OutOrStdout())
	return out.Print(cmd.OutOrStdout(), nil, []string{"CHECK", "WHAT YOU CAN DO"}, advice)
}

func verdict(checks []Check) error {
	n := 0
	for _, c := range checks {
		if c.State == Failed {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return errors.New(selection.Count(n, "check") + " failed")
}

// within runs a check that ends in time.
func within(ctx context.Context, check func(context.Context) Check) Check {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return check(ctx)
}
