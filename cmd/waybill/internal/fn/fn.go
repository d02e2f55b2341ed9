// Package fn has the command `waybill fn`, which renders packages and runs functions as `kpt fn` does.
package fn

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/fn"
)

// NewCommand returns `waybill fn`.
func NewCommand() *cobra.Command {
	cmd := cli.NewGroup("fn", "Render packages and run functions",
		newRenderCommand(), newEvalCommand(), newSourceCommand(), newSinkCommand(),
		newRunCommand(), newListCommand(), newDocCommand())
	cmd.Aliases = []string{"functions"}
	cmd.Long = `These commands render packages and run functions. They accept the arguments of "kpt fn", so that a
script that calls kpt can call waybill instead.`
	cli.AddVerbosity(cmd.PersistentFlags())
	return cmd
}

func newRunCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "run NAME",
		Short: "Run a linked function: ResourceList on stdin, ResourceList on stdout",
		Long: `Run does what the image of the function does, without a container: it reads one ResourceList from
stdin and writes one to stdout. Exit codes are those of the function: 0; 1 when a result is an
error, after writing the list; 2 when stdin holds no ResourceList.`,
		Example:           "  waybill fn run bind-resolve < list.yaml",
		Args:              cli.Args(cobra.ExactArgs(1)),
		ValidArgsFunction: completeNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := linked(args[0])
			if err != nil {
				return err
			}
			if code := f.Serve(cmd.Context(), nil, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()); code != fn.ExitOK {
				return &cli.ExitError{Code: code}
			}
			return nil
		},
	}
}

// listed is one function in the output of 'fn list'.
type listed struct {
	Name        string `json:"name"`
	Image       string `json:"image"`
	Description string `json:"description"`
}

func newListCommand() *cobra.Command {
	var out cli.Printer
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the functions that are linked into this binary",
		Example: "  waybill fn list",
		Args:    cli.Args(cli.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var items []listed
			for _, f := range catalog.Functions {
				items = append(items, listed{f.Name, catalog.Image(f.Name), f.Doc.Short})
			}
			rows := cli.Rows(items, func(f listed) []string { return []string{f.Name, f.Image, f.Description} })
			return out.Print(cmd.OutOrStdout(), cli.NewList("FunctionList", items), []string{"NAME", "IMAGE", "DESCRIPTION"}, rows)
		},
	}
	out.Add(cmd)
	return cmd
}

func newDocCommand() *cobra.Command {
	var functions cli.FunctionFlags
	var image string
	cmd := &cobra.Command{
		Use:   "doc NAME | --image IMAGE",
		Short: "Print the documentation of a function",
		Long: `Doc prints the documentation of a linked function. With --image it prints that of the function
that is linked in for the image; an image that is not linked in is run with --help, as kpt does.`,
		Example: `  waybill fn doc bundle-manifestwork
  waybill fn doc --image ghcr.io/waybill-dev/bind-resolve:v0.1.0`,
		Args:              cli.Args(cobra.MaximumNArgs(1)),
		ValidArgsFunction: completeNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 1) == (image != "") {
				return cli.Usagef("name a linked function, or an image with --image; see '%s --help'", cmd.CommandPath())
			}
			text, err := document(cmd.Context(), &functions, args, image)
			if err == nil {
				_, err = fmt.Fprint(cmd.OutOrStdout(), text)
			}
			return err
		},
	}
	functions.AddImages(cmd)
	cmd.Flags().StringVarP(&image, "image", "i", "", "`IMAGE` of the function")
	completeImages(cmd, "image")
	return cmd
}

func document(ctx context.Context, functions *cli.FunctionFlags, args []string, image string) (string, error) {
	if image == "" {
		f, err := linked(args[0])
		if err != nil {
			return "", err
		}
		return f.Doc.README, nil
	}
	options, err := functions.Resolve()
	if err != nil {
		return "", err
	}
	return options.Document(ctx, image)
}

// completeNames completes the first argument by the names of linked functions.
var completeNames = cli.CompleteFirst(cli.Complete(cli.FindFunctions, cobra.ShellCompDirectiveNoFileComp))

// completeImages completes a flag by the images that linked functions stand in for.
func completeImages(cmd *cobra.Command, flag string) {
	cli.CompleteFlag(cmd, flag, func(context.Context, []string, string) (out []cli.Proposal, err error) {
		for _, f := range catalog.Functions {
			image := catalog.Image(f.Name)
			if _, versions := catalog.StandsInFor(f.Name); len(versions) > 0 {
				image = f.Name + ":" + versions[len(versions)-1]
			}
			out = append(out, cli.Proposal{Text: image, About: f.Doc.Short})
		}
		return out, nil
	}, cobra.ShellCompDirectiveNoFileComp)
}

func linked(name string) (*fn.Function, error) {
	if f := catalog.ByName(name); f != nil {
		return f, nil
	}
	return nil, cli.Usagef("no function %q is linked into this binary; 'waybill fn list' lists the linked functions", name)
}
