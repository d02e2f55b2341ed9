// Package status has the command `waybill fleet status`.
package status

import (
	"errors"
	"fmt"
	"io"
	"slices"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status/combine"
)

// command holds the flags of one `waybill fleet status`.
type command struct {
	files     []string
	hub       cli.ClusterFlags
	namespace string
	opts      combine.Options
	out       cli.Printer
}

// NewCommand returns `waybill fleet status`.
func NewCommand() *cobra.Command {
	s := command{opts: combine.DefaultOptions()}
	cmd := &cobra.Command{
		Use:   "status [DIR]",
		Short: "What clusters report, as StatusCollectors ask for it",
		Long: `Status reads the objects of the package in DIR (default: the current directory, unless --filename
names something): Bindings, what they name, StatusCollectors, and what clusters report about it:
WorkStatuses, and ManifestWorks with a status. With --kubeconfig or --context the hub is asked for
reports, and those in files do not count. Lists as kubectl prints them are taken apart.

For each object that a Binding names there is a line that tells how many of its clusters report
about what was sent last. Below it stand clusters that failed to apply it, with what their API
server said, that miss it, whose report is stale, or that do not know; then what each
StatusCollector makes of the reports. -o json and -o yaml print the CombinedStatuses as a List,
those that function combine-status writes, and under objects what the table says of each object.

What is wrong is told on stderr, and the exit code is 1 then: the rest is printed all the same.
A long value is cut in the table.`,
		Example: `  # of a package that holds the reports, too
  waybill fleet status shop

  # of a package, and of what kubectl printed
  waybill fleet status shop -f reports.yaml -o yaml

  # of a package, and of what the hub says now about one cluster
  waybill fleet status shop --context hub -n edge1`,
		Args: cli.Args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd, args) },
	}
	cli.AddFiles(cmd, &s.files)
	s.hub.Add(cmd)
	cmd.Flags().StringVarP(&s.namespace, "namespace", "n", "", "only what the hub has in this namespace, which is one cluster's")
	cmd.Flags().StringVar(&s.opts.WDSName, "wds-name", s.opts.WDSName,
		"`NAME` of the workload space whose reports count, if they say one; \"\" for all")
	cmd.Flags().BoolVar(&s.opts.NullAsNull, "null-as-null", false, "print null as Null and lists as Array, not as Object")
	s.out.Add(cmd)
	return cmd
}

// check refuses flags that do not go together.
func (s *command) check() error {
	if err := s.out.Check(); err != nil {
		return err
	}
	if s.namespace != "" && !s.hub.Given() {
		return cli.Usagef("--namespace is about a hub; name one by --kubeconfig or --context")
	}
	if s.opts.WDSName == "" {
		return nil
	}
	for _, err := range s.opts.Validate(field.NewPath("spec")) {
		return cli.Usagef("--wds-name %q: %s", s.opts.WDSName, err.Detail)
	}
	return nil
}

func (s *command) run(cmd *cobra.Command, args []string) error {
	if err := s.check(); err != nil {
		return err
	}
	items, err := s.read(cmd, args)
	if err != nil {
		return err
	}
	snapshot, err := combine.NewSummary(cmd.Context(), items, s.opts)
	if err != nil {
		return err
	}
	if err := s.print(cmd.OutOrStdout(), snapshot.Objects); err != nil {
		return err
	}
	return printFaults(cmd.ErrOrStderr(), snapshot.Results)
}

// read reads objects from where the flags say.
func (s *command) read(cmd *cobra.Command, args []string) ([]*krm.Object, error) {
	if len(args) == 0 && len(s.files) == 0 {
		args = []string{"."}
	}
	items, err := cli.AwaitObjects(cmd, slices.Concat(args, s.files))
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(items, func(o *krm.Object) bool { return o.Is(control.Group, control.KindBinding) }) {
		return nil, errors.New("there is no Binding in what was read; function bind-resolve makes them of BindingPolicies")
	}
	if !s.hub.Given() {
		return items, nil
	}
	found, err := s.listHub(cmd.Context(), cmd.ErrOrStderr())
	return append(slices.DeleteFunc(items, isReport), found...), err
}

// printFaults prints results, the worst first. It returns an error if there is an error among them.
func printFaults(w io.Writer, results sdk.Results) error {
	failed := 0
	for _, r := range fn.WorstFirst(results) {
		fmt.Fprintln(w, cli.SafeText(fn.FormatResult(r)))
		if r.Severity == sdk.Error {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%s; see above", cli.Plural(failed, "fault"))
	}
	return nil
}
