package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newFnDocCommand() *cobra.Command {
	var functions functionFlags
	var image string
	cmd := &cobra.Command{
		Use:   "doc NAME | --image IMAGE",
		Short: "Print the documentation of a function",
		Long: `Doc prints what a linked function says about itself. With --image that is the function linked in
for the image; an image that is not linked in is run with --help, as kpt does.`,
		Example: `  waybill fn doc bundle-manifestwork
  waybill fn doc --image ghcr.io/waybill-dev/bind-resolve:v0.1.0`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 1) == (image != "") {
				return usage("name a linked function, or an image with --image; see '%s --help'", cmd.CommandPath())
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
	functions.addImages(cmd)
	cmd.Flags().StringVarP(&image, "image", "i", "", "`IMAGE` of the function")
	return cmd
}

func printDocument(cmd *cobra.Command, functions *functionFlags, image string) error {
	options, err := functions.options()
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
