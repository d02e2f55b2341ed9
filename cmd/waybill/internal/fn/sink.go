package fn

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
)

func newSinkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "sink DIR",
		Short: "Write the resources of a ResourceList to a new folder",
		Long: `Sink reads one ResourceList, or YAML documents, on stdin and writes each resource to the file in DIR
that it says it is of, or to one named after it. DIR must not exist: it is there when all of it is
written, and not before. Nothing is written outside of DIR.`,
		Example: "  waybill fn render web -o stdout | waybill fn sink rendered",
		Args:    cli.Args(cobra.ExactArgs(1)),
		RunE:    func(cmd *cobra.Command, args []string) error { return sink(cmd.InOrStdin(), args[0]) },
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
