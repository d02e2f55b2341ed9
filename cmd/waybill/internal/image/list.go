package image

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/image"
)

// Row is one function in the output. `image list` sets neither digests nor a tarball. Image and digest of `image push` are those in
// the registry.
type Row struct {
	Name        string `json:"name"`
	Image       string `json:"image"`
	Description string `json:"description,omitempty"`
	*image.Listing
	Tarball string `json:"tarball,omitempty"`
	// State is what image push did, or with --dry-run would do.
	State string `json:"state,omitempty"`
}

func newListCommand() *cobra.Command {
	var dir, tag string
	var out cli.Printer
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the images of functions and of waybill in a checkout",
		Example: `  waybill image list
  waybill image list -o json`,
		Args: cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			rows, err := listImages(dir, tag)
			if err != nil {
				return err
			}
			return printRows(cmd.OutOrStdout(), &out, rows)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", ".", "`DIR` of the checkout, with functions/")
	cmd.Flags().StringVar(&tag, "tag", catalog.Version, "tag of the images")
	out.AddAs(cmd, "format", "", formatHelp+"; the same as --output")
	out.Add(cmd)
	return cmd
}

func listImages(dir, tag string) ([]Row, error) {
	functions, err := discover(dir)
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

// discover finds what the checkout in dir has images of.
func discover(dir string) ([]image.Function, error) {
	found, err := image.Discover(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; run this command in a checkout of Waybill, or name one by --dir", err)
	}
	return found, err
}

// formatHelp is the help of --format: -o is the folder that `image build` writes to.
const formatHelp = "what to print: %s"

func printRows(w io.Writer, out *cli.Printer, rows []Row) error {
	if out.Format != "table" {
		return out.Print(w, cli.NewList("ImageList", rows), nil, nil)
	}
	header, table := []string{"NAME", "IMAGE", "DESCRIPTION"}, [][]string{}
	if len(rows) > 0 && rows[0].Listing != nil {
		header = []string{"IMAGE", "PLATFORM", "DIGEST"}
	}
	for _, row := range rows {
		if row.Listing == nil {
			table = append(table, []string{row.Name, row.Image, row.Description})
			continue
		}
		table = append(table, []string{row.Image, "all", row.Digest})
		for _, p := range row.Platforms {
			table = append(table, []string{row.Image, p.Platform, p.Digest})
		}
	}
	return cli.HeadedTable(w, 2, header, table)
}
