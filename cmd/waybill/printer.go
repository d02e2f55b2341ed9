package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"
)

// printer prints data on stdout as the user wants it: a table, JSON or YAML.
type printer struct{ format string }

func (p *printer) add(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&p.format, "output", "o", "table", "how to print: table, json or yaml")
}

// check refuses a format that is none, before any work is done.
func (p *printer) check() error {
	switch p.format {
	case "table", "json", "yaml":
		return nil
	}
	return usage("--output %q: want table, json or yaml", p.format)
}

// print prints data, or the same as a table.
func (p *printer) print(w io.Writer, data any, header []string, rows [][]string) error {
	switch p.format {
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
