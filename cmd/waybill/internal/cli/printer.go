package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"golang.org/x/term"
	"sigs.k8s.io/yaml"
)

// Printer prints data as a table, JSON or YAML.
type Printer struct{ Format string }

// Add adds --output.
func (p *Printer) Add(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&p.Format, "output", "o", "table", "how to print: table, json or yaml")
}

// Check returns an error for an unknown format.
func (p *Printer) Check() error { return CheckFormat("output", p.Format) }

// CheckFormat returns a usage error if format, the value of flag, is unknown.
func CheckFormat(flag, format string) error {
	switch format {
	case "table", "json", "yaml":
		return nil
	}
	return Usagef("--%s %q: want table, json or yaml", flag, format)
}

// Print prints data, or header and rows as a table.
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

// Plural returns n and the noun, as in "2 clusters".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// Qualified returns NAMESPACE/NAME, or the name alone without a namespace.
func Qualified(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// OrDash returns s, or "-" for an empty cell.
func OrDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// Terminal returns stderr if it is a terminal, or nil.
func Terminal(stderr io.Writer) *os.File {
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) { // #nosec G115 -- a file descriptor
		return f
	}
	return nil
}
