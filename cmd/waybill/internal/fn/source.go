package fn

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/render"
)

type sourceCommand struct{ config, output string }

func newSourceCommand() *cobra.Command {
	var s sourceCommand
	cmd := &cobra.Command{
		Use:   "source [DIR]",
		Short: "Print the resources of a folder as a ResourceList",
		Long: `Source reads the resource files in DIR (default: the current directory) and in all folders below,
and prints them as one ResourceList, the input of functions, of "fn eval -" and of "fn sink". Each
resource names its file. DIR need not be a package, and no function runs.`,
		Example: `  # the input of a function
  waybill fn source web

  # through functions into another folder
  waybill fn source web | waybill fn eval - -i set-labels:v0.2 -- a=b | waybill fn sink web-b`,
		Args:              cli.Args(cobra.MaximumNArgs(1)),
		ValidArgsFunction: cli.CompleteFirst(cli.CompletePackages),
		RunE:              func(cmd *cobra.Command, args []string) error { return s.run(cmd, cli.FolderArg(args, 0)) },
	}
	cmd.Flags().StringVar(&s.config, "fn-config", "", "`FILE` with the object for functionConfig")
	cli.AddChoice(cmd, &s.output, "output", "o", "stdout", "%s: a ResourceList, or plain documents", "stdout", "unwrap")
	deprecateMeta(cmd.Flags(), "")
	return cmd
}

// deprecateMeta adds a flag of older kpt releases for what is the default now.
func deprecateMeta(flags *pflag.FlagSet, short string) {
	flags.BoolP("include-meta-resources", short, false, "")
	if err := flags.MarkDeprecated("include-meta-resources", "Kptfiles are always included"); err != nil {
		panic(err) // the flag was added above
	}
}

func (s *sourceCommand) run(cmd *cobra.Command, dir string) error {
	if dir == "-" {
		return cli.Usagef("fn source reads a folder, not stdin; pipe a ResourceList into 'fn eval -' or 'fn sink'")
	}
	list, err := cli.Await(cmd.Context(), func() (*fn.List, error) { return s.read(dir) })
	if err != nil {
		return err
	}
	return cli.WriteList(cmd.OutOrStdout(), s.output, list)
}

func (s *sourceCommand) read(dir string) (*fn.List, error) {
	source, err := openSource(nil, dir, false, render.InputFiles)
	if err != nil {
		return nil, err
	}
	items, err := render.ReadFolder(source.before, krm.Limits{})
	if err != nil {
		return nil, fmt.Errorf("source %q: %w", dir, err)
	}
	list := &fn.List{Items: cli.PrintableItems(items)}
	if s.config != "" {
		config, err := readConfig(s.config)
		if err != nil {
			return nil, err
		}
		config.SetPath(filepath.Base(s.config), 0)
		config.SetAnnotation(krm.SeqIndentAnnotation, config.SequenceStyle())
		list.Config = cli.PrintableItems([]*krm.Object{config})[0]
	}
	return list, nil
}

func newSinkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "sink DIR",
		Short: "Write the resources of a ResourceList to a new folder",
		Long: `Sink reads one ResourceList, or YAML documents, from stdin and writes each resource to the file in
DIR that its annotation names, or to a file named after it. DIR must not exist. Sink creates it
complete or not at all, and writes nothing outside of it.`,
		Example:           "  waybill fn render web -o stdout | waybill fn sink rendered",
		Args:              cli.Args(cobra.ExactArgs(1)),
		ValidArgsFunction: cli.CompleteFirst(cli.CompleteFolders),
		RunE:              func(cmd *cobra.Command, args []string) error { return sink(cmd.InOrStdin(), args[0]) },
	}
}

func sink(stdin io.Reader, dir string) error {
	if err := cli.CheckAbsent(dir); err != nil {
		return err
	}
	source, err := openStream(stdin, false)
	if err != nil {
		return err
	}
	files, err := source.stream.Files()
	if err != nil {
		return err
	}
	return makeDir(dir, files)
}
