// Package adopt has the command `waybill fleet adopt`.
package adopt

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/hub"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/sides"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/fleet/adopt"
	"github.com/waybill-dev/waybill/pkg/fleet/whatif"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
)

type command struct {
	files     []string
	hub       cli.ClusterFlags
	functions cli.FunctionFlags
	space     string
	write     bool
	exitCode  bool
	out       cli.Printer
}

// NewCommand returns `waybill fleet adopt`.
func NewCommand() *cobra.Command {
	var a command
	cmd := &cobra.Command{
		Use:   "adopt [DIR] (--context NAME | --kubeconfig FILE | -f PATH...)",
		Short: "Take over the works that KubeStellar wrote to a hub",
		Long: `Adopt reads the ManifestWorks that KubeStellar wrote for the policies of the package in DIR
(default: the current directory), from a hub or from files. It puts them into the package as works
of an earlier render, renders the package, and shows what becomes of their objects. They stay in a
work that keeps its name, or are handed over to a work of the package. No cluster deletes an object.
Objects that a cluster would lose are listed on stderr, and the command refuses.

Without --write it writes nothing. With --write it writes the rendered package. Compare it with
'waybill fleet preview' before you deliver it. Works of policies that the package does not have stay
as they are. The command never writes to the hub, and does not copy the data of Secrets.

Stop KubeStellar's transport controller before the package is delivered: it would delete the works.
docs/kubestellar.md has all steps.

Exit codes: 0 done; 1 failed; 2 wrong usage; 3 refused, because a cluster would lose objects. With
--exit-code: 0 there is nothing to take over, 1 there is, 2 failed, 3 refused.`,
		Example: `  # what would happen
  waybill fleet adopt shop --context hub

  # from a file, as kubectl prints it
  waybill fleet adopt shop -f works.yaml --write`,
		Args:              cli.Args(cobra.MaximumNArgs(1)),
		ValidArgsFunction: cli.CompleteFirst(cli.CompletePackages),
		RunE:              func(cmd *cobra.Command, args []string) error { return cli.WithExitCode(a.exitCode, a.run(cmd, args)) },
	}
	cli.AddFiles(cmd, &a.files)
	a.hub.Add(cmd)
	a.functions.Add(cmd)
	a.functions.AddWasm(cmd)
	flags := cmd.Flags()
	flags.StringVar(&a.space, "wds-name", "", "`NAME` of the workload space whose works are taken over (default: the only one that there is)")
	flags.BoolVar(&a.write, "write", false, "write the rendered package, with the works in it")
	flags.BoolVar(&a.exitCode, "exit-code", false, "exit with 1 if there are works to take over, and with 2 after a failure")
	a.out.Add(cmd)
	return cmd
}

func (a *command) run(cmd *cobra.Command, args []string) error {
	if a.hub.Given() == (len(a.files) > 0) {
		return cli.Usagef("name a hub by --kubeconfig or --context, or files with works by --filename, and not both")
	}
	dir := "."
	if len(args) > 0 {
		dir = args[0]
	}
	tree, err := sides.ReadFolder(dir)
	if err != nil {
		return err
	}
	works, err := a.works(cmd)
	if err != nil {
		return err
	}
	plan, err := adopt.New(tree, works, a.space)
	if err != nil {
		return err
	}
	found, rendered, err := a.compare(cmd, dir, plan)
	if err != nil {
		return err
	}
	if err := a.print(cmd, plan, found); err != nil {
		return err
	}
	switch {
	case len(found.Lost) > 0:
		return refusal(cmd.ErrOrStderr(), found.Lost)
	case a.write:
		if err := pkgtree.WriteDir(dir, tree, rendered); err != nil {
			return err
		}
	}
	if a.exitCode && len(plan.Works) > 0 {
		return &cli.ExitError{Code: cli.ExitFailed}
	}
	return nil
}

// works are those of the hub, or of files.
func (a *command) works(cmd *cobra.Command) ([]*krm.Object, error) {
	if !a.hub.Given() {
		return cli.AwaitObjects(cmd, a.files)
	}
	cfg, err := cli.Await(cmd.Context(), a.hub.Config)
	if err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(cfg)
	if err != nil {
		return nil, err
	}
	works, err := hub.List(cmd.Context(), client.Resource(hub.ManifestWorks), metav1.ListOptions{LabelSelector: naming.WDSLabel})
	if err != nil {
		err = fmt.Errorf("list %s: %w", hub.ManifestWorks.GroupResource(), err)
	}
	return works, err
}

// compare renders the package with the works, and compares what they hold before and after.
func (a *command) compare(cmd *cobra.Command, dir string, plan *adopt.Plan) (*Adoption, pkgtree.Tree, error) {
	s, err := sides.OfFolder(dir)
	if err != nil {
		return nil, plan.Tree, err
	}
	rendered, err := a.render(cmd.Context(), s.Name, plan.Tree)
	if err != nil {
		return nil, rendered, fmt.Errorf("with the works of the hub: %w", err)
	}
	s.Before, s.After = "works of the hub", "rendered package"
	s.Progress = cli.NewProgress(cmd.ErrOrStderr())
	defer s.Progress.Done()
	found, err := s.Compare(plan.Tree, rendered)
	if err != nil {
		return nil, rendered, err
	}
	counts, losses, err := plan.Counts(rendered, found)
	return newAdoption(plan, counts, losses, s.Preview(found, &whatif.Change{})), rendered, err
}

func (a *command) render(ctx context.Context, name string, tree pkgtree.Tree) (pkgtree.Tree, error) {
	factory, err := a.functions.NewFactory()
	if err != nil {
		return tree, err
	}
	opts := render.Options{Functions: factory, Name: name, Parsed: &krm.Parsed{}, Cache: a.functions.RenderCache()}
	return sides.RenderPackages(ctx, tree, opts, func(string, *render.Result) {})
}
