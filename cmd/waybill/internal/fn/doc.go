package fn

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
)

func newDocCommand() *cobra.Command {
	var functions cli.FunctionFlags
	var image string
	cmd := &cobra.Command{
		Use:   "doc NAME | --image IMAGE",
		Short: "Print the documentation of a function",
		Long: `Doc prints what a linked function says about itself. With --image that is the function linked in
for the image; an image that is not linked in is run with --help, as kpt does.`,
		Example: `  waybill fn doc bundle-manifestwork
  waybill fn doc --image ghcr.io/waybill-dev/bind-resolve:v0.1.0`,
		Args: cli.Args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 1) == (image != "") {
				return cli.Usagef("name a linked function, or an image with --image; see '%s --help'", cmd.CommandPath())
			}
			if image == "" {
				f, err := linked(args[0])
				if err != nil {
					return err
				}
				_, err = fmt.Fprint(cmd.OutOrStdout(), f.Doc.README)
				return err
			}
			return printDocument(cmd, &functions, image)
		},
	}
	functions.AddImages(cmd)
	cmd.Flags().StringVarP(&image, "image", "i", "", "`IMAGE` of the function")
	return cmd
}

func printDocument(cmd *cobra.Command, functions *cli.FunctionFlags, image string) error {
	options, err := functions.Resolve()
	if err != nil {
		return err
	}
	text, err := options.Document(cmd.Context(), image)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(cmd.OutOrStdout(), text)
	return err
}
