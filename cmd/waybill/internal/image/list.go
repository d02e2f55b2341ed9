package image

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/image"
)

// Row is one function in the output. `image list` sets neither digests nor a tarball.
type Row struct {
	Name        string `json:"name"`
	Image       string `json:"image"`
	Description string `json:"description,omitempty"`
	*image.Listing
	Tarball string `json:"tarball,omitempty"`
}

func newListCommand() *cobra.Command {
	var dir, tag, format string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the functions of a checkout, and waybill, with the names of their images",
		Example: `  waybill image list
  waybill image list --format json`,
		Args: cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			rows, err := listImages(dir, tag, format)
			if err != nil {
				return err
			}
			return printRows(cmd.OutOrStdout(), format, rows)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", ".", "checkout with the functions/ folder")
	cmd.Flags().StringVar(&tag, "tag", catalog.Version, "tag of the images")
	addFormat(cmd, &format)
	return cmd
}

func listImages(dir, tag, format string) ([]Row, error) {
	if err := cli.CheckFormat("format", format); err != nil {
		return nil, err
	}
	functions, err := image.Discover(dir)
	if err != nil {
		return nil, err
	}
	rows := []Row{}
	for _, f := range functions {
		ref, err := image.Reference(f.Name, tag)
		if err != nil {
			return nil, cli.Usagef("--tag: %w", err)
		}
		rows = append(rows, Row{Name: f.Name, Image: ref, Description: f.Description})
	}
	return rows, nil
}

// addFormat adds --format, as -o is the folder that `image build` writes to.
func addFormat(cmd *cobra.Command, format *string) {
	cmd.Flags().StringVar(format, "format", "table", "what to print: table, json or yaml")
}

func printRows(w io.Writer, format string, rows []Row) error {
	if format != "table" {
		out := cli.Printer{Format: format}
		return out.Print(w, rows, nil, nil)
	}
	return printTable(w, rows)
}

func printTable(w io.Writer, rows []Row) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(rows) > 0 && rows[0].Listing != nil {
		tableOfDigests(tw, rows)
	} else {
		tableOfNames(tw, rows)
	}
	return tw.Flush()
}

func tableOfNames(w io.Writer, rows []Row) {
	fmt.Fprintln(w, "NAME\tIMAGE\tDESCRIPTION")
	for _, row := range rows {
		fmt.Fprintf(w, "%s\t%s\t%s\n", row.Name, row.Image, row.Description)
	}
}

func tableOfDigests(w io.Writer, rows []Row) {
	fmt.Fprintln(w, "IMAGE\tPLATFORM\tDIGEST")
	for _, row := range rows {
		fmt.Fprintf(w, "%s\t%s\t%s\n", row.Image, "all", row.Digest)
		for _, p := range row.Platforms {
			fmt.Fprintf(w, "%s\t%s\t%s\n", row.Image, p.Platform, p.Digest)
		}
	}
}
