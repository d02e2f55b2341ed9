package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"
)

// Printer prints data on stdout as the user wants it: a table, JSON or YAML.
type Printer struct{ Format string }

func (p *Printer) Add(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&p.Format, "output", "o", "table", "how to print: table, json or yaml")
}

// Check refuses a format that is none, before any work is done.
func (p *Printer) Check() error {
	switch p.Format {
	case "table", "json", "yaml":
		return nil
	}
	return Usagef("--output %q: want table, json or yaml", p.Format)
}

// Print prints data, or the same as a table.
func (p *Printer) Print(w io.Writer, data any, header []string, rows [][]string) error {
	switch p.Format {
	case "json":
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(data)
	case "yaml":
		out, err := yaml.Marshal(data)
		if err != nil {
			return err
		}
		_, err = w.Write(out)
		return err
	}
	tw := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, row := range append([][]string{header}, rows...) {
		fmt.Fprintln(tw, strings.Join(row, "\t"))
	}
	return tw.Flush()
}
