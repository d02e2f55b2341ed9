package rpkg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/revision"
)

type pullCommand struct {
	repos  repositoryFlags
	only   revisionSelector
	output string
}

func newPullCommand() *cobra.Command {
	var p pullCommand
	cmd := &cobra.Command{
		Use:     "pull NAME [DIR]",
		Aliases: []string{"source", "read"},
		Short:   "Fetch the files of a package revision",
		Long: `Pull writes the files of a package revision to the folder DIR or, if DIR exists, to a new folder in
it, named after the package (default: a new folder here). It creates the folder complete or not at
all. In the folder of a draft, the file .KptRevisionMetadata names the draft and its commit for
'waybill rpkg push'; it is no part of the package.

With -o stdout, or DIR -, it prints the resources as one ResourceList, the input of 'waybill fn
eval -' and 'waybill fn sink'. With -o unwrap it prints plain documents.`,
		Example: `  # into a new folder shop
  waybill rpkg pull -f fleet deployments.eu.shop.packagevariant-1

  # two revisions, to compare them
  waybill rpkg pull -f fleet deployments.eu.shop.packagevariant-1 before
  waybill rpkg pull -f fleet deployments.eu.shop.packagevariant-2 after`,
		Args:              cli.Args(cobra.RangeArgs(1, 2)),
		ValidArgsFunction: cli.CompleteFirst(p.repos.completeNames(), cli.CompleteFolders),
		RunE:              func(cmd *cobra.Command, args []string) error { return p.run(cmd, args) },
	}
	p.repos.add(cmd)
	p.only.addLifecycle(cmd, "which one, if a draft and a published revision have the name: Draft, Proposed, Published or DeletionProposed")
	cli.AddChoice(cmd, &p.output, "output", "o", "", "print instead of writing files: %s, a ResourceList or plain documents",
		"stdout", "unwrap")
	return cmd
}

func (p *pullCommand) run(cmd *cobra.Command, args []string) error {
	dest := cli.FolderArg(args, 1)
	switch {
	case p.output != "" && len(args) == 2 && dest != "-":
		return cli.Usagef("use either DIR or --output: with --output nothing is written to %q", dest)
	case dest == "-" && p.output == "":
		p.output = "stdout"
	}
	rev, tree, err := p.fetch(cmd, args[0])
	if err == nil && p.output == "" {
		err = writeFolder(cmd.Context(), cmd.OutOrStdout(), rev, tree, dest)
	} else if err == nil {
		err = printPackage(cmd.OutOrStdout(), tree, p.output)
	}
	if err != nil {
		return fmt.Errorf("pull %s: %w", args[0], err)
	}
	return nil
}

func (p *pullCommand) fetch(cmd *cobra.Command, name string) (revision.Known, pkgtree.Tree, error) {
	if err := p.only.check(); err != nil {
		return revision.Known{}, pkgtree.Tree{}, err
	}
	repos, err := p.repos.open(cmd)
	if err != nil {
		return revision.Known{}, pkgtree.Tree{}, err
	}
	revs, err := p.only.named(cmd.Context(), repos, []string{name})
	if err == nil && len(revs) == 0 {
		err = errors.New("it has another lifecycle")
	}
	if err != nil {
		return revision.Known{}, pkgtree.Tree{}, err
	}
	tree, err := revs[0].Store.Content(revs[0].Revision)
	return revs[0], tree, err
}

func writeFolder(ctx context.Context, stdout io.Writer, rev revision.Known, tree pkgtree.Tree, dest string) error {
	dest, err := cli.Destination(dest, path.Base(rev.Package))
	if err == nil {
		err = context.Cause(ctx)
	}
	if err == nil {
		tree, err = withOrigin(tree, rev)
	}
	if err == nil {
		err = cli.MakePackage(dest, tree, nil)
	}
	if err == nil {
		_, err = fmt.Fprintf(stdout, "%s pulled into %s\n", rev.Name, cli.SafeText(dest))
	}
	return err
}

func printPackage(stdout io.Writer, tree pkgtree.Tree, format string) error {
	items, err := render.ReadFolder(tree, krm.Limits{})
	if err != nil {
		return err
	}
	return cli.WriteList(stdout, format, &fn.List{Items: cli.PrintableItems(items)})
}
